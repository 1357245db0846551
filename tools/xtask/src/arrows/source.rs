//! Just enough of Rust's grammar to see which paths a file names.
//!
//! A real parser would know more and would have to be compiled before the
//! first `cargo xtask`; names and braces are all that the rules need.

/// A path as written, use-trees spread out: `use a::{b, c::D}` is `a::b` and
/// `a::c::D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Line, from 1.
    pub(super) line: usize,
    /// Its segments.
    pub(super) path: Vec<String>,
    /// Whether it stands in a `use`.
    pub(super) imported: bool,
    /// Whether it is a macro's name.
    pub(super) called_as_macro: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Colons,
    Sign(char),
}

/// Every path in a file, in order.
pub(super) fn paths(text: &str) -> Vec<Named> {
    let tokens = tokens(&blank(text));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after_use = at > 0 && word(&tokens, at - 1) == Some("use");
        let from = at;
        let start = if sign(&tokens, at) == Some(&Token::Colons) { at + 1 } else { at };
        if word(&tokens, start).is_some() || (after_use && is(&tokens, start, '{')) {
            at = tree(&tokens, start, &mut Vec::new(), after_use, &mut found);
        }
        at = at.max(from + 1);
    }
    found
}

/// Reads one path or use-tree that begins at `at`; returns where it ends.
fn tree(
    tokens: &[(usize, Token)],
    mut at: usize,
    prefix: &mut Vec<String>,
    imported: bool,
    found: &mut Vec<Named>,
) -> usize {
    let depth = prefix.len();
    let line = tokens.get(at).map_or(0, |(line, _)| *line);
    while let Some(name) = word(tokens, at) {
        prefix.push(name.to_owned());
        at += 1;
        if sign(tokens, at) != Some(&Token::Colons) {
            break;
        }
        at += 1;
    }
    if is(tokens, at, '{') && (imported || sign_before(tokens, at) == Some(&Token::Colons)) {
        at += 1;
        while at < tokens.len() && !is(tokens, at, '}') {
            let before = at;
            at = tree(tokens, at, prefix, imported, found);
            // Past `as Alias`, `*` and the comma.
            while at < tokens.len() && !is(tokens, at, ',') && !is(tokens, at, '}') {
                at += 1;
            }
            if is(tokens, at, ',') {
                at += 1;
            }
            at = at.max(before + 1);
        }
        at += 1;
    } else if prefix.len() > depth || is(tokens, at, '*') {
        let called_as_macro = is(tokens, at, '!') && !is(tokens, at + 1, '=');
        found.push(Named { line, path: prefix.clone(), imported, called_as_macro });
    }
    prefix.truncate(depth);
    at
}

fn word(tokens: &[(usize, Token)], at: usize) -> Option<&str> {
    match tokens.get(at) {
        Some((_, Token::Word(word))) => Some(word),
        _ => None,
    }
}

fn sign(tokens: &[(usize, Token)], at: usize) -> Option<&Token> {
    tokens.get(at).map(|(_, token)| token)
}

fn sign_before(tokens: &[(usize, Token)], at: usize) -> Option<&Token> {
    at.checked_sub(1).and_then(|before| sign(tokens, before))
}

fn is(tokens: &[(usize, Token)], at: usize, wanted: char) -> bool {
    sign(tokens, at) == Some(&Token::Sign(wanted))
}

fn tokens(code: &str) -> Vec<(usize, Token)> {
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let end = if first.is_alphabetic() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (text, after) = rest.split_at(end);
            found.push((
                number + 1,
                match text {
                    "::" => Token::Colons,
                    word if word.len() > 1 || first.is_alphabetic() || first == '_' => {
                        Token::Word(word.to_owned())
                    }
                    _ => Token::Sign(first),
                },
            ));
            rest = after.trim_start();
        }
    }
    found
}

/// The text with comments, strings and characters made blank; lines stay.
fn blank(text: &str) -> String {
    let chars = text.chars().collect::<Vec<_>>();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let end = match (c, chars.get(at + 1)) {
            ('/', Some('/')) => line_end(&chars, at),
            ('/', Some('*')) => comment_end(&chars, at),
            ('"', _) => string_end(&chars, at),
            ('r', Some('"' | '#')) if !continues_word(&chars, at) => raw_end(&chars, at),
            ('\'', _) => char_end(&chars, at),
            _ => at,
        };
        if end == at {
            out.push(c);
            at += 1;
        } else {
            let hidden = chars.get(at..end).unwrap_or_default();
            out.extend(hidden.iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

fn continues_word(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| chars.get(before));
    // b"…", br"…" and c"…" are strings, too.
    before.is_some_and(|c| (c.is_alphanumeric() || *c == '_') && !matches!(c, 'b' | 'c'))
}

fn line_end(chars: &[char], at: usize) -> usize {
    find(chars, at, |rest| rest.first() == Some(&'\n'))
}

fn comment_end(chars: &[char], mut at: usize) -> usize {
    let mut depth = 0_u32;
    while at < chars.len() {
        match (chars.get(at), chars.get(at + 1)) {
            (Some('/'), Some('*')) => (depth, at) = (depth + 1, at + 2),
            (Some('*'), Some('/')) => (depth, at) = (depth.saturating_sub(1), at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_end(chars: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(c) = chars.get(end) {
        match c {
            '\\' => end += 2,
            '"' => return end + 1,
            _ => end += 1,
        }
    }
    chars.len()
}

/// `r"…"`, `r#"…"#`; `r#type` is a word and stays.
fn raw_end(chars: &[char], at: usize) -> usize {
    let hashes = chars.iter().skip(at + 1).take_while(|c| **c == '#').count();
    if chars.get(at + 1 + hashes) != Some(&'"') {
        return at;
    }
    let mut close = vec!['"'];
    close.resize(1 + hashes, '#');
    let end = find(chars, at + 2 + hashes, |rest| rest.starts_with(&close));
    (end + close.len()).min(chars.len())
}

/// `'x'` and `'\n'` are characters; `'a` alone is a lifetime.
fn char_end(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => {
            (find(chars, at + 3, |rest| rest.first() == Some(&'\'')) + 1).min(chars.len())
        }
        (Some(_), Some('\'')) => at + 3,
        _ => at,
    }
}

fn find(chars: &[char], from: usize, here: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len()).find(|at| chars.get(*at..).is_some_and(&here)).unwrap_or(chars.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<String> {
        paths(text).into_iter().map(|named| named.path.join("::")).collect()
    }

    #[test]
    fn use_trees_are_spread_out() {
        let text = "use crate::{store::{self, holds}, domain::Money as M};\nuse std::fmt;";
        let expected = [
            "use",
            "crate::store::self",
            "crate::store::holds",
            "crate::domain::Money",
            "use",
            "std::fmt",
        ];
        assert_eq!(spelled(text), expected);
    }

    #[test]
    fn globs_name_their_folder() {
        assert!(spelled("use super::rpc::*;").contains(&"super::rpc".to_owned()));
    }

    #[test]
    fn paths_in_expressions_count_and_lines_are_right() {
        let found = paths("fn f() {\n    let x = crate::rpc::wire(1)?;\n}");
        assert!(
            found.iter().any(|n| n.line == 2 && n.path == ["crate", "rpc", "wire"] && !n.imported)
        );
    }

    #[test]
    fn words_in_comments_and_strings_do_not_count() {
        let text = [
            "// tonic::Status",
            "/* a /* nested */ tonic::Code */",
            r#"let a = "tonic::Status \" tonic::Code"; let c = '"'; let d = b"tonic::X";"#,
            "let b = r#\"tonic::\"x\"\"#;",
            "fn f<'a>(x: &'a str) -> real::Path {}",
        ];
        let found = spelled(&text.join("\n"));
        assert!(found.iter().all(|path| !path.contains("tonic")), "{found:?}");
        assert!(found.contains(&"real::Path".to_owned()));
    }

    #[test]
    fn macros_are_told_from_comparisons() {
        let found = paths("query!(\"x\"); if query != 3 {}");
        let calls = found.iter().filter(|n| n.path == ["query"]).map(|n| n.called_as_macro);
        assert_eq!(calls.collect::<Vec<_>>(), [true, false]);
    }
}
