//! The timing side channel: whether the time of a reply shows which addresses have an
//! account. Known and unknown addresses alternate; the mesh has no other load.

use std::time::Duration;

use anyhow::Result;
use http::Method;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    address::Target,
    client::{self, Connection},
    figures::{Figures, Recorder},
    players::Players,
};

/// A call that takes an email address.
struct Probe {
    path: &'static str,
    form: fn(&str) -> Value,
    /// The names of the figures for known and unknown addresses.
    names: [&'static str; 2],
}

const PROBES: [Probe; 2] = [
    Probe {
        path: "/api/auth/sign-in",
        form: |email| json!({"email": email, "password": "guess"}),
        names: ["timing-sign-in-known", "timing-sign-in-unknown"],
    },
    Probe {
        path: "/api/auth/password/reset",
        form: |email| json!({"email": email}),
        names: ["timing-password-reset-known", "timing-password-reset-unknown"],
    },
];

/// The figures of each call, for known and for unknown addresses, by name. Compare the
/// lower quartiles: other work on the machine only ever adds time.
///
/// Each player's address is probed once: ten wrong passwords lock an account, and an
/// address gets three mails an hour.
pub(crate) async fn measure(
    target: Target,
    players: &Players,
) -> Result<Vec<(&'static str, Figures)>> {
    let mut connection = Connection::new(target);
    let mut all = Vec::new();
    for probe in PROBES {
        let mut recorders = [Recorder::new()?, Recorder::new()?];
        let mut totals = [Duration::ZERO; 2];
        for round in 0..players.count() {
            let known = players.get(round)?.email.clone();
            let mut emails = [(0, known.clone()), (1, format!("unknown-{known}"))];
            // The second of a pair runs beside what the first left to background work.
            emails.rotate_left(round % 2);
            for (class, email) in emails {
                let latency = latency(&mut connection, probe.path, &(probe.form)(&email)).await?;
                recorders[class].success(latency);
                totals[class] += latency;
            }
        }
        for ((name, recorder), total) in probe.names.into_iter().zip(recorders).zip(totals) {
            all.push((name, recorder.figures(total)));
        }
    }
    Ok(all)
}

async fn latency(connection: &mut Connection, path: &str, form: &Value) -> Result<Duration> {
    let request = client::json(Method::POST, path, form)?;
    let begun = Instant::now();
    connection.call(request).await?;
    Ok(begun.elapsed())
}
