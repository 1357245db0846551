//! The table of faults: each process killed, paused and slowed in turn.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use journeys::Mesh;
use serde_json::Value;
use sqlx::{Connection as _, PgConnection};

use crate::{
    capability::Outcome,
    fault::Fault,
    report,
    row::{self, Players, Row, holds_within},
};

/// The number of players. Each tops up every few seconds, below svc-wallet's limits for one player
/// and one phone.
const PLAYERS: usize = 12;
/// How long the outbox may take to become empty at the end.
const OUTBOX_LIMIT: Duration = Duration::from_mins(6);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes half an hour, on a mesh of its own: cargo xtask faults"]
async fn table() {
    let mesh = Mesh::alone();
    let only = std::env::var("FAULTS_ONLY").unwrap_or_default();
    let only: Vec<String> = only.split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect();
    let faults = Fault::all(&only, report::replicas());
    let mut players = Players::new(&mesh, PLAYERS).await;
    let mut rows = Vec::new();
    for fault in &faults {
        let row = row::run(&mesh, fault, &mut players).await;
        eprintln!("{}", line(&row));
        for problem in &row.problems {
            eprintln!("  problem: {problem}");
        }
        rows.push(row);
    }
    let outbox = undelivered().await;
    let json: Vec<Value> = rows.iter().map(Row::json).collect();
    report::write(&markdown(&rows), &Value::from(json));

    let problems = rows.iter().flat_map(|row| {
        row.problems.iter().map(|problem| format!("{}: {problem}", row.fault.name()))
    });
    let problems: Vec<String> = problems.chain(outbox).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// The rows that the outboxes still hold after [`OUTBOX_LIMIT`].
async fn undelivered() -> Vec<String> {
    let mut problems = Vec::new();
    for name in ["AUTH_DATABASE_URL", "WALLET_DATABASE_URL"] {
        let url = std::env::var(name).unwrap();
        let rows = || async {
            let mut conn = PgConnection::connect(&url).await.unwrap();
            let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM outbox");
            count.fetch_one(&mut conn).await.unwrap()
        };
        if !holds_within(OUTBOX_LIMIT, || async { rows().await == 0 }).await {
            problems.push(format!("{} undelivered outbox rows in {name}", rows().await));
        }
    }
    problems
}

fn markdown(rows: &[Row]) -> String {
    let mut text =
        "| fault | works | impaired, and what players are told | recovery | accepted | lost |\n\
                    | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for row in rows {
        writeln!(text, "{}", line(row)).unwrap();
    }
    text
}

fn line(row: &Row) -> String {
    let recovery = row.recovery.map_or("none".to_owned(), |time| {
        if time.is_zero() { "at once".to_owned() } else { format!("{:.1} s", time.as_secs_f32()) }
    });
    let accepted = format!("{} top-ups, {} codes", row.top_ups.len(), row.messages);
    let lost = if row.problems.is_empty() { "none" } else { "see the problems" };
    let (works, impaired) = (works(row), impaired(row));
    format!("| {} | {works} | {impaired} | {recovery} | {accepted} | {lost} |", row.fault.name())
}

/// The capabilities without a failed call.
fn works(row: &Row) -> String {
    let working = row.fares.iter().filter(|(_, fare)| fare.works());
    let working: Vec<_> = working.collect();
    let late = working.iter().any(|(_, fare)| fare.is_late());
    if working.len() == row.fares.len() && !late {
        return "everything".to_owned();
    }
    let names = working.iter().map(|(capability, fare)| {
        let name = capability.name();
        if fare.is_late() {
            format!("{name} (in {:.1} s)", fare.median.as_secs_f32())
        } else {
            name.to_owned()
        }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The capabilities with failed calls, grouped by the refusal that players read.
fn impaired(row: &Row) -> String {
    let mut together: BTreeMap<Vec<&Outcome>, Vec<String>> = BTreeMap::new();
    for (capability, fare) in row.fares.iter().filter(|(_, fare)| !fare.works()) {
        let told = fare.refusals.keys().collect();
        let failed = fare.calls - fare.ok;
        let others = if fare.is_late() {
            format!(", others in {:.1} s", fare.median.as_secs_f32())
        } else {
            String::new()
        };
        let name = format!("{} ({failed} of {} failed{others})", capability.name(), fare.calls);
        together.entry(told).or_default().push(name);
    }
    if together.is_empty() {
        return "nothing".to_owned();
    }
    let groups = together.iter().map(|(told, names)| {
        let told: Vec<String> = told.iter().map(|outcome| outcome.describe()).collect();
        format!("{}: {}", names.join(", "), told.join(" or "))
    });
    groups.collect::<Vec<_>>().join("<br>")
}
