//! `mlirbc bench --plot`

use std::fmt::Write;

use serde_json::Value;

/// What is drawn, where it was timed: the figure, what it is of, and how many of its unit are a millisecond.
const BARS: [(&str, &str, f64); 6] = [
    ("open_us", "open", 1e3),
    ("symbol_us", "one symbol", 1e3),
    ("lazy_ms", "lazy", 1.0),
    ("eager_ms", "eager", 1.0),
    ("full_ms", "full", 1.0),
    ("write_ms", "write", 1.0),
];

/// Where bars begin, and how long one is that takes ten times as long as another is longer.
const LEFT: f64 = 110.0;
const DECADE: f64 = 90.0;

/// How high a bar is with the space below it.
const ROW: usize = 30;

/// The times as a picture: a bar each, ten times as long a time a step longer, since some are thousands of times as long as others.
pub(super) fn svg(name: &str, figures: &[(&'static str, Value)]) -> String {
    let of = |wanted: &str| figures.iter().find(|(name, _)| *name == wanted).map(|(_, figure)| figure);
    let bars: Vec<(&str, f64)> =
        BARS.iter().filter_map(|(figure, title, unit)| Some((*title, of(figure)?.as_f64()? / unit))).collect();
    // Decades from the one below the shortest time to that above the longest.
    let logs = bars.iter().map(|bar| bar.1.max(1e-6).log10());
    let first = logs.clone().fold(f64::INFINITY, f64::min).floor().min(5.0);
    let last = logs.fold(f64::NEG_INFINITY, f64::max).ceil().max(first + 1.0);
    let (width, bottom) = (LEFT + DECADE * (last - first) + 90.0, 50 + ROW * bars.len());
    let bytes = of("bytes").and_then(Value::as_u64).unwrap_or_default();
    let title: String = name.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{}\" role=\"img\">\n<title>Times of {title}</title>\n\
         <style>text {{ font: 13px system-ui, sans-serif; fill: #1c2024 }} .axis {{ stroke: #c4cad1 }} .small {{ font-size: 11px; fill: #5a626b }} \
         rect {{ fill: #4a7fd0 }} @media (prefers-color-scheme: dark) {{ text {{ fill: #e6e9ec }} .axis {{ stroke: #444b52 }} \
         .small {{ fill: #a0a9b2 }} rect {{ fill: #7aa7ea }} }}</style>\n\
         <text x=\"8\" y=\"22\">{title}, {bytes} bytes: medians, each line ten times the one before</text>\n",
        bottom + 24
    );
    for step in 0..=(last - first) as usize {
        let x = LEFT + DECADE * step as f64;
        let time = shown(10f64.powf(first + step as f64));
        let _ = writeln!(svg, "<line class=\"axis\" x1=\"{x}\" x2=\"{x}\" y1=\"36\" y2=\"{bottom}\"/>");
        let _ =
            writeln!(svg, "<text class=\"small\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{time}</text>", bottom + 16);
    }
    for (at, (what, time)) in bars.iter().enumerate() {
        let (y, length) = (44 + ROW * at, DECADE * (time.max(1e-6).log10() - first));
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{what}</text>", LEFT - 8.0, y + 15);
        let _ = writeln!(svg, "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\"/>", ROW - 8);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{}\">{}</text>", LEFT + length + 6.0, y + 15, shown(*time));
    }
    svg + "</svg>\n"
}

/// Milliseconds in the unit that suits them.
fn shown(time: f64) -> String {
    let (time, unit) = match time {
        ..1e-3 => (time * 1e6, "ns"),
        ..1.0 => (time * 1e3, "µs"),
        ..1e3 => (time, "ms"),
        _ => (time / 1e3, "s"),
    };
    // Three digits at most: figures are medians of a few.
    let digits = if time < 9.995 { 2 } else { usize::from(time < 99.95) };
    let text = format!("{time:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}
