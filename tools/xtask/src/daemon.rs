//! A process of the mesh: how it starts, when it is ready, how it ends.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

use crate::ports;
use crate::postgres::Account;
use crate::process::fingerprint;
use crate::redis;

/// What is to run.
#[derive(Clone, Debug)]
pub(crate) struct Daemon {
    /// Its name: of record and log.
    pub(crate) name: String,
    /// The program.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// What is added to the environment.
    pub(crate) environment: Vec<(String, String)>,
    /// Where it runs.
    pub(crate) folder: PathBuf,
    /// As whom it runs, when not as us.
    pub(crate) user: Option<Account>,
    /// The ports it serves, the main one first.
    pub(crate) ports: Vec<u16>,
    /// How to tell that it is ready.
    pub(crate) ready: Ready,
}

/// What a process answers when it is ready.
#[derive(Clone, Debug)]
pub(crate) enum Ready {
    /// 200 to a GET of this path.
    Http(&'static str),
    /// It accepts connections: a service opens its port after its migrations.
    Listens,
    /// PONG.
    Redis,
    /// `pg_isready` says so.
    Postgres {
        /// That program.
        probe: PathBuf,
        /// Where the server's socket is.
        sockets: PathBuf,
    },
}

impl Daemon {
    /// The main port.
    pub(crate) fn port(&self) -> u16 {
        self.ports.first().copied().unwrap_or_default()
    }

    /// Digest of the program and of what it is started with.
    pub(crate) fn fingerprint(&self) -> Result<u64> {
        let pairs = self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let arguments = self.arguments.iter().map(|argument| ("", argument.as_str()));
        fingerprint(&self.program, pairs.chain(arguments))
    }

    /// Starts it in the background.
    pub(crate) fn spawn(&self, log: File) -> Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            // Only the compiler's business.
            .env_remove("SQLX_OFFLINE")
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C in the terminal is ours: we end the processes in order.
            .process_group(0);
        if let Some(Account { uid, gid }) = self.user {
            command.uid(uid).gid(gid);
        }
        command.spawn().with_context(|| format!("cannot run {}", self.program.display()))
    }

    /// Whether it is ready now.
    pub(crate) fn is_ready(&self) -> bool {
        match &self.ready {
            Ready::Http(path) => http_ok(self.port(), path),
            Ready::Listens => ports::connect(self.port()).is_ok(),
            Ready::Redis => redis::answers(self.port()),
            Ready::Postgres { probe, sockets } => Command::new(probe)
                .args(["-q", "-p", &self.port().to_string(), "-h"])
                .arg(sockets)
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

/// GET over plain TCP: one status line is all that matters.
fn http_ok(port: u16, path: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = ports::connect(port)?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")?;
        let mut head = [0_u8; 12];
        stream.read_exact(&mut head)?;
        Ok(head.starts_with(b"HTTP/1.") && head.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}
