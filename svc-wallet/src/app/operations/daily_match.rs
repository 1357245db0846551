//! The daily match: what M-Pesa has of a day against what we have.
//!
//! A payment that M-Pesa has and whose messages were lost is settled by it. Everything else
//! that differs is a break, until a later match or an operator ends it.

use std::{collections::HashMap, time::Duration};

use mesh::{instrument, jobs::Round};
use tracing::{info, warn};
use types::Money;

use crate::{
    app::{Cx, settle::settle},
    domain::{Day, Difference, Evidence, ProviderLine, StatementOf, compare},
    error::Error,
    store,
};

/// The name of the job, and the cause of what it settles.
const JOB: &str = "match_mpesa";
const CAUSE: &str = "daily match";
/// After this long another replica may do it, or the same one again after a failure.
const LEASE: Duration = Duration::from_mins(10);
/// Receipts of one statement.
const BATCH: usize = 1_000;
/// Breaks of one look at the open ones.
const OPEN_BATCH: i64 = 1_000;

/// Compares the last day, unless that was done.
pub(crate) async fn daily_match(cx: &Cx) -> Result<Round, Error> {
    let day = Day::last(cx.clock.now());
    let mut conn = cx.db.acquire().await?;
    let claimed = store::daily_job::claim(&mut conn, JOB, day.0, LEASE).await?;
    drop(conn);
    if claimed {
        let found = match_mpesa(cx, day).await?;
        let mut conn = cx.db.acquire().await?;
        store::daily_job::finish(&mut conn, JOB, day.0, found).await?;
    }
    Ok(Round::Done)
}

/// Compares a day with M-Pesa's list; returns the number of differences.
#[instrument(name = "wallet.match_mpesa", skip_all, fields(day = %day.0))]
async fn match_mpesa(cx: &Cx, day: Day) -> Result<i64, Error> {
    let (from, to) = day.wide_span();
    let theirs = cx.daraja.pull(from, to).await?;
    let mut known = known(cx, theirs.iter().map(|line| line.reference.clone())).await?;
    for line in theirs.iter().filter(|line| !known.contains_key(&line.reference)) {
        settle_lost(cx, line).await?;
    }
    known = self::known(cx, theirs.iter().map(|line| line.reference.clone())).await?;
    let mut conn = cx.db.acquire().await?;
    let ours = store::recon_break::mpesa_of(&mut conn, day).await?;
    let found = compare(day, &theirs, &known, &ours);
    let now = cx.clock.now();
    for difference in &found {
        let (id, of) = (cx.rng.uuid_v7(now), StatementOf::Mpesa);
        store::recon_break::open(&mut conn, id, of, day, difference, now).await?;
    }
    drop(conn);
    close_matched(cx, &theirs, &found).await?;
    if found.is_empty() {
        info!(payments = theirs.len(), "M-Pesa's statement matches ours");
    } else {
        warn!(breaks = found.len(), "M-Pesa's statement differs from ours");
    }
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

/// Settles the payment of a line whose callback was lost, or adds its receipt to one that
/// was settled by a query.
async fn settle_lost(cx: &Cx, line: &ProviderLine) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let payment = store::recon_break::mpesa_payment(&mut conn, line).await?;
    drop(conn);
    if let Some(payment) = payment {
        let evidence = Evidence::Paid {
            receipt: Some(line.reference.clone()),
            amount: Some(line.amount),
            at: Some(line.at),
        };
        settle(cx, payment, &evidence, CAUSE).await?;
    }
    Ok(())
}

/// What we have under these receipts.
async fn known(
    cx: &Cx,
    receipts: impl Iterator<Item = String>,
) -> Result<HashMap<String, Money>, Error> {
    let receipts: Vec<String> = receipts.collect();
    let mut known = HashMap::with_capacity(receipts.len());
    let mut conn = cx.db.acquire().await?;
    for batch in receipts.chunks(BATCH) {
        known.extend(store::recon_break::mpesa_known(&mut conn, batch).await?);
    }
    Ok(known)
}

/// Closes the open breaks that match now: the missing one came later.
async fn close_matched(
    cx: &Cx,
    theirs: &[ProviderLine],
    found: &[Difference],
) -> Result<(), Error> {
    let of = Some(StatementOf::Mpesa);
    let listed: HashMap<&str, Money> =
        theirs.iter().map(|line| (line.reference.as_str(), line.amount)).collect();
    let mut after = None;
    loop {
        let mut conn = cx.db.acquire().await?;
        let open = store::recon_break::list(&mut conn, of, false, after, OPEN_BATCH).await?;
        drop(conn);
        let Some(last) = open.last() else { return Ok(()) };
        after = Some(last.id);
        let ours = known(cx, open.iter().map(|one| one.difference.reference.clone())).await?;
        let mut conn = cx.db.acquire().await?;
        for one in open {
            let reference = one.difference.reference.as_str();
            let is_new = found.contains(&one.difference);
            let (theirs, ours) = (listed.get(reference).copied(), ours.get(reference).copied());
            if !is_new && one.difference.is_matched(theirs, ours) {
                let now = cx.clock.now();
                store::recon_break::resolve(&mut conn, one.id, None, "a later match", now).await?;
            }
        }
    }
}
