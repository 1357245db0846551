//! A background process: how it is started and when it is ready.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

use crate::{files, ports};

/// The beginnings of variables that differ from terminal to terminal, or that cargo and rustup
/// set. No program of ours reads one.
const TERMINAL: [&str; 23] = [
    "CARGO",
    "COLOR",
    "COLUMNS",
    "DBUS_",
    "DISPLAY",
    "GPG_",
    "LD_LIBRARY_PATH",
    "LINES",
    "LS_COLORS",
    "OLDPWD",
    "PWD",
    "RUSTUP_",
    "RUST_RECURSION_COUNT",
    "SHLVL",
    "SSH_",
    "STY",
    "TERM",
    "TMUX",
    "VSCODE_",
    "WAYLAND_",
    "WINDOW",
    "XDG_",
    "_",
];
/// Lines of a log that are shown when its process failed.
const LAST_LINES: usize = 25;

/// A process to start.
#[derive(Clone, Debug)]
pub(crate) struct Daemon {
    /// The name, after which the pid file and the log are named.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Variables that are added to this program's own environment.
    pub(crate) environment: Vec<(String, String)>,
    /// The working directory.
    pub(crate) folder: PathBuf,
    /// The user that the process runs as; `None` for the current user.
    pub(crate) user: Option<Account>,
    /// The ports that the process listens on, the main port first.
    pub(crate) ports: Vec<u16>,
    pub(crate) ready: Ready,
}

/// A user of the system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// How to find out that a process is ready.
#[derive(Clone, Debug)]
pub(crate) enum Ready {
    /// A GET of this path is answered with 200.
    Http(&'static str),
    /// The process accepts connections: a service opens its port after its migrations.
    Listens,
    /// Redis answers PING with PONG.
    Redis,
    /// `pg_isready` succeeds.
    Postgres { pg_isready: PathBuf, sockets: PathBuf },
}

impl Daemon {
    /// The main port.
    pub(crate) fn port(&self) -> u16 {
        self.ports.first().copied().unwrap_or_default()
    }

    /// Digest of the program's file, its arguments, its environment, the inherited part included,
    /// and the files of the folders that its `…_ROOT` variables name: the gateway reads the web app
    /// and the games at its start.
    pub(crate) fn fingerprint(&self) -> Result<u64> {
        let Self { program, arguments, environment, .. } = self;
        let metadata = fs::metadata(program)
            .with_context(|| format!("{} is missing: build it first", program.display()))?;
        let mut digest = DefaultHasher::new();
        (program, metadata.len(), metadata.modified()?).hash(&mut digest);
        (environment, arguments, inherited(std::env::vars_os())).hash(&mut digest);
        for (_, root) in environment.iter().filter(|(name, _)| name.ends_with("_ROOT")) {
            let root = Path::new(root);
            for file in files::list(root, |_| true)? {
                let modified = fs::metadata(root.join(&file))?.modified()?;
                (file, modified).hash(&mut digest);
            }
        }
        Ok(digest.finish())
    }

    /// Starts the process in the background.
    pub(crate) fn spawn(&self, log: &Path) -> Result<Child> {
        let log = open_log(log)?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            // .cargo/config.toml sets the variable for the compiler alone.
            .env_remove("SQLX_OFFLINE")
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C in the terminal is for this program, which ends the processes in order.
            .process_group(0);
        if let Some(Account { uid, gid }) = self.user {
            command.uid(uid).gid(gid);
        }
        command.spawn().with_context(|| format!("cannot run {}", self.program.display()))
    }

    /// Whether the process is ready now.
    pub(crate) fn is_ready(&self) -> bool {
        let port = self.port();
        match &self.ready {
            Ready::Http(path) => {
                let request =
                    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n");
                ports::answers::<12>(port, &request, |head| {
                    head.starts_with(b"HTTP/1.") && head.ends_with(b" 200")
                })
            }
            Ready::Listens => ports::answers::<0>(port, "", |_| true),
            Ready::Redis => ports::answers(port, "PING\r\n", |reply| reply == *b"+PONG\r\n"),
            Ready::Postgres { pg_isready, sockets } => Command::new(pg_isready)
                .args(["-q", "-p", &port.to_string(), "-h"])
                .arg(sockets)
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

/// The variables that a process inherits from this environment, sorted, without those that a
/// terminal sets.
fn inherited(all: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<OsString, OsString> {
    all.filter(|(name, _)| {
        let name = name.to_string_lossy();
        !TERMINAL.iter().any(|beginning| name.starts_with(beginning))
    })
    .collect()
}

/// The end of a log, indented, to be shown with an error.
pub(crate) fn last_lines(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().collect::<Vec<_>>();
    let from = lines.len().saturating_sub(LAST_LINES);
    let shown = lines.iter().skip(from).flat_map(|line| ["\n    | ", line]).collect::<String>();
    format!("\n    {}:{shown}", log.display())
}

/// Opens a new log and keeps the previous one beside it.
pub(crate) fn open_log(path: &Path) -> Result<fs::File> {
    if path.exists() {
        fs::rename(path, path.with_extension("log.1"))
            .with_context(|| format!("cannot move {}", path.display()))?;
    }
    fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_the_process_reads_at_its_start_counts() {
        let root = std::env::temp_dir().join(format!("xtask-root-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let daemon = Daemon {
            name: "gateway".to_owned(),
            program: std::env::current_exe().unwrap(),
            arguments: Vec::new(),
            environment: vec![("WEB_ROOT".to_owned(), root.display().to_string())],
            folder: root.clone(),
            user: None,
            ports: Vec::new(),
            ready: Ready::Listens,
        };
        let before = daemon.fingerprint().unwrap();
        assert_eq!(daemon.fingerprint().unwrap(), before);
        fs::write(root.join("index.html"), "new").unwrap();
        assert_ne!(daemon.fingerprint().unwrap(), before);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn an_inherited_setting_counts_and_another_terminal_does_not() {
        let of = |variables: &[(&str, &str)]| {
            inherited(variables.iter().map(|(name, value)| (name.into(), value.into())))
        };
        assert_ne!(of(&[("RATE_GUEST", "1/1m")]), of(&[]));
        assert_ne!(of(&[("RUST_LOG", "info")]), of(&[("RUST_LOG", "debug")]));
        assert_eq!(of(&[("SHLVL", "2"), ("CARGO_PKG_NAME", "xtask")]), of(&[("TERM", "dumb")]));
    }
}
