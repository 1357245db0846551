//! Programs that run in the foreground: cargo, npm and what is on the PATH.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::interrupt;

/// Runs a command with its own output; fails when it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    interrupt::check()?;
    if !status.success() {
        bail!("`{}` failed ({status})", command_line(command));
    }
    Ok(())
}

/// A command as one would type it, without the environment.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Cargo, at the root of the checkout.
pub(crate) fn cargo(checkout: &Checkout) -> Command {
    // Not $CARGO, which would fix the inner cargo to the toolchain of this program.
    let mut command = Command::new("cargo");
    command.current_dir(&checkout.root);
    command
}

/// npm, in the frontend's folder.
pub(crate) fn npm(checkout: &Checkout) -> Command {
    npm_in(&checkout.frontend())
}

/// npm, in a folder with a package.json.
pub(crate) fn npm_in(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder);
    command
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
    fn a_command_line_leaves_the_environment_out() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["test", "--workspace"]).env("SECRET", "x");
        assert_eq!(command_line(&command), "cargo test --workspace");
    }

    #[test]
    fn finds_programs_on_the_path() {
        assert!(in_path("sh").is_some());
        assert!(in_path("no-such-program-here").is_none());
    }
}
