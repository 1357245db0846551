//! The journal: a file of facts, one JSON object a line, read back at the start.
//!
//! A line is written before the reply that depends on it is sent, so `kill -9`
//! loses nothing that a client has seen. It is not synced to the disk: a power
//! cut may lose the last lines, which development and tests can accept.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::state::{Fact, WorldState};

const FILE: &str = "journal.jsonl";

/// Appended lines after which the file is compacted to the current state.
const MAX_LINES: usize = 100_000;

#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Lines appended since the file was compacted.
    appended: usize,
}

impl Journal {
    /// Applies the facts of the folder to an empty state and compacts the file.
    pub(super) fn open(folder: &Path, state: &mut WorldState) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(FILE);
        replay(&path, state)?;
        let file = replace(&path, &state.facts())?;
        Ok(Self { path, file, appended: 0 })
    }

    /// Writes facts that this state already contains.
    pub(super) fn append(&mut self, facts: &[Fact], state: &WorldState) -> io::Result<()> {
        self.appended += facts.len();
        if self.appended > MAX_LINES {
            self.appended = 0;
            self.file = replace(&self.path, &state.facts())?;
            return Ok(());
        }
        self.file.write_all(to_lines(facts)?.as_bytes())
    }
}

fn replay(path: &Path, state: &mut WorldState) -> io::Result<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut lines = BufReader::new(file).lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        match serde_json::from_str(&line?) {
            Ok(fact) => state.apply(fact),
            // The process was killed in the middle of its last line.
            Err(_) if lines.peek().is_none() => break,
            Err(error) => {
                let text = format!("line {} of {}: {error}", index + 1, path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
        }
    }
    Ok(())
}

/// Replaces the file atomically and opens the new one for appending.
fn replace(path: &Path, facts: &[Fact]) -> io::Result<File> {
    let draft = path.with_extension("draft");
    fs::write(&draft, to_lines(facts)?)?;
    fs::rename(&draft, path)?;
    OpenOptions::new().append(true).open(path)
}

fn to_lines(facts: &[Fact]) -> io::Result<String> {
    let mut text = String::new();
    for fact in facts {
        text.push_str(&serde_json::to_string(fact)?);
        text.push('\n');
    }
    Ok(text)
}
