//! Migrations are append-only: a database that has applied a file never sees it changed. A
//! changed file differs from its folder's list, and a review sees a line of the list change.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::files;

/// The digests of a folder's migrations, one line each, as sha256sum writes them.
const SUMS: &str = "SHA256SUMS";

/// Fails if a committed migration was changed or removed, or a new one is not in the list.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    for service in checkout.services()? {
        let folder = service.join("migrations");
        if folder.is_dir() {
            check_folder(&folder).with_context(|| checkout.shown(&folder).to_string())?;
        }
    }
    Ok(())
}

fn check_folder(folder: &Path) -> Result<()> {
    let sums = fs::read_to_string(folder.join(SUMS)).with_context(|| format!("no {SUMS}"))?;
    let lines = sums.lines().filter(|line| !line.is_empty());
    let listed = lines.map(|line| line.rsplit(' ').next().unwrap_or_default().to_owned());
    let listed = listed.collect::<Vec<_>>();
    let mut faults = Vec::new();
    for file in files::list(folder, |_| true)? {
        let name = file.to_string_lossy().into_owned();
        if name != SUMS && !listed.contains(&name) {
            faults.push(format!("{name} is new: sha256sum {name} >> {SUMS}"));
        }
    }
    for name in &listed {
        let line = digest(folder, name)?;
        if !line.is_some_and(|line| sums.lines().any(|listed| listed == line)) {
            faults.push(format!("{name} was changed: write another migration instead"));
        }
    }
    if listed.is_empty() || !listed.is_sorted() {
        faults.push(format!("{SUMS} lists the migrations in their order"));
    }
    if !faults.is_empty() {
        bail!("migrations are append-only:\n    {}", faults.join("\n    "));
    }
    Ok(())
}

/// The line that sha256sum prints for a file; `None` where the file is missing.
fn digest(folder: &Path, name: &str) -> Result<Option<String>> {
    let mut command = Command::new("sha256sum");
    command.current_dir(folder).args(["--", name]).stderr(Stdio::null());
    let output = command.output().context("cannot run sha256sum")?;
    let line = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    Ok(output.status.success().then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_is_added_and_never_changed_or_removed() {
        let folder = std::env::temp_dir().join(format!("xtask-sums-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        let fault = || format!("{:#}", check_folder(&folder).unwrap_err());
        write("0001_schema.sql", "CREATE TABLE a ();\n");
        let sum = digest(&folder, "0001_schema.sql").unwrap().unwrap();
        write(SUMS, &format!("{sum}\n"));
        check_folder(&folder).unwrap();

        write("0002_more.sql", "CREATE TABLE b ();\n");
        assert!(fault().contains("0002_more.sql is new"), "{}", fault());
        fs::remove_file(folder.join("0002_more.sql")).unwrap();

        write("0001_schema.sql", "CREATE TABLE c ();\n");
        assert!(fault().contains("0001_schema.sql was changed"), "{}", fault());
        fs::remove_file(folder.join("0001_schema.sql")).unwrap();
        assert!(fault().contains("0001_schema.sql was changed"), "{}", fault());
        fs::remove_dir_all(&folder).unwrap();
    }
}
