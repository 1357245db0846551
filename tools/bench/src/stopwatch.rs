//! Whether a stopwatch tells who has an account: the same question about a known
//! and about an unknown address, in turn, while nothing else is asked.

use std::{fmt, time::Duration};

use anyhow::Result;
use http::Method;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    client::{self, Connection},
    figures::{Millis, micros},
    players::Players,
    target::Target,
};

/// What is asked about an address.
type Form = fn(&str) -> Value;

/// The calls that could tell who has an account.
const CALLS: [(&str, Form); 2] = [
    ("/api/auth/sign-in", |email| json!({"email": email, "password": "guess"})),
    ("/api/auth/password/reset", |email| json!({"email": email})),
];

/// What a call takes for a known and for an unknown address, in microseconds.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Compared {
    call: &'static str,
    #[serde(rename = "knownMicros")]
    known: u64,
    #[serde(rename = "unknownMicros")]
    unknown: u64,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (known, unknown) = (Millis(self.known), Millis(self.unknown));
        write!(f, "{}: {known} for a known address, {unknown} for an unknown one", self.call)
    }
}

/// Asks about every player once: ten wrong passwords would close an account, and
/// an address gets three mails an hour.
pub(crate) async fn measure(target: Target, players: &Players) -> Result<Vec<Compared>> {
    let mut connection = Connection::to(target);
    let mut all = Vec::new();
    for (call, form) in CALLS {
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..players.count() {
            let known = players.turn(round)?.email().to_owned();
            let mut emails = [(0, known.clone()), (1, format!("nobody-{known}"))];
            // Whoever comes second runs beside what the first has left to be done.
            emails.rotate_left(round % 2);
            for (whose, email) in emails {
                times[whose].push(time_of(&mut connection, call, &form(&email)).await?);
            }
        }
        let [known, unknown] = times.map(undisturbed);
        all.push(Compared { call, known, unknown });
    }
    Ok(all)
}

async fn time_of(connection: &mut Connection, path: &str, form: &Value) -> Result<Duration> {
    let request = client::send(Method::POST, path, form)?;
    let begun = Instant::now();
    connection.call(request).await?;
    Ok(begun.elapsed())
}

/// The lower quartile: a busy machine only ever adds.
fn undisturbed(mut times: Vec<Duration>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 4).copied().map_or(0, micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_between_does_not_count() {
        let times = [9, 1, 2, 900, 1, 1, 1, 800].map(Duration::from_micros);
        assert_eq!(undisturbed(times.to_vec()), 1);
        assert_eq!(undisturbed(Vec::new()), 0);
    }
}
