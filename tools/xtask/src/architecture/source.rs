//! The paths, modules and items that a Rust file names, read with `syn`.

use anyhow::{Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, UseTree, Visibility};

/// A line, from 1, and what is wrong there.
pub(super) type Fault = (usize, String);

/// What the rules need to know of one file.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) paths: Vec<NamedPath>,
    /// Modules declared with `mod name;`.
    pub(super) modules: Vec<String>,
    /// Those of them under `#[cfg(test)]`.
    pub(super) test_modules: Vec<String>,
    /// The file's own items, by name.
    pub(super) items: Vec<String>,
}

/// A path as written; `use a::{b, c::D}` gives `a::b` and `a::c::D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedPath {
    /// From 1.
    pub(super) line: usize,
    /// Relative to the file's module: `super` of an inline module is `self`.
    pub(super) segments: Vec<String>,
    pub(super) kind: Kind,
    /// Whether it is compiled for tests only.
    pub(super) test: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In an expression, a type or a macro's arguments.
    Mention,
    /// The macro of an invocation.
    Macro,
    /// In a `use`, with the name it binds; `None` for a glob and for `as _`.
    Import { binding: Option<String>, glob: bool, reexport: bool },
}

impl NamedPath {
    pub(super) fn is_import(&self) -> bool {
        matches!(self.kind, Kind::Import { .. })
    }

    pub(super) fn is_glob(&self) -> bool {
        matches!(self.kind, Kind::Import { glob: true, .. })
    }

    /// Its first segment; a path always has one.
    pub(super) fn first(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }
}

impl Source {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let file = syn::parse_file(text)
            .map_err(|fault| anyhow!("line {}: {fault}", fault.span().start().line))?;
        let mut reader = Reader::default();
        for item in &file.items {
            reader.found.items.extend(item_name(item));
        }
        reader.visit_file(&file);
        Ok(reader.found)
    }
}

#[derive(Default)]
struct Reader {
    found: Source,
    /// How many inline modules the current item is in.
    inline: usize,
    test: bool,
}

impl Reader {
    fn add(&mut self, line: usize, segments: &[String], kind: Kind) {
        let supers = segments.iter().take_while(|segment| *segment == "super").count();
        let local = supers.min(self.inline);
        let mut path = segments[local..].to_vec();
        if local > 0 && path.first().is_none_or(|first| first != "super") {
            path.insert(0, "self".to_owned());
        }
        if !path.is_empty() {
            self.found.paths.push(NamedPath { line, segments: path, kind, test: self.test });
        }
    }

    fn import(&mut self, prefix: &mut Vec<String>, tree: &UseTree, reexport: bool) {
        let depth = prefix.len();
        let (last, name, glob) = match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(prefix, &path.tree, reexport);
                prefix.truncate(depth);
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(prefix, tree, reexport);
                }
                return;
            }
            UseTree::Glob(_) => (None, None, true),
            UseTree::Name(name) => (Some(&name.ident), Some(&name.ident), false),
            UseTree::Rename(rename) => (Some(&rename.ident), Some(&rename.rename), false),
        };
        let line = span_of(tree).start().line;
        // `a::{self}` names `a`.
        let last = last.map(Ident::to_string).filter(|last| depth == 0 || last != "self");
        let binding = match name.map(Ident::to_string) {
            Some(name) if name == "self" => prefix.last().cloned(),
            Some(name) if name == "_" => None,
            name => name,
        };
        prefix.extend(last);
        self.add(line, prefix, Kind::Import { binding, glob, reexport });
        prefix.truncate(depth);
    }

    /// `syn` does not parse the arguments of a macro: every `a::b` in them counts.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees = tokens.into_iter().collect::<Vec<_>>();
        let is = |at: usize, sign: char| matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            at += 1;
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) => {
                    let mut segments = vec![ident.to_string()];
                    while is(at, ':')
                        && is(at + 1, ':')
                        && let Some(TokenTree::Ident(next)) = trees.get(at + 2)
                    {
                        segments.push(next.to_string());
                        at += 3;
                    }
                    let invoked = is(at, '!') && !is(at + 1, '=');
                    let kind = if invoked { Kind::Macro } else { Kind::Mention };
                    self.add(ident.span().start().line, &segments, kind);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn within(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let before = self.test;
        self.test |= attributes.iter().any(is_cfg_test);
        visit(self);
        self.test = before;
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        self.within(attributes(item), |reader| visit::visit_item(reader, item));
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_none() {
            self.found.modules.push(item.ident.to_string());
            self.found.test_modules.extend(self.test.then(|| item.ident.to_string()));
        }
        self.inline += 1;
        visit::visit_item_mod(self, item);
        self.inline -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let reexport = !matches!(item.vis, Visibility::Inherited);
        self.import(&mut Vec::new(), &item.tree, reexport);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        let line = path.segments.first().map_or(0, |first| first.ident.span().start().line);
        self.add(line, &segments.collect::<Vec<_>>(), Kind::Mention);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        let segments = invoked.path.segments.iter().map(|segment| segment.ident.to_string());
        let line = invoked.path.segments.first().map_or(0, |first| first.ident.span().start().line);
        self.add(line, &segments.collect::<Vec<_>>(), Kind::Macro);
        self.tokens(invoked.tokens.clone());
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        visit::visit_meta_list(self, list);
        self.tokens(list.tokens.clone());
    }

    /// `pub(crate)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

fn span_of(tree: &UseTree) -> proc_macro2::Span {
    match tree {
        UseTree::Path(path) => path.ident.span(),
        UseTree::Name(name) => name.ident.span(),
        UseTree::Rename(rename) => rename.ident.span(),
        UseTree::Glob(glob) => glob.star_token.spans[0],
        UseTree::Group(group) => group.brace_token.span.open(),
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn item_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) if item.content.is_some() => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<String> {
        let source = Source::parse(text).unwrap();
        source.paths.into_iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn expands_use_trees() {
        let text = "use crate::{store::{self, holds}, domain::Money as M};\nuse std::fmt;";
        let expected = ["crate::store", "crate::store::holds", "crate::domain::Money", "std::fmt"];
        assert_eq!(spelled(text), expected);
    }

    #[test]
    fn a_glob_names_its_module() {
        assert_eq!(spelled("use super::rpc::*;"), ["super::rpc"]);
    }

    #[test]
    fn finds_paths_in_expressions_with_their_line() {
        let source = Source::parse("fn f() {\n    let x = crate::rpc::wire(1)?;\n}").unwrap();
        let expected = ["crate", "rpc", "wire"];
        assert!(source.paths.iter().any(|path| path.line == 2 && path.segments == expected));
    }

    #[test]
    fn finds_paths_in_the_arguments_of_macros_and_derives() {
        let text = "#[derive(serde::Serialize)] struct A;\nfn f() { vec![tokio::spawn(b())]; }";
        let found = spelled(text);
        for path in ["serde::Serialize", "tokio::spawn"] {
            assert!(found.contains(&path.to_owned()), "{found:?}");
        }
    }

    #[test]
    fn ignores_comments_and_strings() {
        let text = [
            "// tonic::Status",
            "/* a /* nested */ tonic::Code */",
            r#"const A: &str = "tonic::Status \" tonic::Code"; const C: char = '"';"#,
            "const B: &str = r#\"tonic::\"x\"\"#;",
            "fn f<'a>(x: &'a str) -> real::Path {}",
        ];
        let found = spelled(&text.join("\n"));
        assert!(found.iter().all(|path| !path.contains("tonic")), "{found:?}");
        assert!(found.contains(&"real::Path".to_owned()));
    }

    #[test]
    fn distinguishes_macros_from_comparisons() {
        let text = "fn f() { query!(\"x\"); if query != 3 {} g!(query != 4, query!(1)); }";
        let source = Source::parse(text).unwrap();
        let queries = source.paths.iter().filter(|path| path.segments == ["query"]);
        let macros = queries.map(|path| path.kind == Kind::Macro).collect::<Vec<_>>();
        assert_eq!(macros, [true, false, false, true]);
    }

    #[test]
    fn super_in_an_inline_module_is_the_file_itself() {
        let text = "#[cfg(test)] mod tests { use super::Fee; use super::super::Hold; }";
        let source = Source::parse(text).unwrap();
        let paths = source.paths.iter().filter(|path| path.test && path.is_import());
        let paths = paths.map(|path| path.segments.join("::")).collect::<Vec<_>>();
        assert_eq!(paths, ["self::Fee", "super::Hold"]);
    }
}
