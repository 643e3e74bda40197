//! The expressions of C++ in which TableGen records say what predicates and defaults are.

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// A name without its leading `::` and `mlir::`, and its template arguments.
    Name(String, Vec<String>),
    /// `$_self`, or the name of an argument of the operation.
    Variable(String),
    Number(i64),
    Text(String),
    Call(Box<Expression>, Vec<Expression>),
    /// A member, and its template arguments.
    Member(Box<Expression>, String, Vec<String>),
    Index(Box<Expression>, Box<Expression>),
    Unary(char, Box<Expression>),
    Binary(Box<Expression>, &'static str, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Braces(Vec<Expression>),
    /// `[](T parameter) { return body; }`
    Lambda(String, Box<Expression>),
}

/// Expressions upstream nest less than 20 deep.
const DEPTH: u32 = 64;

/// Operators from the weakest to the strongest.
const OPERATORS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The expression that this text is, where it is one that is understood.
pub(super) fn parse(text: &str) -> Option<Expression> {
    let mut parser = Parser { rest: text, depth: DEPTH };
    let expression = parser.expression()?;
    parser.eat(";");
    parser.skip();
    parser.rest.is_empty().then_some(expression)
}

/// A name of C++ without what all of MLIR's names start with.
pub(super) fn plain(name: &str) -> &str {
    let name = name.trim().trim_start_matches("::");
    name.strip_prefix("mlir::").unwrap_or(name)
}

struct Parser<'t> {
    rest: &'t str,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.split_once("*/").map_or("", |parts| parts.1);
            } else if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.split_once('\n').map_or("", |parts| parts.1);
            } else {
                return;
            }
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.eat(token).then_some(())
    }

    fn expression(&mut self) -> Option<Expression> {
        self.depth = self.depth.checked_sub(1)?;
        let condition = self.binary(0)?;
        let found = if self.eat("?") {
            let then = self.expression()?;
            self.expect(":")?;
            Expression::Choice(Box::new(condition), Box::new(then), Box::new(self.expression()?))
        } else {
            condition
        };
        self.depth += 1;
        Some(found)
    }

    fn binary(&mut self, level: usize) -> Option<Expression> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = Expression::Binary(Box::new(left), operator, Box::new(right));
        }
        Some(left)
    }

    /// One of these operators, where it is not the start of a longer one.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.skip();
        let longest = OPERATORS.iter().copied().flatten().filter(|known| self.rest.starts_with(**known));
        let longest = *longest.max_by_key(|known| known.len())?;
        let found = operators.iter().copied().find(|operator| *operator == longest)?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn unary(&mut self) -> Option<Expression> {
        self.skip();
        let operator = self.rest.chars().next()?;
        if matches!(operator, '!' | '~' | '-' | '*' | '&') {
            self.rest = &self.rest[1..];
            self.depth = self.depth.checked_sub(1)?;
            let of = self.unary()?;
            self.depth += 1;
            return Some(Expression::Unary(operator, Box::new(of)));
        }
        let mut found = self.primary()?;
        loop {
            found = if self.eat("(") {
                Expression::Call(Box::new(found), self.list(")")?)
            } else if self.eat(".") || self.eat("->") {
                let name = self.word()?.to_owned();
                let arguments = self.template().unwrap_or_default();
                Expression::Member(Box::new(found), name, arguments)
            } else if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                Expression::Index(Box::new(found), Box::new(index))
            } else if matches!(found, Expression::Name(..)) && self.eat("{") {
                Expression::Call(Box::new(found), self.list("}")?)
            } else {
                return Some(found);
            };
        }
    }

    fn list(&mut self, end: &str) -> Option<Vec<Expression>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.expression()?);
        }
        Some(items)
    }

    fn primary(&mut self) -> Option<Expression> {
        self.skip();
        match self.rest.chars().next()? {
            '(' => {
                self.expect("(")?;
                let inside = self.expression()?;
                self.expect(")")?;
                Some(inside)
            }
            '{' => {
                self.expect("{")?;
                self.list("}").map(Expression::Braces)
            }
            '[' => self.lambda(),
            '"' => {
                let (text, rest) = self.rest[1..].split_once('"')?;
                self.rest = rest;
                Some(Expression::Text(text.to_owned()))
            }
            '$' => {
                self.rest = &self.rest[1..];
                self.word().map(|name| Expression::Variable(name.to_owned()))
            }
            digit if digit.is_ascii_digit() => self.number(),
            _ => self.name(),
        }
    }

    fn number(&mut self) -> Option<Expression> {
        let word = self.word()?;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()? as i64,
            None => digits.parse::<u64>().ok()? as i64,
        };
        Some(Expression::Number(value))
    }

    fn word(&mut self) -> Option<&'t str> {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn name(&mut self) -> Option<Expression> {
        let mut name = String::new();
        self.eat("::");
        loop {
            name.push_str(self.word()?);
            if !self.rest.starts_with("::") {
                break;
            }
            self.rest = &self.rest[2..];
            name.push_str("::");
        }
        let name = plain(&name).to_owned();
        let arguments = self.template().unwrap_or_default();
        Some(Expression::Name(name, arguments))
    }

    /// Template arguments, where what follows are such and not a comparison.
    fn template(&mut self) -> Option<Vec<String>> {
        let inside = self.rest.strip_prefix('<')?;
        let mut depth = 1;
        let end = inside.find(|c: char| {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            depth == 0 || "()[];|!=\"$".contains(c)
        })?;
        let rest = inside[end..].strip_prefix('>')?;
        if !rest.trim_start().starts_with(['(', '{']) {
            return None;
        }
        self.rest = rest;
        Some(inside[..end].split(',').map(|name| plain(name).to_owned()).filter(|name| !name.is_empty()).collect())
    }

    fn lambda(&mut self) -> Option<Expression> {
        self.expect("[")?;
        self.rest = self.rest.split_once(']')?.1;
        let mut parameter = "";
        if self.eat("(") {
            let (parameters, rest) = self.rest.split_once(')')?;
            self.rest = rest;
            parameter = parameters.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        }
        if self.eat("->") {
            self.rest = &self.rest[self.rest.find('{')?..];
        }
        self.expect("{")?;
        self.expect("return")?;
        let body = self.expression()?;
        self.eat(";");
        self.expect("}")?;
        Some(Expression::Lambda(parameter.to_owned(), Box::new(body)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let name = |name: &str| Box::new(Expression::Name(name.to_owned(), vec![]));
        let this = || Expression::Variable("_self".to_owned());
        let cast = |class: &str| {
            let function = Expression::Name("llvm::cast".to_owned(), vec![class.to_owned()]);
            Expression::Call(Box::new(function), vec![this()])
        };
        let rank = Expression::Member(Box::new(cast("VectorType")), "getRank".to_owned(), vec![]);
        assert_eq!(
            parse("(::llvm::cast<::mlir::VectorType>($_self).getRank() > 0)"),
            Some(Expression::Binary(
                Box::new(Expression::Call(Box::new(rank), vec![])),
                ">",
                Box::new(Expression::Number(0))
            ))
        );
        assert_eq!(
            parse("a | ~1u && !b /* c */"),
            Some(Expression::Binary(
                Box::new(Expression::Binary(
                    name("a"),
                    "|",
                    Box::new(Expression::Unary('~', Box::new(Expression::Number(1))))
                )),
                "&&",
                Box::new(Expression::Unary('!', name("b")))
            ))
        );
        assert_eq!(
            parse("[](::mlir::Type elementType) { return $_child; }(x)"),
            Some(Expression::Call(
                Box::new(Expression::Lambda(
                    "elementType".to_owned(),
                    Box::new(Expression::Variable("_child".to_owned()))
                )),
                vec![*name("x")]
            ))
        );
        assert!(parse("std::equal_to<>()($a.getType(), ::llvm::ArrayRef<int64_t>({8}))").is_some());
    }

    #[test]
    fn nothing_makes_the_reader_fail_otherwise() {
        let deep = "(".repeat(100_000);
        let signs = "!".repeat(100_000);
        for text in ["", "(", "a <", "é", "\"", "[", "[](", "$", "0x", "/*", "a.", "[]{ return", &deep, &signs] {
            assert_eq!(parse(text), None);
        }
    }
}
