//! The page: what is known of one file or two, as HTML that needs nothing else.

use std::cmp::Reverse;
use std::fmt::Write;
use std::rc::Rc;

use serde_json::Value;

use super::growth::{Change, changes};
use super::layout;
use super::tree::Node;
use super::{LARGEST, NODES};

/// So many changes are named in a table.
const CHANGES: usize = 40;

/// What is known of one file.
pub(super) struct Report {
    /// The path of the file.
    pub(super) path: String,
    /// Named as the file.
    pub(super) tree: Node,
    /// Sentences about all of it.
    pub(super) facts: Vec<String>,
    pub(super) tables: Vec<Table>,
}

/// Rows of what is of interest.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) heads: &'static [&'static str],
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Its rows as JSON, with these keys.
    pub(super) fn json(&self, keys: &[&str]) -> Vec<Value> {
        let cell = |cell: &Cell| match cell {
            Cell::Name(name) => Value::from(&**name),
            Cell::Number(number) | Cell::Bytes(number) | Cell::Share(number, _) => (*number).into(),
            Cell::Growth(growth) => growth.to_string().into(),
        };
        let row = |row: &Vec<Cell>| keys.iter().map(|key| (*key).to_owned()).zip(row.iter().map(cell)).collect();
        self.rows.iter().map(|cells| Value::Object(row(cells))).collect()
    }
}

/// What stands in a table.
pub(super) enum Cell {
    /// Something of the file: untrusted.
    Name(Rc<str>),
    Number(u64),
    Bytes(u64),
    /// A part of something.
    Share(u64, u64),
    /// What bytes have become more by.
    Growth(i128),
}

/// Text of a file in HTML: none of it is more than text there.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A number with its thousands apart.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

impl Cell {
    fn html(&self) -> String {
        match self {
            Cell::Name(name) => format!("<td><bdi>{}</bdi></td>", escape(name)),
            Cell::Number(number) => format!("<td class=number>{}</td>", thousands(*number)),
            Cell::Bytes(bytes) => format!("<td class=number><data value={bytes}>{}</data></td>", thousands(*bytes)),
            Cell::Share(part, all) => format!("<td class=number>{}</td>", percent(*part, *all)),
            Cell::Growth(difference) => {
                let sign = if *difference < 0 { '−' } else { '+' };
                let amount = thousands(u64::try_from(difference.unsigned_abs()).unwrap_or(u64::MAX));
                let class = if *difference < 0 { "less" } else { "more" };
                format!("<td class='number {class}'><data value={difference}>{sign}{amount}</data></td>")
            }
        }
    }
}

/// The page of one file, or of two.
pub(super) fn page(mut reports: Vec<Report>) -> String {
    let growth = match &reports[..] {
        [before, after] => growth(&before.tree, &after.tree),
        _ => Vec::new(),
    };
    let names: Vec<String> = reports.iter().map(|report| escape(&report.path)).collect();
    let title = names.join(" and ");
    let nodes = NODES / reports.len().max(1);
    let mut page = Page { html: String::new(), ids: 0 };
    for (at, report) in reports.iter_mut().enumerate() {
        report.tree.trim(LARGEST, nodes);
        page.report(report, &names[at]);
    }
    let tables: String = growth.iter().map(Table::html).collect();
    let growth = match tables.is_empty() {
        true if names.len() == 2 => {
            "<section><h2>What grew</h2><p>Nothing takes more or fewer bytes.</p></section>".to_owned()
        }
        true => String::new(),
        false => format!("<section class=growth><h2>What grew</h2><div class=tables>{tables}</div></section>"),
    };
    // It loads nothing, and the browser sees to that.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"{policy}\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta name=color-scheme content=\"light dark\">\n\
         <title>{title}: where the bytes are</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n<h1>Where the bytes are</h1>\n\
         {growth}{}</main>\n<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("page.css"),
        page.html,
        include_str!("page.js"),
    )
}

/// A page that is being written.
struct Page {
    html: String,
    /// How many places have a name of their own.
    ids: usize,
}

impl Page {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.html.write_fmt(text);
    }

    fn report(&mut self, report: &Report, name: &str) {
        let tree = &report.tree;
        self.put(format_args!("<section class=file>\n<h2><bdi>{name}</bdi></h2>\n"));
        for fact in &report.facts {
            self.put(format_args!("<p>{}</p>\n", escape(fact)));
        }
        self.put(format_args!(
            "<nav aria-label=\"Where the map is\"></nav>\n<div class=map role=group aria-label=\"Map of {name}\">\n"
        ));
        // The numbers of what is listed below, which come one after the other.
        let mut id = self.ids + 1;
        for (at, (child, tile)) in tree.children.iter().zip(tiles(tree)).enumerate() {
            let (name, number, share) = (escape(&child.name), thousands(child.bytes), percent(child.bytes, tree.bytes));
            let inside = child.children.iter().zip(tiles(child));
            let inside = inside.map(|(part, tile)| format!("<i style=\"{}\">{}</i>", style(&tile), escape(&part.name)));
            self.put(format_args!(
                "<a href=#n{id} class=c{} style=\"{}\" title=\"{name}: {number} bytes, {share}\"><b>{name}</b> <span>{number}</span>\
                 <span class=in aria-hidden=true>{}</span></a>\n",
                at % 8,
                style(&tile),
                inside.collect::<String>(),
            ));
            child.visit(&mut |_| id += 1);
        }
        self.put(format_args!(
            "</div>\n<p class=said role=status></p>\n<h3>The same as a list</h3>\n<ul class=tree>\n"
        ));
        self.item(tree, tree, None, true);
        self.put(format_args!("</ul>\n<div class=tables>\n"));
        for table in &report.tables {
            self.html.push_str(&table.html());
        }
        self.put(format_args!("</div>\n</section>\n"));
    }

    /// One thing in the list, with what is in it.
    fn item(&mut self, node: &Node, all: &Node, tile: Option<&layout::Tile>, is_open: bool) {
        let id = self.ids;
        self.ids += 1;
        let place = tile.map(|[x, y, w, h]| format!(" data-at=\"{x:.2} {y:.2} {w:.2} {h:.2}\"")).unwrap_or_default();
        let many = if node.count > 1 && !node.is_rest {
            format!(" <i>× {}</i>", thousands(node.count))
        } else {
            String::new()
        };
        let line = format!(
            "<b><bdi>{}</bdi></b>{many} <data value={}>{}</data> <span>{}</span>",
            escape(&node.name),
            node.bytes,
            thousands(node.bytes),
            percent(node.bytes, all.bytes),
        );
        if node.children.is_empty() {
            return self.put(format_args!("<li id=n{id}{place}>{line}</li>\n"));
        }
        let open = if is_open { " open" } else { "" };
        self.put(format_args!("<li id=n{id}{place}><details{open}><summary>{line}</summary><ul>\n"));
        for (child, tile) in node.children.iter().zip(tiles(node)) {
            self.item(child, all, Some(&tile), false);
        }
        self.put(format_args!("</ul></details></li>\n"));
    }
}

fn style([x, y, w, h]: &layout::Tile) -> String {
    format!("left:{x:.2}%;top:{y:.2}%;width:{w:.2}%;height:{h:.2}%")
}

fn tiles(node: &Node) -> Vec<layout::Tile> {
    layout::tiles(&node.children.iter().map(|child| child.bytes).collect::<Vec<_>>())
}

impl Table {
    fn html(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let heads: String = self.heads.iter().map(|head| format!("<th scope=col>{head}</th>")).collect();
        let row = |row: &Vec<Cell>| format!("<tr>{}</tr>\n", row.iter().map(Cell::html).collect::<String>());
        let rows: String = self.rows.iter().map(row).collect();
        let title = self.title;
        format!(
            "<div class=wide><table>\n<caption>{title}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }
}

/// What grew and shrank: in all, and what exactly.
fn growth(before: &Node, after: &Node) -> Vec<Table> {
    let all = changes(before, after);
    let table = |title: &'static str, wanted: &dyn Fn(&Change) -> bool| {
        let mut changes: Vec<&Change> = all.iter().filter(|change| wanted(change)).collect();
        changes.sort_by_key(|change| Reverse(change.difference().unsigned_abs()));
        changes.truncate(CHANGES);
        let rows = changes.into_iter().map(|change| {
            let path = if change.path.is_empty() { "all of it".into() } else { change.path.join(" › ").into() };
            vec![
                Cell::Name(path),
                Cell::Bytes(change.before),
                Cell::Bytes(change.after),
                Cell::Growth(change.difference()),
            ]
        });
        Table { title, heads: &["what", "before", "after", "difference"], rows: rows.collect() }
    };
    let tables = [
        table("By section", &|change| change.path.len() < 2),
        table("In the sections, what changed most", &|change| change.path.len() == 2),
        table("In detail, what changed most", &|change| change.is_leaf && change.path.len() > 2),
    ];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}
