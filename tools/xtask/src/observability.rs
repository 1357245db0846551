//! Alerts, dashboards, their documentation and the code name the same metrics.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use walkdir::WalkDir;

/// The suffixes of the metrics that Prometheus makes of a histogram.
const OF_HISTOGRAMS: [&str; 3] = ["_bucket", "_count", "_sum"];

/// A file of rules, with every field that we use and no other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    groups: Vec<Group>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: String,
    rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    record: Option<String>,
    alert: Option<String>,
    expr: String,
    #[serde(rename = "for", default)]
    _for: String,
    #[serde(default)]
    labels: Labels,
    #[serde(default)]
    annotations: Annotations,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Labels {
    severity: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Annotations {
    summary: String,
    runbook_url: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = WalkDir::new(root().join(folder)).sort_by_file_name().into_iter();
    let files = entries.map(|entry| entry.unwrap().into_path());
    let found: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    assert!(!found.is_empty(), "{folder} has no .{extension} file");
    found
}

fn rules() -> Vec<Rule> {
    let mut rules = Vec::new();
    for path in files("k8s/components/prometheus/rules", "yaml") {
        let file: File = serde_saphyr::from_str(&read(&path)).unwrap();
        for group in file.groups {
            assert_eq!(Some(group.name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
            rules.extend(group.rules);
        }
    }
    rules
}

/// The expressions of a dashboard's panels and variables.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if name == "expr" => found.push(text.to_owned()),
                    Some(text) if text.starts_with("label_values(") => found.push(text.to_owned()),
                    _ => expressions(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| expressions(value, found)),
        _ => {}
    }
}

/// The metrics that an expression of Prometheus reads: its names, without functions, keywords,
/// labels, strings and durations.
fn metrics(expression: &str) -> BTreeSet<String> {
    const KEYWORDS: [&str; 5] = ["and", "or", "unless", "offset", "le"];
    const BEFORE_LABELS: [&str; 6] =
        ["by", "without", "on", "ignoring", "group_left", "group_right"];
    let mut found = BTreeSet::new();
    let mut rest = expression;
    let mut labels_follow = false;
    while let Some(first) = rest.chars().next() {
        // Quotes and brackets enclose labels, values and durations.
        let closing = match first {
            '"' => Some('"'),
            '{' => Some('}'),
            '[' => Some(']'),
            '(' if labels_follow => Some(')'),
            _ => None,
        };
        if let Some(closing) = closing {
            rest = rest[1..].split_once(closing).expect("it is closed").1;
            labels_follow = false;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            rest = after;
            labels_follow = BEFORE_LABELS.contains(&name);
            let is_function = after.starts_with('(')
                || after.trim_start().starts_with('(') && is_aggregation(name);
            // Such a name comes before a bracket, as in `sum by (…)`.
            let is_operator = labels_follow || is_aggregation(name) || KEYWORDS.contains(&name);
            if !is_function && !is_operator {
                found.insert(name.to_owned());
            }
        } else if first.is_ascii_digit() {
            // Skips a number, or a duration after `offset`.
            rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

fn is_aggregation(name: &str) -> bool {
    ["sum", "max", "min", "topk"].contains(&name)
}

/// Every metric that rules and dashboards read, without those that a rule records.
fn used() -> BTreeSet<String> {
    let rules = rules();
    let recorded: BTreeSet<_> = rules.iter().filter_map(|rule| rule.record.clone()).collect();
    let mut all: Vec<String> = rules.into_iter().map(|rule| rule.expr).collect();
    for path in files("k8s/components/grafana/dashboards", "json") {
        expressions(&serde_json::from_str(&read(path)).unwrap(), &mut all);
    }
    let mut used = BTreeSet::new();
    for expression in all {
        // The second argument is a label.
        let query = expression.strip_prefix("label_values(");
        let query = query.and_then(|query| query.split(',').next()).unwrap_or(&expression);
        used.extend(metrics(query));
    }
    &used - &recorded
}

/// The metric in the code that a used metric comes from: a histogram has several.
fn made(used: &str) -> &str {
    let histogram = OF_HISTOGRAMS.iter().find_map(|suffix| used.strip_suffix(suffix));
    let is_one = |name: &&str| name.ends_with("_seconds") || name.ends_with("_thousandths");
    histogram.filter(is_one).unwrap_or(used)
}

#[test]
fn the_names_in_an_expression_are_found() {
    let text = "histogram_quantile(0.99, sum by (route, le) (rate(a_bucket{route!=\"/x (y)\"}[5m]))) > 1\n\
                and sum (b_total - (b_total offset 15m)) > 3 * 86400 unless max(c) == 0 or time() > d:e";
    let found = metrics(text);
    assert_eq!(
        found.iter().map(String::as_str).collect::<Vec<_>>(),
        ["a_bucket", "b_total", "c", "d:e"]
    );
}

#[test]
fn every_metric_of_a_rule_or_a_dashboard_is_documented_and_made() {
    let used = used();
    assert!(used.len() > 30, "{used:?}");
    let documentation = read("docs/telemetry.md");
    let mut code = String::new();
    for folder in [
        "crates",
        "gateway/src",
        "svc-auth/src",
        "svc-chat/src",
        "svc-games/src",
        "svc-tournament/src",
        "svc-wallet/src",
    ] {
        code.extend(files(folder, "rs").iter().map(read));
    }
    let documented = |name: &&str| {
        [format!("`{name}`"), format!("`{name}{{")].iter().any(|text| documentation.contains(text))
    };
    let in_code = |name: &&str| code.contains(&format!("\"{name}\""));
    let names: BTreeSet<&str> = used.iter().map(|name| made(name)).collect();
    let undocumented: Vec<_> = names.iter().copied().filter(|name| !documented(name)).collect();
    assert!(undocumented.is_empty(), "docs/telemetry.md does not have {undocumented:?}");
    let unknown: Vec<_> = names.iter().copied().filter(|name| !in_code(name)).collect();
    assert!(unknown.is_empty(), "no code makes {unknown:?}");
}

#[test]
fn every_alert_has_its_entry_in_the_runbook() {
    let runbook = read("docs/runbook.md");
    let headings: BTreeSet<&str> =
        runbook.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let mut alerts = BTreeSet::new();
    for rule in rules() {
        let Some(alert) = rule.alert else { continue };
        assert_eq!(
            rule.annotations.runbook_url,
            format!("docs/runbook.md#{}", alert.to_lowercase()),
            "{alert}"
        );
        assert!(["critical", "warning"].contains(&rule.labels.severity.as_str()), "{alert}");
        assert!(!rule.annotations.summary.is_empty(), "{alert}");
        alerts.insert(alert);
    }
    let alerts: BTreeSet<&str> = alerts.iter().map(String::as_str).collect();
    assert_eq!(headings, alerts, "entries of the runbook, and alerts");
    for alert in &alerts {
        let entry = runbook.split(&format!("### {alert}\n")).nth(1).unwrap();
        let entry =
            entry.split("\n## ").next().and_then(|entry| entry.split("\n### ").next()).unwrap();
        for part in ["**Means.**", "**Look.**", "**Do.**"] {
            assert!(entry.contains(part), "{alert} has no {part}");
        }
    }
}

#[test]
fn a_dashboard_that_names_an_alert_names_one_that_exists() {
    let alerts: BTreeSet<String> = rules().into_iter().filter_map(|rule| rule.alert).collect();
    for path in files("k8s/components/grafana/dashboards", "json") {
        let text = read(&path);
        for (_, named) in text.match_indices("Alert").map(|(at, _)| text[at..].split_at(5)) {
            let Some(list) = named.strip_prefix(": ").or_else(|| named.strip_prefix("s: ")) else {
                continue;
            };
            let list = list.split(['.', '"']).next().unwrap();
            for name in list.split(", ") {
                assert!(alerts.contains(name), "{}: {name}", path.display());
            }
        }
    }
}
