//! The figures as JSON.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::figures::Figures;

/// The key of the sum over all processes in `cpu_us`.
const WHOLE: &str = "whole";

/// The figures of one scenario.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'static str,
    per_second: u64,
    p50_ms: f64,
    p99_ms: f64,
    errors: u64,
    cpu_us: BTreeMap<&'a str, u64>,
}

/// Writes the figures of all scenarios as a list.
pub(crate) fn write<'a>(
    file: &Path,
    all: impl Iterator<Item = (&'static str, &'a Figures)>,
) -> Result<()> {
    let entries: Vec<Entry<'_>> = all.map(|(name, figures)| entry(name, figures)).collect();
    let mut text = serde_json::to_string_pretty(&entries)?;
    text.push('\n');
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn entry<'a>(name: &'static str, figures: &'a Figures) -> Entry<'a> {
    let processes = figures.cpu.iter().map(|(process, micros)| (process.as_str(), *micros));
    Entry {
        name,
        per_second: figures.per_second,
        p50_ms: millis(figures.p50),
        p99_ms: millis(figures.p99),
        errors: figures.error_count(),
        cpu_us: processes.chain([(WHOLE, figures.cpu_whole())]).collect(),
    }
}

/// Converts microseconds to milliseconds with three decimals. Parsing the decimals gives the
/// nearest float, which is written back with the same digits; a division need not give it.
fn millis(micros: u64) -> f64 {
    format!("{}.{:03}", micros / 1_000, micros % 1_000).parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::figures::Recorder;

    #[test]
    fn an_entry_has_the_documented_keys() {
        let mut recorder = Recorder::new().unwrap();
        recorder.success(Duration::from_micros(1_500));
        recorder.error("500".to_owned());
        let mut figures = recorder.figures(Duration::from_secs(1));
        figures.cpu = BTreeMap::from([("gateway".to_owned(), 150), ("redis".to_owned(), 13)]);
        let value = serde_json::to_value(entry("profile-read", &figures)).unwrap();
        let expected = json!({
            "name": "profile-read", "per_second": 1, "p50_ms": 1.5, "p99_ms": 1.5, "errors": 1,
            "cpu_us": {"gateway": 150, "redis": 13, "whole": 163},
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn milliseconds_have_three_decimals() {
        assert_eq!(serde_json::to_string(&millis(1_781)).unwrap(), "1.781");
        assert_eq!(serde_json::to_string(&millis(12_005)).unwrap(), "12.005");
    }
}
