//! The reports of the parts: Markdown for docs/faults.md, and JSON.
//!
//! Each part writes `<part>.md` and `<part>.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::checkout::Checkout;
use crate::files;
use crate::instance::Instance;

const PAGE: &str = "docs/faults.md";

/// The Markdown file of a part's report; the other file has the extension `json`.
pub(crate) fn draft(instance: &Instance, part: &str) -> PathBuf {
    instance.dir.join(format!("{part}.md"))
}

/// Removes a part's report of an earlier run.
pub(crate) fn forget(instance: &Instance, part: &str) -> Result<()> {
    let draft = draft(instance, part);
    files::remove(&draft)?;
    files::remove(&draft.with_extension("json"))
}

/// Prints the reports that were made.
pub(crate) fn print(instance: &Instance, parts: &[&str]) -> Result<()> {
    for part in parts {
        let draft = draft(instance, part);
        if draft.is_file() {
            outln!("\n{}", read(&draft)?);
        }
    }
    Ok(())
}

/// Writes one object with a field for each part that has a report.
pub(crate) fn write_json(instance: &Instance, parts: &[&str], file: &Path) -> Result<()> {
    let mut fields = Vec::new();
    for part in parts {
        let draft = draft(instance, part).with_extension("json");
        if draft.is_file() {
            fields.push(format!("\"{part}\": {}", read(&draft)?.trim()));
        }
    }
    let text = format!("{{{}}}\n", fields.join(",\n"));
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Replaces the sections of the page that have a new report.
pub(crate) fn write_page(checkout: &Checkout, instance: &Instance, parts: &[&str]) -> Result<()> {
    let path = checkout.root.join(PAGE);
    let mut page = read(&path)?;
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--write");
    let command = arguments.collect::<Vec<_>>().join(" ");
    let commit = commit(checkout)?;
    for part in parts {
        let report = read(&draft(instance, part))?;
        let section = format!("`cargo xtask {command}` at {commit}:\n\n{}\n", report.trim());
        page = replace_section(&page, part, &section)
            .with_context(|| format!("{PAGE} has no section {part}"))?;
    }
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The commit, and whether files differ from the commit.
fn commit(checkout: &Checkout) -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).current_dir(&checkout.root).output();
        let output = output.context("cannot run git")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(format!("{commit}{}", if changed { " with changes" } else { "" }))
}

/// The page with other text between a section's two comments.
fn replace_section(page: &str, part: &str, text: &str) -> Option<String> {
    let (open, close) = (format!("<!-- {part} -->\n"), format!("<!-- end of {part} -->"));
    let (before, rest) = page.split_once(&open)?;
    let (_, after) = rest.split_once(&close)?;
    Some(format!("{before}{open}{text}{close}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_rest_stays() {
        let page = "# Page\n<!-- table -->\nold\n<!-- end of table -->\nend\n";
        let replaced = replace_section(page, "table", "new\n").unwrap();
        assert_eq!(replaced, "# Page\n<!-- table -->\nnew\n<!-- end of table -->\nend\n");
        assert_eq!(replace_section(page, "other", ""), None);
    }
}
