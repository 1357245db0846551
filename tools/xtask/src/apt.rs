//! Programs that are not ours: found, or installed where that is allowed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use nix::unistd::Uid;

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

    fn named(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL (postgres, initdb, psql)",
            Self::Redis => "redis-server",
            Self::Chromium => "Chromium (or CHROMIUM=/path/to/it)",
        }
    }

    /// Where it is, if it is anywhere.
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

/// Finds the tools; what is missing is installed with apt-get when this is a
/// Debian or Ubuntu and we are root or may become it without a password.
/// Otherwise fails with the command to type.
pub(crate) fn require(tools: &[Tool]) -> Result<Vec<PathBuf>> {
    let missing = tools.iter().filter(|tool| tool.find().is_none()).copied().collect::<Vec<_>>();
    if !missing.is_empty() {
        install(&missing)?;
    }
    tools.iter().map(|tool| tool.find().map_or_else(|| bail!(instruction(&[*tool])), Ok)).collect()
}

fn install(missing: &[Tool]) -> Result<()> {
    let Some(become_root) = way_to_root() else {
        bail!(instruction(missing));
    };
    let packages = missing.iter().map(|tool| tool.package()).collect::<Vec<_>>();
    let step = Step::announce(format!(
        "installing {} with apt-get (PlayOn runs instances of its own; the system's stay untouched)",
        packages.join(" ")
    ));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(become_root.first().copied().unwrap_or("env"));
        command.args(become_root.iter().skip(1));
        if !become_root.is_empty() {
            command.arg("env");
        }
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    // An index that cannot be renewed may still know the packages.
    apt(&["update"]);
    let mut arguments = vec!["install", "--no-install-recommends"];
    arguments.extend(&packages);
    if !apt(&arguments) {
        step.failed();
        bail!("apt-get failed\n       {}", instruction(missing));
    }
    step.done();
    Ok(())
}

fn instruction(missing: &[Tool]) -> String {
    let names = missing.iter().map(|tool| tool.named()).collect::<Vec<_>>().join(", ");
    let packages = missing.iter().map(|tool| tool.package()).collect::<Vec<_>>().join(" ");
    format!(
        "missing: {names}\n       on Debian or Ubuntu: sudo apt-get install -y {packages}\n       elsewhere: put it on the PATH and run this again"
    )
}

/// What to put before a command so that root runs it; nothing if there is no way.
fn way_to_root() -> Option<&'static [&'static str]> {
    if !Path::new("/etc/debian_version").is_file() || in_path("apt-get").is_none() {
        return None;
    }
    if Uid::effective().is_root() {
        return Some(&[]);
    }
    let asked = Command::new("sudo").args(["-n", "true"]).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success()).then_some(&["sudo", "-n"])
}

/// Debian keeps the server's programs off the PATH, one folder a version.
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

/// A program on the PATH.
pub(crate) fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instruction_can_be_pasted() {
        let told = instruction(&[Tool::Postgres, Tool::Redis]);
        assert!(told.contains("sudo apt-get install -y postgresql redis-server"), "{told}");
    }

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(in_path("sh").is_some());
        assert!(in_path("no-such-program-here").is_none());
    }
}
