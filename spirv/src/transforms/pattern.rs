//! Regular expressions as MLIR takes them in options: those of POSIX, extended, on bytes.

/// An expression, which is looked for anywhere in a text.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Step>);

/// A step of what looks for it: all states that a text can be in are followed at once, so that no text takes long.
#[derive(Clone, Debug)]
enum Step {
    /// A byte that is in the set.
    Byte(Box<[bool; 256]>),
    Start,
    End,
    /// Goes on at two places, so many steps from here.
    Either(isize, isize),
}

/// So many steps an expression may be: repetitions are written out.
const MOST: usize = 1 << 16;

impl Pattern {
    /// What a text stands for; an error says what is wrong with it.
    pub(super) fn new(text: &[u8]) -> Result<Self, &'static str> {
        let mut parser = Parser { text, depth: 0 };
        let steps = parser.alternatives()?;
        match parser.text {
            [] => Ok(Pattern(steps)),
            _ => Err("a parenthesis is closed that is not open"),
        }
    }

    /// Whether some part of a text is so.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let mut states = vec![false; self.0.len() + 1];
        for at in 0..=text.len() {
            // A match may begin anywhere.
            let mut open: Vec<usize> = (0..states.len()).filter(|&state| states[state]).chain([0]).collect();
            states.fill(false);
            while let Some(state) = open.pop() {
                if std::mem::replace(&mut states[state], true) {
                    continue;
                }
                match self.0.get(state) {
                    None => return true,
                    Some(Step::Start) if at == 0 => open.push(state + 1),
                    Some(Step::End) if at == text.len() => open.push(state + 1),
                    Some(Step::Either(one, other)) => {
                        open.extend([one, other].into_iter().filter_map(|by| state.checked_add_signed(*by)));
                    }
                    Some(_) => {}
                }
            }
            let next = |state: usize| match (self.0.get(state), text.get(at)) {
                (Some(Step::Byte(set)), Some(&byte)) => set[usize::from(byte)],
                _ => false,
            };
            let after: Vec<usize> = (0..states.len()).filter(|&state| states[state] && next(state)).collect();
            states.fill(false);
            after.into_iter().for_each(|state| states[state + 1] = true);
        }
        false
    }
}

struct Parser<'t> {
    /// What is left.
    text: &'t [u8],
    /// How many parentheses are open.
    depth: usize,
}

type Steps = Result<Vec<Step>, &'static str>;

impl Parser<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.text.first() == Some(&byte);
        self.text = &self.text[usize::from(is_next)..];
        is_next
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.text.split_first()?;
        self.text = rest;
        Some(first)
    }

    /// Expressions with bars between.
    fn alternatives(&mut self) -> Steps {
        let mut steps = self.sequence()?;
        while self.eat(b'|') {
            steps = either(steps, self.sequence()?);
        }
        Ok(steps)
    }

    fn sequence(&mut self) -> Steps {
        let mut steps = Vec::new();
        let before = self.text.len();
        while !matches!(self.text, [] | [b'|' | b')', ..]) {
            let one = self.repeated()?;
            steps.extend(one);
            if steps.len() > MOST {
                return Err("is too long");
            }
        }
        if self.text.len() == before { Err("an alternative is empty") } else { Ok(steps) }
    }

    fn repeated(&mut self) -> Steps {
        let is_anchor = self.text.first() == Some(&b'^');
        let one = self.single()?;
        let (least, most) = match self.text {
            [b'*', ..] => (0, None),
            [b'+', ..] => (1, None),
            [b'?', ..] => (0, Some(1)),
            [b'{', b'0'..=b'9', ..] => self.bounds()?,
            _ => return Ok(one),
        };
        self.text = &self.text[1..];
        let again = matches!(self.text, [b'*' | b'+' | b'?', ..] | [b'{', b'0'..=b'9', ..]);
        if is_anchor || again || most.is_some_and(|most| most < least) {
            return Err("nothing is repeated");
        }
        if one.len().saturating_mul(most.unwrap_or(least) + 1) > MOST {
            return Err("is too long");
        }
        let mut steps: Vec<Step> = std::iter::repeat_n(&one, least).flatten().cloned().collect();
        let length = one.len() as isize;
        match most {
            None => {
                steps.push(Step::Either(1, length + 2));
                steps.extend(one);
                steps.push(Step::Either(-length - 1, -length - 1));
            }
            Some(most) => {
                for _ in least..most {
                    steps.push(Step::Either(1, length + 1));
                    steps.extend_from_slice(&one);
                }
            }
        }
        Ok(steps)
    }

    /// `{2,3}`, up to the closing brace.
    fn bounds(&mut self) -> Result<(usize, Option<usize>), &'static str> {
        let end = self.text.iter().position(|&byte| byte == b'}').ok_or("a brace stays open")?;
        let inside = std::str::from_utf8(&self.text[1..end]).map_err(|_| "no number")?;
        self.text = &self.text[end..];
        let number = |text: &str| match text.parse() {
            Ok(number) if number <= 255 => Ok(number),
            _ => Err("no number up to 255"),
        };
        Ok(match inside.split_once(',') {
            None => (number(inside)?, Some(number(inside)?)),
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        })
    }

    fn single(&mut self) -> Steps {
        let of =
            |member: &dyn Fn(u8) -> bool| vec![Step::Byte(Box::new(std::array::from_fn(|byte| member(byte as u8))))];
        Ok(match self.next() {
            Some(b'(') => {
                self.depth += 1;
                if self.depth > 100 {
                    return Err("parentheses are nested too deep");
                }
                let steps = if self.text.first() == Some(&b')') { Vec::new() } else { self.alternatives()? };
                self.depth -= 1;
                if !self.eat(b')') {
                    return Err("a parenthesis stays open");
                }
                steps
            }
            Some(b'^') => vec![Step::Start],
            Some(b'$') => vec![Step::End],
            Some(b'.') => of(&|_| true),
            Some(b'[') => {
                let set = self.set()?;
                of(&|byte| set[usize::from(byte)])
            }
            Some(b'*' | b'+' | b'?') => return Err("nothing is repeated"),
            Some(b'{') if self.text.first().is_some_and(u8::is_ascii_digit) => return Err("nothing is repeated"),
            Some(b'\\') => match self.next() {
                None => return Err("nothing stands behind a backslash"),
                Some(b'1'..=b'9') => return Err("what was matched before cannot be named"),
                Some(byte) => of(&|other| other == byte),
            },
            Some(byte) => of(&|other| other == byte),
            None => return Err("nothing is there"),
        })
    }

    /// What stands in brackets, behind the first.
    fn set(&mut self) -> Result<[bool; 256], &'static str> {
        let open = "a bracket stays open";
        let (mut set, is_not) = ([false; 256], self.eat(b'^'));
        let mut is_first = true;
        while is_first || self.text.first() != Some(&b']') {
            is_first = false;
            if let [b'[', b':', ..] = self.text {
                let end = self.text.windows(2).position(|two| two == b":]").ok_or(open)?;
                let class = class_of(&self.text[2..end.max(2)]).ok_or("is no class of characters")?;
                (0..=255).filter(|&byte: &u8| class(&byte)).for_each(|byte| set[usize::from(byte)] = true);
                self.text = &self.text[end + 2..];
                continue;
            }
            let first = self.next().ok_or(open)?;
            let last = match self.text {
                [b'-', last, ..] if *last != b']' => {
                    let last = *last;
                    self.text = &self.text[2..];
                    last
                }
                _ => first,
            };
            if last < first {
                return Err("a range ends before it begins");
            }
            (first..=last).for_each(|byte| set[usize::from(byte)] = true);
        }
        self.next();
        Ok(set.map(|is_in| is_in != is_not))
    }
}

fn either(one: Vec<Step>, other: Vec<Step>) -> Vec<Step> {
    let (first, second) = (one.len() as isize, other.len() as isize);
    let mut steps = vec![Step::Either(1, first + 2)];
    steps.extend(one);
    steps.push(Step::Either(second + 1, second + 1));
    steps.extend(other);
    steps
}

fn class_of(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alpha" => u8::is_ascii_alphabetic,
        b"digit" => u8::is_ascii_digit,
        b"alnum" => u8::is_ascii_alphanumeric,
        b"upper" => u8::is_ascii_uppercase,
        b"lower" => u8::is_ascii_lowercase,
        b"space" => |byte| byte.is_ascii_whitespace() || *byte == 0x0b,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"punct" => u8::is_ascii_punctuation,
        b"xdigit" => u8::is_ascii_hexdigit,
        b"cntrl" => u8::is_ascii_control,
        b"graph" => u8::is_ascii_graphic,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn expressions_are_found_anywhere() {
        for (expression, matching, others) in [
            ("a", &["a", "bab"][..], &["", "b"][..]),
            ("^mod.*b$", &["modb", "mod_ab"], &["amodb", "modbc"]),
            ("(a|[b-d]_)x?$", &["a", "ax", "c_", "zc_x"], &["b", "c_y"]),
            ("^(ab){2,3}$", &["abab", "ababab"], &["ab", "abababab"]),
            ("^a{2}$", &["aa"], &["a", "aaa"]),
            ("^a{2,}b+$", &["aab", "aaaabb"], &["ab", "aa"]),
            ("^[^[:digit:]_]$", &["a"], &["1", "_", "ab"]),
            ("^[]a-]$", &["]", "a", "-"], &["b"]),
            ("\\.", &["a.b"], &["ab"]),
            ("^(a*)*$", &["", "aaa"], &["b"]),
            ("^()$", &[""], &["a"]),
            ("a{", &["a{"], &["a"]),
        ] {
            let pattern = Pattern::new(expression.as_bytes()).expect(expression);
            for text in matching {
                assert!(pattern.matches(text.as_bytes()), "{expression} {text}");
            }
            for text in others {
                assert!(!pattern.matches(text.as_bytes()), "{expression} {text}");
            }
        }
        let deep = "(".repeat(1000);
        for wrong in [
            "*x",
            "a|",
            "(",
            ")",
            "a**",
            "^*",
            "[a",
            "\\",
            "a{3,2}",
            "a{256}",
            "((a{255}){255}){255}",
            &deep,
            "[b-a]",
            "(a)\\1",
        ] {
            assert!(Pattern::new(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
