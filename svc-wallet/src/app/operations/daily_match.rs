//! The daily match: compares a provider's statement of a day with our records.
//!
//! A payment that the provider lists and whose messages were lost is settled by the match. Every
//! other difference is a break, until a later match or an operator ends it.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use anyhow::Context as _;
use mesh::{instrument, jobs::Round};
use tracing::{error, info, warn};
use types::Money;

use crate::{
    app::{
        Cx,
        card::{self, verify::apply_transaction},
        payin::settle::settle,
    },
    clients::paystack::VerifyResult,
    domain::{
        BreakKind, CardStatus, CardTransaction, Day, Difference, Evidence, ProviderLine,
        StatementOf, compare,
    },
    error::Error,
    store,
};

/// The cause of payments that the match settles.
const CAUSE: &str = "daily match";
/// The lease of the job: afterwards another replica may run it, or the same one again after a
/// failure.
const LEASE: Duration = Duration::from_mins(10);
/// Maximum receipts per statement.
const BATCH: usize = 1_000;
/// Maximum open breaks per query.
const OPEN_BATCH: i64 = 1_000;

/// Compares each provider's statements of the days that were not compared yet, up to the last.
pub(crate) async fn daily_match(cx: &Cx) -> Result<Round, Error> {
    let last = Day::last(cx.clock.now());
    // A provider that fails does not hold up the other.
    let mpesa = match_up_to(cx, StatementOf::Mpesa, last).await;
    let cards = match_up_to(cx, StatementOf::Paystack, last).await;
    mpesa.and(cards)?;
    Ok(Round::Done)
}

async fn match_up_to(cx: &Cx, of: StatementOf, last: Day) -> Result<(), Error> {
    loop {
        let mut conn = cx.db.acquire().await?;
        let done = store::daily_job::claim(&mut conn, of.job(), last.0, LEASE).await?;
        drop(conn);
        let Some(done) = done else { return Ok(()) };
        let day = of.next_day(done, last);
        let missed = (day.0 - done).whole_days() - 1;
        if missed > 0 {
            error!(provider = of.name(), after = %done, before = %day.0, missed, "days were not compared with the provider's statement");
        }
        let found = match_day(cx, of, day).await?;
        let mut conn = cx.db.acquire().await?;
        store::daily_job::finish(&mut conn, of.job(), day.0, found).await?;
    }
}

/// Compares a day with a provider's statement; returns the number of differences.
#[instrument(name = "wallet.match_statement", skip_all,
    fields(provider = of.name(), day = %day.0))]
async fn match_day(cx: &Cx, of: StatementOf, day: Day) -> Result<i64, Error> {
    let theirs = lines(cx, of, day).await?;
    let mut known = known(cx, theirs.iter().map(|line| line.reference.clone())).await?;
    for line in theirs.iter().filter(|line| !known.contains_key(&line.reference)) {
        match of {
            StatementOf::Mpesa => settle_mpesa(cx, line).await?,
            StatementOf::Paystack => settle_card(cx, line).await?,
        }
    }
    known = self::known(cx, theirs.iter().map(|line| line.reference.clone())).await?;
    let mut conn = cx.db.acquire().await?;
    let ours = store::recon_break::receipts_of(&mut conn, of, day).await?;
    let found = compare(day, &theirs, &known, &ours);
    let now = cx.clock.now();
    for difference in &found {
        let id = cx.rng.uuid_v7(now);
        store::recon_break::open(&mut conn, id, of, day, difference, now).await?;
    }
    drop(conn);
    close_matched(cx, of, &theirs, &found).await?;
    if found.is_empty() {
        info!(payments = theirs.len(), "the provider's statement matches ours");
    } else {
        warn!(breaks = found.len(), "the provider's statement differs from ours");
    }
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

/// Returns the provider's lines of the day, and of an hour before and after it.
async fn lines(cx: &Cx, of: StatementOf, day: Day) -> Result<Vec<ProviderLine>, Error> {
    let (from, to) = day.wide_span();
    if of == StatementOf::Mpesa {
        return Ok(cx.daraja.pull(from, to).await?);
    }
    let transactions = cx.paystack.transactions(from, to).await;
    let transactions = transactions.context("Paystack has not listed its transactions")?;
    let is_live = cx.paystack.expects_live();
    Ok(transactions.into_iter().filter_map(|found| card_line(found, is_live)).collect())
}

/// Returns the line of a transaction that was paid, even if it was given back since.
fn card_line(found: CardTransaction, is_live: bool) -> Option<ProviderLine> {
    let is_paid = matches!(found.status, CardStatus::Success | CardStatus::Reversed);
    let is_ours = found.currency == "KES" && found.is_live == is_live;
    Some(ProviderLine {
        reference: found.id,
        amount: found.amount,
        at: found.paid_at.filter(|_| is_paid && is_ours)?,
        account: Some(found.reference),
        phone: None,
    })
}

/// Settles the payment of a line whose callback was lost, or adds the receipt to a payment that was
/// settled by a query.
async fn settle_mpesa(cx: &Cx, line: &ProviderLine) -> Result<(), Error> {
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

/// Settles the payment of a transaction whose events were lost, by its state at Paystack now. Does
/// nothing while Paystack does not answer: then the line is a break.
async fn settle_card(cx: &Cx, line: &ProviderLine) -> Result<(), Error> {
    let reference = line.account.as_deref().unwrap_or_default();
    if let Some(reference) = card::events::known(cx, reference).await?
        && let VerifyResult::Found(found) = cx.paystack.verify(reference).await
    {
        apply_transaction(cx, reference, &found, CAUSE).await?;
    }
    Ok(())
}

/// Returns the amounts that we have under these receipts.
async fn known(
    cx: &Cx,
    receipts: impl Iterator<Item = String>,
) -> Result<HashMap<String, Money>, Error> {
    let receipts: Vec<String> = receipts.collect();
    let mut known = HashMap::with_capacity(receipts.len());
    let mut conn = cx.db.acquire().await?;
    for batch in receipts.chunks(BATCH) {
        known.extend(store::recon_break::known(&mut conn, batch).await?);
    }
    Ok(known)
}

/// Closes the open breaks that now match, because the missing payment came later.
async fn close_matched(
    cx: &Cx,
    of: StatementOf,
    theirs: &[ProviderLine],
    found: &[Difference],
) -> Result<(), Error> {
    let listed: HashMap<&str, Money> =
        theirs.iter().map(|line| (line.reference.as_str(), line.amount)).collect();
    let found: HashSet<&Difference> = found.iter().collect();
    let mut after = None;
    loop {
        let mut conn = cx.db.acquire().await?;
        let open = store::recon_break::list(&mut conn, Some(of), false, after, OPEN_BATCH).await?;
        drop(conn);
        let Some(last) = open.last() else { return Ok(()) };
        after = Some(last.id);
        let ours = known(cx, open.iter().map(|one| one.difference.reference.clone())).await?;
        let mut conn = cx.db.acquire().await?;
        for one in open {
            let reference = one.difference.reference.as_str();
            if matches!(one.difference.kind, BreakKind::Lost | BreakKind::Balance) {
                continue;
            }
            let is_new = found.contains(&one.difference);
            let (theirs, ours) = (listed.get(reference).copied(), ours.get(reference).copied());
            if !is_new && one.difference.is_matched(theirs, ours) {
                let now = cx.clock.now();
                store::recon_break::resolve(&mut conn, one.id, None, "a later match", now).await?;
            }
        }
    }
}
