//! The world's memory on disk: one JSON fact a line, read back at the start.
//!
//! A line is written before the reply that depends on it leaves, so killing the
//! process loses nothing that anybody was told. (It is not forced to the disk:
//! a power cut may lose the last lines, which a sandbox can bear.)

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use tokio::sync::{mpsc, watch};

use super::state::{Fact, State};
use crate::config::Settings;

const FILE: &str = "journal.jsonl";

/// Lines after which the journal is written anew from the state.
const LINES: u64 = 100_000;

/// The writing end, kept under the lock of the state so that the order of the
/// lines is the order of the facts. Its queue needs no bound of its own: every
/// caller waits for its line before it goes on.
#[derive(Debug)]
pub(super) struct Journal {
    orders: mpsc::UnboundedSender<Order>,
    ordered: u64,
    lines: u64,
}

#[derive(Debug)]
struct Order {
    number: u64,
    text: String,
    /// Replaces the file instead of growing it.
    anew: bool,
}

/// The thread's end: run it where blocking is allowed.
pub(super) struct Writer {
    path: PathBuf,
    file: File,
    orders: mpsc::UnboundedReceiver<Order>,
    written: watch::Sender<u64>,
}

/// Reads the state that `folder` holds, and opens it for writing.
pub(super) fn open(
    folder: &Path,
    settings: &Settings,
) -> io::Result<(State, Journal, Writer, watch::Receiver<u64>)> {
    fs::create_dir_all(folder)?;
    let path = folder.join(FILE);
    let state = read(&path, settings)?;
    // A fresh start is the best moment to leave history behind.
    let text = lines_of(&state.facts())?;
    let file = replace(&path, &text)?;
    let (orders, queue) = mpsc::unbounded_channel();
    let (written, progress) = watch::channel(0);
    let journal = Journal { orders, ordered: 0, lines: 0 };
    Ok((state, journal, Writer { path, file, orders: queue, written }, progress))
}

impl Journal {
    /// Orders the facts to be written, and gives the number to wait for.
    pub(super) fn append(&mut self, facts: &[Fact], state: &State) -> io::Result<u64> {
        self.lines += facts.len() as u64;
        let anew = self.lines > LINES;
        let text = if anew {
            self.lines = 0;
            lines_of(&state.facts())?
        } else {
            lines_of(facts)?
        };
        self.ordered += 1;
        let number = self.ordered;
        self.orders.send(Order { number, text, anew }).map_err(io::Error::other)?;
        Ok(number)
    }
}

impl Writer {
    /// Writes until the journal is dropped.
    pub(super) fn run(mut self) {
        while let Some(order) = self.orders.blocking_recv() {
            if let Err(error) = self.write(&order) {
                // The world goes on in memory; whoever relies on the folder
                // has to be told.
                tracing::error!(%error, path = %self.path.display(), "the world could not be saved");
            }
            self.written.send_replace(order.number);
        }
    }

    fn write(&mut self, order: &Order) -> io::Result<()> {
        if order.anew {
            self.file = replace(&self.path, &order.text)?;
            return Ok(());
        }
        self.file.write_all(order.text.as_bytes())
    }
}

fn read(path: &Path, settings: &Settings) -> io::Result<State> {
    let mut state = State::new(settings.clone());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(state),
        Err(error) => return Err(error),
    };
    let mut lines = BufReader::new(file).lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        match serde_json::from_str::<Fact>(&line?) {
            Ok(fact) => state.apply(fact),
            // The process was killed in the middle of its last line.
            Err(_) if lines.peek().is_none() => break,
            Err(error) => {
                let what = format!("line {} of {}: {error}", at + 1, path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
    }
    Ok(state)
}

/// Puts a new file in the place of the old one at once, and opens it to grow.
fn replace(path: &Path, text: &str) -> io::Result<File> {
    let draft = path.with_extension("draft");
    fs::write(&draft, text)?;
    fs::rename(&draft, path)?;
    OpenOptions::new().append(true).open(path)
}

fn lines_of(facts: &[Fact]) -> io::Result<String> {
    let mut text = String::new();
    for fact in facts {
        text.push_str(&serde_json::to_string(fact)?);
        text.push('\n');
    }
    Ok(text)
}
