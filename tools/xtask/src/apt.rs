//! Programs of the system: found, or installed where that is allowed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use nix::unistd::Uid;

use crate::command::in_path;
use crate::terminal::Step;

/// A program of the system that PlayOn needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tool {
    /// The folder with `postgres`, `initdb` and `psql`.
    Postgres,
    /// `redis-server`.
    Redis,
    /// A Chromium for the browser journeys.
    Chromium,
}

impl Tool {
    fn package(self) -> &'static str {
        match self {
            Self::Postgres => "postgresql",
            Self::Redis => "redis-server",
            Self::Chromium => "chromium",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL (postgres, initdb, psql)",
            Self::Redis => "redis-server",
            Self::Chromium => "Chromium (or CHROMIUM=/path/to/it)",
        }
    }

    pub(crate) fn find(self) -> Option<PathBuf> {
        match self {
            Self::Postgres => postgres_folder(),
            Self::Redis => in_path("redis-server"),
            Self::Chromium => std::env::var_os("CHROMIUM")
                .map(PathBuf::from)
                .filter(|path| path.is_file())
                .or_else(|| {
                    ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(in_path)
                }),
        }
    }
}

/// Finds one tool, or installs it as `require_all` does.
pub(crate) fn require(tool: Tool) -> Result<PathBuf> {
    require_all(&[tool])?;
    tool.find().with_context(|| instruction(&[tool]))
}

/// Installs missing tools with apt-get when this is a Debian or Ubuntu and we are
/// root or sudo asks for no password. Otherwise fails with the command to type.
pub(crate) fn require_all(tools: &[Tool]) -> Result<()> {
    let missing = tools.iter().filter(|tool| tool.find().is_none()).copied().collect::<Vec<_>>();
    if missing.is_empty() {
        return Ok(());
    }
    let Some(as_root) = as_root() else {
        bail!(instruction(&missing));
    };
    let packages = missing.iter().map(|tool| tool.package()).collect::<Vec<_>>();
    let step = Step::announce(format!(
        "installing {} with apt-get (PlayOn runs private instances; the system's are not touched)",
        packages.join(" ")
    ));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("env");
        if let Some((program, rest)) = as_root.split_first() {
            command = Command::new(program);
            command.args(rest).arg("env");
        }
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    // An error is ignored: the install may succeed with an index that cannot be renewed.
    apt(&["update"]);
    let install = [&["install", "--no-install-recommends"], packages.as_slice()].concat();
    let complete = apt(&install) && missing.iter().all(|tool| tool.find().is_some());
    let failure = || format!("apt-get failed\n       {}", instruction(&missing));
    step.end(complete.then_some(()).with_context(failure))
}

fn instruction(missing: &[Tool]) -> String {
    let names = missing.iter().map(|tool| tool.label()).collect::<Vec<_>>().join(", ");
    let packages = missing.iter().map(|tool| tool.package()).collect::<Vec<_>>().join(" ");
    format!(
        "missing: {names}\n       on Debian or Ubuntu: sudo apt-get install -y {packages}\n       elsewhere: put it on the PATH and run this again"
    )
}

/// The words that make root run the command after them; `None` where that is impossible.
fn as_root() -> Option<&'static [&'static str]> {
    if !Path::new("/etc/debian_version").is_file() || in_path("apt-get").is_none() {
        return None;
    }
    if Uid::effective().is_root() {
        return Some(&[]);
    }
    let sudo = Command::new("sudo").args(["-n", "true"]).stderr(Stdio::null()).status();
    sudo.is_ok_and(|status| status.success()).then_some(&["sudo", "-n"])
}

/// The folder of the server's programs: Debian keeps them off the PATH, in a folder for each
/// version.
fn postgres_folder() -> Option<PathBuf> {
    let complete = |folder: &Path| {
        ["postgres", "initdb", "psql"].iter().all(|name| folder.join(name).is_file())
    };
    if let Some(folder) = in_path("postgres").as_deref().and_then(Path::parent)
        && complete(folder)
    {
        return Some(folder.to_path_buf());
    }
    let versions = Path::new("/usr/lib/postgresql").read_dir().ok()?.flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions
        .map(|entry| entry.path())
        .filter(|path| complete(&path.join("bin")))
        .max_by_key(|path| number(path))?;
    Some(newest.join("bin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instruction_can_be_pasted() {
        let text = instruction(&[Tool::Postgres, Tool::Redis]);
        assert!(text.contains("sudo apt-get install -y postgresql redis-server"), "{text}");
    }
}
