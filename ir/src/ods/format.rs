//! Assembly formats: how an operation, attribute or type is written, compiled from the declarative form of ODS.

use crate::error::{Error, Result};

/// How something is written: elements, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// The elements.
    pub elements: Vec<Element>,
}

/// One element of a format. Numbers are positions in the lists of the definition that the format belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A keyword or punctuation.
    Literal(String),
    /// A space, where the rules of spacing would not put one.
    Space,
    /// A new line.
    Newline,
    /// No space, where the rules of spacing would put one.
    NoSpace,
    /// An operand, or what it stands for.
    Operand(u32),
    /// A result; only inside [`Element::Type`] and as an argument.
    Result(u32),
    /// An attribute.
    Attribute(u32),
    /// A property that is no attribute.
    Native(u32),
    /// A region.
    Region(u32),
    /// A successor.
    Successor(u32),
    /// A parameter of an attribute or type.
    Parameter(u32),
    /// All operands.
    Operands,
    /// All results; only inside [`Element::Type`] and as an argument.
    Results,
    /// All regions.
    Regions,
    /// All successors.
    Successors,
    /// The attributes that nothing else has shown.
    AttrDict,
    /// The same, after the keyword `attributes` where there are any.
    AttrDictWithKeyword,
    /// The properties that nothing else has shown.
    PropDict,
    /// The types of operands or results.
    Type(Box<Element>),
    /// A function type from the types of the one to those of the other.
    FunctionalType(Box<Element>, Box<Element>),
    /// What follows is shown elsewhere, and only helps to read.
    Ref(Box<Element>),
    /// What follows is written with its dialect's prefix.
    Qualified(Box<Element>),
    /// Code that is not part of the definition writes these.
    Custom {
        /// Its name.
        name: String,
        /// What it writes.
        arguments: Vec<Element>,
    },
    /// An argument of [`Element::Custom`] that is fixed.
    Text(String),
    /// One of two lists of elements.
    Optional {
        /// Written where the anchor is present.
        then: Vec<Element>,
        /// Written otherwise.
        otherwise: Vec<Element>,
        /// The element that decides.
        anchor: Anchor,
    },
    /// Clauses in any order, each at most once; a clause starts with its keyword.
    Clauses(Vec<Vec<Element>>),
    /// All parameters, with commas between.
    Parameters,
    /// These parameters as `name = value`, in any order, with commas between; no elements stand for all.
    Struct(Vec<Element>),
}

/// The element of a group that decides whether the group is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// Whether it stands in the second list: that one is then written where the element is present.
    pub in_otherwise: bool,
    /// Its position in the list.
    pub position: u32,
}

/// What a name in a format stands for.
pub(crate) trait Names {
    fn resolve(&self, name: &str) -> Option<Element>;
}

impl<F: Fn(&str) -> Option<Element>> Names for F {
    fn resolve(&self, name: &str) -> Option<Element> {
        self(name)
    }
}

/// Groups nest twice upstream.
const DEPTH: usize = 16;

impl Format {
    /// The format of that text, whose names `names` knows.
    pub(crate) fn parse(text: &str, names: &dyn Names) -> Result<Format> {
        let mut parser = Parser { rest: text, names };
        let (elements, _) = parser.elements(&[], DEPTH)?;
        Ok(Format { elements })
    }

    /// Calls `visit` with every element, those inside others included.
    pub fn walk<'f>(&'f self, visit: &mut impl FnMut(&'f Element)) {
        walk(&self.elements, visit);
    }
}

impl Element {
    /// Visits the element and those in it.
    pub fn walk<'f>(&'f self, visit: &mut impl FnMut(&'f Element)) {
        walk(std::slice::from_ref(self), visit);
    }
}

fn walk<'f>(elements: &'f [Element], visit: &mut impl FnMut(&'f Element)) {
    for element in elements {
        visit(element);
        match element {
            Element::Type(of) | Element::Ref(of) | Element::Qualified(of) => walk(std::slice::from_ref(of), visit),
            Element::FunctionalType(inputs, results) => {
                walk(std::slice::from_ref(inputs), visit);
                walk(std::slice::from_ref(results), visit);
            }
            Element::Custom { arguments, .. } | Element::Struct(arguments) => walk(arguments, visit),
            Element::Optional { then, otherwise, .. } => {
                walk(then, visit);
                walk(otherwise, visit);
            }
            Element::Clauses(clauses) => clauses.iter().for_each(|clause| walk(clause, visit)),
            _ => {}
        }
    }
}

struct Parser<'t, 'n> {
    rest: &'t str,
    names: &'n dyn Names,
}

impl<'t> Parser<'t, '_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes this punctuation, where it comes next.
    fn eat(&mut self, token: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: char) -> Result<()> {
        if self.eat(token) { Ok(()) } else { Err(self.wrong(&format!("`{token}` is missing"))) }
    }

    fn wrong(&self, what: &str) -> Error {
        let next: String = self.rest.chars().take(24).collect();
        let place = if next.is_empty() { "at its end".to_owned() } else { format!("before `{next}`") };
        Error::malformed(format!("in an assembly format, {what} {place}"))
    }

    /// A name or keyword. Dashes are part of keywords.
    fn word(&mut self) -> Option<&'t str> {
        self.skip_space();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            return None;
        }
        self.rest = rest;
        Some(word)
    }

    /// Elements up to one of these characters, which is left; and which of them an anchor marks.
    fn elements(&mut self, ends: &[char], depth: usize) -> Result<(Vec<Element>, Option<u32>)> {
        let depth = depth.checked_sub(1).ok_or_else(|| self.wrong("groups nest too deep"))?;
        let (mut elements, mut anchor) = (Vec::new(), None);
        loop {
            self.skip_space();
            match self.rest.chars().next() {
                None if ends.is_empty() => break,
                None => return Err(self.wrong("a group has no end")),
                Some(next) if ends.contains(&next) => break,
                Some('^') if !ends.is_empty() && anchor.is_none() && !elements.is_empty() => {
                    self.rest = &self.rest[1..];
                    anchor = Some(elements.len() as u32 - 1);
                }
                Some(_) => elements.push(self.element(depth)?),
            }
        }
        Ok((elements, anchor))
    }

    fn element(&mut self, depth: usize) -> Result<Element> {
        match self.rest.chars().next() {
            Some('`') => self.literal(),
            Some('(') => self.optional(depth),
            Some('$') => self.variable(),
            _ => self.directive(depth),
        }
    }

    fn literal(&mut self) -> Result<Element> {
        let (text, rest) = self.rest[1..].split_once('`').ok_or_else(|| self.wrong("a literal has no end"))?;
        self.rest = rest;
        Ok(match text {
            "" => Element::NoSpace,
            " " => Element::Space,
            "\\n" => Element::Newline,
            _ => Element::Literal(text.to_owned()),
        })
    }

    fn variable(&mut self) -> Result<Element> {
        self.expect('$')?;
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let found = self.names.resolve(name);
        let found = found.ok_or_else(|| self.wrong(&format!("nothing is called `${name}`")))?;
        self.rest = rest;
        Ok(found)
    }

    fn optional(&mut self, depth: usize) -> Result<Element> {
        self.expect('(')?;
        let (then, first) = self.elements(&[')'], depth)?;
        self.expect(')')?;
        let (mut otherwise, mut second) = (Vec::new(), None);
        if self.eat(':') {
            self.expect('(')?;
            (otherwise, second) = self.elements(&[')'], depth)?;
            self.expect(')')?;
        }
        self.expect('?')?;
        let anchor = match (first, second) {
            (Some(position), None) => Anchor { in_otherwise: false, position },
            (None, Some(position)) => Anchor { in_otherwise: true, position },
            _ => return Err(self.wrong("an optional group needs one anchor")),
        };
        Ok(Element::Optional { then, otherwise, anchor })
    }

    fn directive(&mut self, depth: usize) -> Result<Element> {
        let start = self.rest;
        let word = self.word().unwrap_or_default();
        Ok(match word {
            "attr-dict" => Element::AttrDict,
            "attr-dict-with-keyword" => Element::AttrDictWithKeyword,
            "prop-dict" => Element::PropDict,
            "operands" => Element::Operands,
            "results" => Element::Results,
            "regions" => Element::Regions,
            "successors" => Element::Successors,
            "params" => Element::Parameters,
            "type" => Element::Type(Box::new(self.single(depth)?)),
            "ref" => Element::Ref(Box::new(self.single(depth)?)),
            "qualified" => Element::Qualified(Box::new(self.single(depth)?)),
            "functional-type" => {
                self.expect('(')?;
                let inputs = self.argument(depth)?;
                self.expect(',')?;
                let results = self.argument(depth)?;
                self.expect(')')?;
                Element::FunctionalType(Box::new(inputs), Box::new(results))
            }
            "custom" => {
                self.expect('<')?;
                let name = self.word().unwrap_or_default().to_owned();
                self.expect('>')?;
                Element::Custom { name, arguments: self.arguments(depth)? }
            }
            "struct" => {
                let arguments = self.arguments(depth)?;
                Element::Struct(if arguments == [Element::Parameters] { Vec::new() } else { arguments })
            }
            "oilist" => {
                self.expect('(')?;
                let mut clauses = Vec::new();
                loop {
                    clauses.push(self.elements(&['|', ')'], depth)?.0);
                    if !self.eat('|') {
                        break;
                    }
                }
                self.expect(')')?;
                Element::Clauses(clauses)
            }
            _ => {
                self.rest = start;
                return Err(self.wrong("something is no element"));
            }
        })
    }

    /// `(element)`
    fn single(&mut self, depth: usize) -> Result<Element> {
        self.expect('(')?;
        let element = self.argument(depth)?;
        self.expect(')')?;
        Ok(element)
    }

    fn argument(&mut self, depth: usize) -> Result<Element> {
        let depth = depth.checked_sub(1).ok_or_else(|| self.wrong("directives nest too deep"))?;
        self.skip_space();
        let Some(rest) = self.rest.strip_prefix('"') else { return self.element(depth) };
        let (text, rest) = string(rest).ok_or_else(|| self.wrong("a string has no end"))?;
        self.rest = rest;
        // Of a name in C++ only what tells it from others; a string in C++ is itself.
        let name = if text.starts_with('"') { None } else { text.rsplit("::").next().map(str::to_owned) };
        Ok(Element::Text(name.unwrap_or(text)))
    }

    fn arguments(&mut self, depth: usize) -> Result<Vec<Element>> {
        self.expect('(')?;
        let mut arguments = Vec::new();
        while !self.eat(')') {
            if !arguments.is_empty() {
                self.expect(',')?;
            }
            arguments.push(self.argument(depth)?);
        }
        Ok(arguments)
    }
}

/// What stands before the next quote, and what follows it. A backslash takes the next character as it is.
fn string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            _ => value.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Format> {
        Format::parse(text, &|name: &str| match name {
            "lhs" => Some(Element::Operand(0)),
            "result" => Some(Element::Result(0)),
            "flags" => Some(Element::Attribute(0)),
            _ => None,
        })
    }

    #[test]
    fn formats_become_elements() {
        let format = parse("$lhs `,` (`overflow` `` $flags^)? attr-dict `:` type($result)").expect("a format");
        let literal = |text: &str| Element::Literal(text.to_owned());
        assert_eq!(
            format.elements,
            [
                Element::Operand(0),
                literal(","),
                Element::Optional {
                    then: vec![literal("overflow"), Element::NoSpace, Element::Attribute(0)],
                    otherwise: vec![],
                    anchor: Anchor { in_otherwise: false, position: 2 },
                },
                Element::AttrDict,
                literal(":"),
                Element::Type(Box::new(Element::Result(0))),
            ]
        );
        let format =
            parse("oilist(`a` `(` $lhs `)`|`b` $flags) custom<X>(ref($lhs), \"::a::B\")` `").expect("a format");
        assert_eq!(
            format.elements,
            [
                Element::Clauses(vec![
                    vec![literal("a"), literal("("), Element::Operand(0), literal(")")],
                    vec![literal("b"), Element::Attribute(0)],
                ]),
                Element::Custom {
                    name: "X".to_owned(),
                    arguments: vec![Element::Ref(Box::new(Element::Operand(0))), Element::Text("B".to_owned())],
                },
                Element::Space,
            ]
        );
    }

    #[test]
    fn a_backslash_takes_a_quote_into_a_string() {
        let text = |text: &str| Element::Text(text.to_owned());
        let custom = |arguments| Element::Custom { name: "X".to_owned(), arguments };
        let format = parse(r#"custom<X>("\"\"", "\"a::b\"", "::a::B", "\\")"#).expect("a format");
        assert_eq!(format.elements, [custom(vec![text("\"\""), text("\"a::b\""), text("B"), text("\\")])]);
        for text in [r#"custom<X>("\")"#, r#"custom<X>("\"#, r#"custom<X>("a"#] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn wrong_formats_are_errors() {
        let deep = "(".repeat(10_000);
        for text in
            ["`", "($lhs", "($lhs)?", "$other", "type($lhs", "nothing", "custom<X>", "$lhs^", "é", deep.as_str()]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
