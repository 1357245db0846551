//! Reads documents from files, and says where one is wrong.

mod lines;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fmt, fs,
    path::{Path, PathBuf},
    str::FromStr as _,
};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use strum::IntoEnumIterator as _;
use thiserror::Error;
use time::OffsetDateTime;

use self::lines::Fields;
use crate::manifest::{Item, Kind, Manifest};

/// A document that can be applied, and where it is.
#[derive(Debug, Clone)]
pub struct Document {
    file: PathBuf,
    fields: Fields,
    /// The line of the document.
    line: u64,
    kind: Kind,
    id: String,
    manifest: Manifest,
    /// The rules module of a game that names its file.
    pub(crate) rules: Option<Vec<u8>>,
}

impl Document {
    /// The document's kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The document's id within its kind.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The item to apply, beside the one that exists.
    pub fn item(&self, existing: Option<&Item>, now: OffsetDateTime) -> Item {
        self.manifest.item(existing, now)
    }

    /// A problem of one of the document's fields, or of the document.
    pub(crate) fn problem(&self, field: Option<&str>, text: impl fmt::Display) -> Problem {
        let line = field.and_then(|field| self.fields.line(field)).unwrap_or(self.line);
        let text = field.map_or_else(|| text.to_string(), |field| format!("{field} {text}"));
        Problem { file: self.file.clone(), line, text }
    }
}

/// A problem, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}:{line}: {text}", file.display())]
pub struct Problem {
    file: PathBuf,
    line: u64,
    text: String,
}

/// Why nothing was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing was applied")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

/// Reads the documents of files, and of the `.yaml` files directly in folders.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Document>> {
    let mut documents = Vec::new();
    let mut problems = Vec::new();
    for file in files(paths)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        for text in split(&text) {
            match parse(&file, &text) {
                Ok(document) => documents.push(document),
                Err(problem) => problems.push(problem),
            }
        }
    }
    problems.extend(conflicts(&documents));
    if !problems.is_empty() {
        return Err(Problems(problems).into());
    }
    if documents.is_empty() {
        bail!("there is no document in the files");
    }
    Ok(documents)
}

fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let shown = path.display();
        let metadata = path.metadata().with_context(|| format!("cannot read {shown}"))?;
        if !metadata.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = path.read_dir().with_context(|| format!("cannot list {shown}"))?;
        let listed = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>();
        let mut found = listed.with_context(|| format!("cannot list {shown}"))?;
        found.retain(|file| file.extension().is_some_and(|end| end == "yaml" || end == "yml"));
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Splits a file into its documents. Each has so many empty lines before it that its lines have
/// their numbers in the file. YAML lets no other line begin with the marker.
fn split(text: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for (index, line) in text.lines().enumerate() {
        let rest = line.strip_prefix("---");
        let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        let Some(document) = documents.last_mut() else { break };
        if let Some(rest) = rest {
            documents.push(format!("{}   {rest}\n", "\n".repeat(index)));
        } else {
            document.push_str(line);
            document.push('\n');
        }
    }
    documents.retain(|document| !document.lines().all(is_empty));
    documents
}

fn parse(file: &Path, text: &str) -> Result<Document, Problem> {
    let wrong = |error: serde_saphyr::Error| {
        let problem = message(&error);
        // A missing field is missing from the document, not from its last line.
        let place = error.location().filter(|_| !problem.starts_with("missing field"));
        let line = place.map_or_else(|| first_line(text), |place| place.line());
        Problem { file: file.to_owned(), line, text: problem }
    };
    let mut fields = Fields::of(text).map_err(wrong)?;
    let head: Head = serde_saphyr::from_str(text).map_err(wrong)?;
    let kind = Kind::from_str(&head.kind).map_err(|_| {
        let known = Kind::iter().map(|kind| kind.to_string()).collect::<Vec<_>>().join(", ");
        Problem {
            file: file.to_owned(),
            line: fields.line("kind").unwrap_or_default(),
            text: format!("kind {} is unknown; there are {known}", head.kind),
        }
    })?;
    let manifest = Manifest::parse(kind, text).map_err(wrong)?;
    if kind == Kind::Tournament {
        fields.add_awards(text).map_err(wrong)?;
    }
    let mut document = Document {
        file: file.to_owned(),
        line: fields.line("kind").unwrap_or_default(),
        fields,
        kind,
        id: head.id,
        manifest,
        rules: None,
    };
    read_rules(&mut document)?;
    Ok(document)
}

/// Whether a line is empty or a comment.
fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// The fields that every document has.
#[derive(Debug, Deserialize)]
struct Head {
    kind: String,
    id: String,
}

fn first_line(text: &str) -> u64 {
    text.lines().zip(1..).find(|(line, _)| !is_empty(line)).map_or(1, |(_, line)| line)
}

/// The message of an error, without the place, which the problem names already.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let place = error
        .location()
        .map(|location| format!(" at line {}, column {}", location.line(), location.column()));
    place.and_then(|place| text.strip_suffix(&place)).unwrap_or(&text).to_owned()
}

/// Reads the rules module of a game, whose sha256 goes into its manifest.
fn read_rules(document: &mut Document) -> Result<(), Problem> {
    let Manifest::Game(game) = &document.manifest else { return Ok(()) };
    let Some(path) = &game.rules else { return Ok(()) };
    let path = document.file.parent().unwrap_or(Path::new("")).join(path);
    let module = fs::read(&path).map_err(|error| {
        let text = format!("cannot be read from {}: {error}", path.display());
        document.problem(Some("rules"), text)
    })?;
    let digest = hex::encode(Sha256::digest(&module));
    if game.rules_sha256.as_ref().is_some_and(|expected| *expected != digest) {
        return Err(
            document.problem(Some("rulesSha256"), format!("is not that of {}", path.display()))
        );
    }
    if let Manifest::Game(game) = &mut document.manifest {
        game.rules_sha256 = Some(digest);
    }
    document.rules = Some(module);
    Ok(())
}

/// Finds documents that contradict each other: applying them again would change something again.
fn conflicts(documents: &[Document]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashMap<(Kind, &str), &Document> = HashMap::new();
    let mut primary: Option<&Document> = None;
    for document in documents {
        if let Some(first) = seen.insert((document.kind, &document.id), document) {
            let place = first.problem(None, "");
            let text = format!("is also that of {}:{}", place.file.display(), place.line);
            problems.push(document.problem(Some("id"), text));
        }
        if matches!(&document.manifest, Manifest::TvItem(item) if item.primary) {
            if let Some(first) = primary {
                let text = format!("is true for {} too; one video is primary", first.id);
                problems.push(document.problem(Some("primary"), text));
            }
            primary = Some(document);
        }
    }
    problems
}
