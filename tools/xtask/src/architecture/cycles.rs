//! Import cycles between the modules of one crate.
//!
//! What a module imports includes what its submodules import, so a cycle between two files of
//! different folders is one between the folders, too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{Kind, NamedPath, Source};

/// A module's path from the crate's root.
type Module = Vec<String>;

/// How many re-exports are followed from an import to the item.
const MOST_REEXPORTS: usize = 8;

/// The files of one crate by module.
#[derive(Debug, Default)]
pub(super) struct Crate {
    files: BTreeMap<Module, (String, Source)>,
}

impl Crate {
    /// Adds a file. Files come in the order of their names: beside a `lib.rs`, `main.rs` is another
    /// crate.
    pub(super) fn add(&mut self, module: Module, file: String, source: Source) {
        self.files.entry(module).or_insert((file, source));
    }

    /// One shortest cycle of each group of modules that import each other; each step as the files
    /// that make it.
    pub(super) fn cycles(&self) -> Vec<Vec<String>> {
        let imports = self.imports();
        let mut reported = BTreeSet::new();
        let mut cycles = Vec::new();
        for module in imports.keys() {
            let cycle = shortest_cycle(&imports, module);
            if !cycle.is_empty() && cycle.iter().all(|module| !reported.contains(module)) {
                let steps = cycle.windows(2).map(|step| self.describe(&imports[step[0]][step[1]]));
                cycles.push(steps.collect());
                reported.extend(cycle);
            }
        }
        cycles
    }

    fn describe(&self, (user, used): &(&Module, &Module)) -> String {
        let file = |module| self.files.get(module).map_or("", |(file, _)| file.as_str());
        format!("{} uses {}", file(*user), file(*used))
    }

    /// The modules that each module imports: of two files, the first modules in which their paths
    /// differ, each with the files. Tests do not count.
    fn imports(&self) -> Imports<'_> {
        let mut imports = Imports::new();
        for (module, (_, source)) in &self.files {
            if self.is_test(module) {
                continue;
            }
            let used = source.paths.iter().filter(|path| !path.test && is_use(path));
            for target in used.filter_map(|path| self.resolve(module, &path.segments, 0)) {
                let shared = module.iter().zip(target).take_while(|(one, other)| one == other);
                let depth = shared.count() + 1;
                let top = |path: &Module| path.len().min(depth);
                if let (Some(from), Some(to)) =
                    (module.get(..top(module)), target.get(..top(target)))
                    && from != to
                {
                    imports.entry(from).or_default().entry(to).or_insert((module, target));
                }
            }
        }
        imports
    }

    /// Whether the module or one above it is declared under `#[cfg(test)]`.
    fn is_test(&self, module: &[String]) -> bool {
        module.split_last().is_some_and(|(name, parent)| {
            let declared = self.files.get(parent);
            declared.is_some_and(|(_, source)| source.test_modules.contains(name))
                || self.is_test(parent)
        })
    }

    /// The module that defines what a path in the module `from` names. `None` for other crates, for
    /// local names and for a module itself: an item of a module is named by a longer path.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<&Module> {
        if depth > MOST_REEXPORTS {
            return None;
        }
        let (_, source) = self.files.get(from)?;
        let (first, rest) = path.split_first()?;
        let absolute = match first.as_str() {
            "crate" => rest.to_vec(),
            "self" => [from, rest].concat(),
            "super" => {
                let supers = path.iter().take_while(|segment| *segment == "super").count();
                [from.get(..from.len().checked_sub(supers)?)?, path.get(supers..)?].concat()
            }
            name if source.modules.iter().any(|module| module == name) => [from, path].concat(),
            name => {
                let target = imported(source, name)?;
                return self.resolve(from, &[target, rest].concat(), depth + 1);
            }
        };
        let module = self.module_in(&absolute)?;
        let inside = absolute.get(module.len()..)?;
        let (_, source) = self.files.get(module)?;
        // An item that the module does not re-export is the module's own.
        match imported(source, inside.first()?) {
            Some(_) => self.resolve(module, inside, depth + 1),
            None => Some(module),
        }
    }

    /// The innermost module that a path from the root leads through.
    fn module_in(&self, path: &[String]) -> Option<&Module> {
        let mut prefixes = (0..=path.len()).rev().filter_map(|end| path.get(..end));
        prefixes.find_map(|prefix| self.files.get_key_value(prefix)).map(|(module, _)| module)
    }
}

/// The modules that each module imports, each with the files of one such import.
type Imports<'a> = BTreeMap<&'a [String], BTreeMap<&'a [String], (&'a Module, &'a Module)>>;

/// Whether a path uses an item. A re-export alone does not: the name may be meant for others only.
fn is_use(path: &NamedPath) -> bool {
    !matches!(path.kind, Kind::Import { reexport: true, .. })
}

/// The path that a `use` of the file binds to the name.
fn imported<'a>(source: &'a Source, name: &str) -> Option<&'a [String]> {
    let binds = |path: &&NamedPath| match &path.kind {
        Kind::Import { binding, .. } => binding.as_deref() == Some(name),
        Kind::Mention | Kind::Macro => false,
    };
    source.paths.iter().find(binds).map(|path| path.segments.as_slice())
}

/// The shortest way from the module back to itself, both ends included; empty when there is none.
fn shortest_cycle<'a>(imports: &Imports<'a>, start: &'a [String]) -> Vec<&'a [String]> {
    let mut importer = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(module) = queue.pop_front() {
        for target in imports.get(module).into_iter().flat_map(BTreeMap::keys) {
            if *target == start {
                let mut cycle = vec![start, module];
                while let Some(before) = cycle.last().and_then(|last| importer.get(*last)) {
                    cycle.push(*before);
                }
                cycle.reverse();
                return cycle;
            }
            importer.entry(*target).or_insert_with(|| {
                queue.push_back(target);
                module
            });
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::super::layers::module_of;
    use super::*;

    #[track_caller]
    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let mut package = Crate::default();
        for (file, text) in files {
            package.add(module_of(file), (*file).to_owned(), Source::parse(text).unwrap());
        }
        package.cycles().into_iter().map(|cycle| cycle.join(", ")).collect()
    }

    #[test]
    fn reports_a_cycle_with_its_path() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d; use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use super::c; pub fn f() { c::g() } pub struct B;"),
            ("c.rs", "pub fn g() -> crate::a::A { vec![d::h()] }"),
            ("d.rs", "use crate::a::A; pub fn h() {}"),
        ];
        assert_eq!(cycles(&files), ["a.rs uses b.rs, b.rs uses c.rs, c.rs uses a.rs"]);
        let files = [files[0], files[1], files[2], ("c.rs", "pub fn g() {}"), files[4]];
        assert!(cycles(&files).is_empty());
    }

    #[test]
    fn a_reexport_leads_to_the_file_that_defines_the_item() {
        let files = [
            ("lib.rs", "mod domain;"),
            (
                "domain/mod.rs",
                "mod fee; mod money; pub use fee::Fee; pub use self::money::{Money as M, Money};",
            ),
            ("domain/fee.rs", "use super::Money; use crate::domain; pub struct Fee;"),
            ("domain/money.rs", "pub struct Money;"),
        ];
        assert!(cycles(&files).is_empty());
        let back = ("domain/money.rs", "use crate::domain::Fee; pub struct Money;");
        let files = [files[0], files[1], files[2], back];
        assert_eq!(
            cycles(&files),
            ["domain/fee.rs uses domain/money.rs, domain/money.rs uses domain/fee.rs"]
        );
    }

    #[test]
    fn a_parent_that_uses_its_child_and_is_used_by_it_is_a_cycle() {
        let child = ("a/b.rs", "use super::Shared; pub struct B;");
        let uses = ("a.rs", "mod b; use b::B; pub struct Shared; fn f(b: B) {}");
        assert_eq!(cycles(&[uses, child]), ["a.rs uses a/b.rs, a/b.rs uses a.rs"]);
        let reexports = ("a.rs", "mod b; pub use b::B; pub struct Shared;");
        assert!(cycles(&[reexports, child]).is_empty());
    }

    #[test]
    fn two_folders_that_use_each_other_are_a_cycle() {
        let files = [
            ("lib.rs", "mod edge; mod http;"),
            ("edge/mod.rs", "mod client; mod rate;"),
            ("edge/client.rs", "use crate::http::cookie::Cookie;"),
            ("edge/rate.rs", "pub struct Rate;"),
            ("http/mod.rs", "pub mod cookie; mod auth;"),
            ("http/cookie.rs", "pub struct Cookie;"),
            ("http/auth.rs", "use crate::edge::rate::Rate;"),
        ];
        let cycle = "edge/client.rs uses http/cookie.rs, http/auth.rs uses edge/rate.rs";
        assert_eq!(cycles(&files), [cycle]);
    }

    #[test]
    fn tests_may_import_in_both_directions() {
        let files = [
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod fixture;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("fixture.rs", "use crate::a::A;"),
        ];
        assert!(cycles(&files).is_empty());
    }
}
