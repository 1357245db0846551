//! The report as Markdown, and its figures as JSON.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::{
    mix::{Class, Operation},
    outcome::{Overload, TIMES},
};

/// Prints a line of progress.
pub(crate) fn progress(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "  … {line}")
}

/// Writes the report to the file, or prints it.
pub(crate) fn print(overload: &Overload, file: Option<&Path>) -> Result<()> {
    let text = markdown(overload)?;
    let Some(file) = file else {
        write!(io::stdout(), "{text}")?;
        return Ok(());
    };
    let json = json(overload).to_string();
    fs::write(file, text)
        .and_then(|()| fs::write(file.with_extension("json"), json))
        .with_context(|| format!("cannot write {}", file.display()))
}

fn markdown(overload: &Overload) -> Result<String> {
    let mut text = String::new();
    let Overload { rate, during, before, after, lasts, .. } = overload;
    let seconds = lasts.as_secs().max(1);
    let sent = count(during.all.len()) / seconds;
    let alone = Operation::ALL.map(|operation| {
        let cost = overload.costs.of(operation);
        format!("{} {}", operation.name(), 1_000_000_000_u64.checked_div(cost).unwrap_or_default())
    });
    writeln!(text, "| | |\n| --- | --- |")?;
    writeln!(text, "| rates of one operation alone | {} a second |", alone.join(", "))?;
    writeln!(text, "| highest rate of the mix | {rate} a second |")?;
    writeln!(
        text,
        "| offered | {} a second for {seconds} s; sent {sent} a second, {} of them late |",
        rate * TIMES,
        during.late
    )?;
    writeln!(
        text,
        "| goodput | {} a second; in work {} of the highest |",
        during.accepted() / seconds,
        percent(overload.goodput())
    )?;
    for class in Class::ALL {
        let (sent, accepted) = during.classes().get(&class).copied().unwrap_or_default();
        let share = percent(overload.accepted_share(class));
        let (sent, accepted) = (sent / seconds, accepted / seconds);
        writeln!(text, "| {} | {accepted} of {sent} a second accepted ({share}) |", class.name())?;
    }
    let refusals = during.errors();
    let refusals =
        refusals.iter().map(|((class, kind), count)| format!("{}: {count} × {kind}", class.name()));
    writeln!(text, "| refusals | {} |", refusals.collect::<Vec<_>>().join("<br>"))?;
    writeln!(
        text,
        "| p99 of accepted requests | before {} ms, during {} ms, after {} ms |",
        before.p99().as_millis(),
        during.p99().as_millis(),
        after.p99().as_millis()
    )?;
    let recovery = overload.recovery().map_or("none".to_owned(), within);
    writeln!(text, "| normal again | {recovery} |")?;
    Ok(text)
}

fn within(time: Duration) -> String {
    if time.is_zero() { "at once".to_owned() } else { format!("after {} s", time.as_secs()) }
}

fn json(overload: &Overload) -> Value {
    let Overload { rate, during, before, after, lasts, .. } = overload;
    let seconds = lasts.as_secs().max(1);
    let classes = Class::ALL.map(|class| {
        let (sent, accepted) = during.classes().get(&class).copied().unwrap_or_default();
        json!({"class": class.name(), "sent": sent, "accepted": accepted})
    });
    let refusals = during
        .errors()
        .into_iter()
        .map(|((class, kind), count)| json!({"class": class.name(), "kind": kind, "count": count}));
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    json!({
        "peakPerSecond": rate,
        "offeredPerSecond": rate * TIMES,
        "sentPerSecond": count(during.all.len()) / seconds,
        "late": during.late,
        "goodputPerSecond": during.accepted() / seconds,
        "goodputThousandths": overload.goodput(),
        "classes": classes,
        "refusals": refusals.collect::<Vec<_>>(),
        "p99MsBefore": millis(before.p99()),
        "p99MsDuring": millis(during.p99()),
        "p99MsAfter": millis(after.p99()),
        "recoverySeconds": overload.recovery().map(|time| time.as_secs()),
        "problems": overload.problems(),
    })
}

/// Thousandths as a percentage.
fn percent(thousandths: u64) -> String {
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
