//! The paths and modules that a Rust file names, read with `syn`.

use anyhow::{Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, UseTree, Visibility};

/// A line, from 1, and what is wrong there.
pub(super) type Fault = (usize, String);

/// The parts of one file that the rules need to know.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) paths: Vec<NamedPath>,
    /// Modules declared with `mod name;`.
    pub(super) modules: Vec<String>,
    /// Modules among them that are under `#[cfg(test)]`.
    pub(super) test_modules: Vec<String>,
}

/// A path as written; `use a::{b, c::D}` gives `a::b` and `a::c::D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedPath {
    /// The line, from 1.
    pub(super) line: usize,
    /// The segments, relative to the file's module: `super` of an inline module is `self`.
    pub(super) segments: Vec<String>,
    pub(super) kind: Kind,
    /// Whether the path is in a module or an import for tests only.
    pub(super) test: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The path is in an expression, a type or a macro's arguments.
    Mention,
    /// The path is the macro of an invocation.
    Macro,
    /// The path is in a `use`, with the name that it binds; `None` for a glob and for `as _`.
    Import { binding: Option<String>, reexport: bool },
}

impl NamedPath {
    pub(super) fn is_import(&self) -> bool {
        matches!(self.kind, Kind::Import { .. })
    }

    /// The first segment; a path always has one.
    pub(super) fn first(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }
}

impl Source {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let file = syn::parse_file(text)
            .map_err(|fault| anyhow!("line {}: {fault}", fault.span().start().line))?;
        let mut reader = Reader::default();
        reader.visit_file(&file);
        Ok(reader.source)
    }
}

#[derive(Default)]
struct Reader {
    source: Source,
    /// How many inline modules the current item is in.
    inline: usize,
    test: bool,
}

impl Reader {
    fn add(&mut self, line: usize, segments: &[String], kind: Kind) {
        let supers = segments.iter().take_while(|segment| *segment == "super").count();
        let local = supers.min(self.inline);
        let mut segments = segments[local..].to_vec();
        if local > 0 && local == supers {
            segments.insert(0, "self".to_owned());
        }
        if !segments.is_empty() {
            self.source.paths.push(NamedPath { line, segments, kind, test: self.test });
        }
    }

    fn add_path(&mut self, path: &syn::Path, kind: Kind) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.add(path.span().start().line, &segments.collect::<Vec<_>>(), kind);
    }

    fn import(&mut self, prefix: &[String], tree: &UseTree, reexport: bool) {
        let (last, binding) = match tree {
            UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                return self.import(&prefix, &path.tree, reexport);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(prefix, tree, reexport));
            }
            UseTree::Glob(_) => (None, None),
            UseTree::Name(name) => (Some(name.ident.to_string()), Some(name.ident.to_string())),
            UseTree::Rename(name) => (Some(name.ident.to_string()), Some(name.rename.to_string())),
        };
        // `a::{self}` imports `a`.
        let last = last.filter(|last| last != "self");
        let binding = match binding.as_deref() {
            Some("self") => prefix.last().cloned(),
            Some("_") => None,
            _ => binding,
        };
        let segments = [prefix, last.as_slice()].concat();
        self.add(tree.span().start().line, &segments, Kind::Import { binding, reexport });
    }

    /// Adds every `a::b` in the arguments of a macro, which `syn` does not parse.
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

    fn under(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let before = self.test;
        self.test |= attributes.iter().any(is_cfg_test);
        visit(self);
        self.test = before;
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.under(&item.attrs, |reader| {
            let name = item.ident.to_string();
            if item.content.is_some() {
                reader.inline += 1;
                visit::visit_item_mod(reader, item);
                reader.inline -= 1;
                return;
            }
            reader.source.test_modules.extend(reader.test.then(|| name.clone()));
            reader.source.modules.push(name);
        });
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let reexport = !matches!(item.vis, Visibility::Inherited);
        self.under(&item.attrs, |reader| reader.import(&[], &item.tree, reexport));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add_path(path, Kind::Mention);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        self.add_path(&invoked.path, Kind::Macro);
        self.tokens(invoked.tokens.clone());
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        visit::visit_meta_list(self, list);
        self.tokens(list.tokens.clone());
    }

    /// Visits nothing, because `pub(crate)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
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
