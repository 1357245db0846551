//! The files that `cargo xtask faults` reads.

use std::{fs, path::PathBuf};

use serde_json::Value;

/// Replicas of every service.
pub(crate) fn replicas() -> usize {
    std::env::var("FAULTS_REPLICAS").map_or(1, |text| text.parse().unwrap())
}

/// The folder of the reports.
pub(crate) fn folder() -> PathBuf {
    file().parent().expect("a folder").to_owned()
}

fn file() -> PathBuf {
    std::env::var_os("FAULTS_REPORT").expect("run `cargo xtask faults`").into()
}

/// Writes a part's report as Markdown and JSON.
pub(crate) fn write(markdown: &str, json: &Value) {
    let file = file();
    fs::write(&file, markdown).unwrap();
    fs::write(file.with_extension("json"), json.to_string()).unwrap();
}
