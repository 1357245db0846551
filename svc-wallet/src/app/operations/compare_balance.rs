//! The daily comparison of M-Pesa's balance with the ledger.
//!
//! It sees what the match of payments cannot: money that left M-Pesa without a payment of ours,
//! such as a withdrawal that a failover lost, a charge, or a transfer of PlayOn's own.

use std::time::Duration;

use mesh::{instrument, jobs::Round};
use sqlx::PgConnection;
use tracing::{error, info, warn};
use types::Money;
use uuid::Uuid;

use crate::{
    app::{
        Cx,
        inbox::{APPLIED, CallbackOutcome, close, secret},
    },
    clients::daraja::parse_balance_result,
    domain::{ANSWERED_IN, Balances, BreakKind, CallbackKind, Day, Difference, StatementOf, TRIES},
    error::Error,
    store::{
        self,
        callback::StoredCallback,
        mpesa_balance::{Answers, Comparison},
    },
};

/// The name of the daily job.
const JOB: &str = "compare_balance";
/// The lease of the job: afterwards it asks again, when an answer is missing, or when the two are
/// apart.
const LEASE: Duration = Duration::from_mins(10);
/// The outcome of an answer to a query that has one, or that is too old.
const LATE: &str = "late";
/// The outcome of a time-out in Daraja's queue, as of a payout's.
const TIMED_OUT: &str = "timed out";
/// The outcome of an answer without a balance.
const REFUSED: &str = "refused";
/// The outcome of an answer that cannot be read.
const UNREADABLE: &str = "unreadable";

/// Queries the balance of each of our short codes, once a day from three in the morning on.
pub(crate) async fn compare_balance(cx: &Cx) -> Result<Round, Error> {
    let day = Day::last(cx.clock.now());
    let mut conn = cx.db.acquire().await?;
    let claimed = store::daily_job::claim(&mut conn, JOB, day.0, LEASE).await?;
    drop(conn);
    if claimed.is_some() {
        ask(cx).await?;
    }
    Ok(Round::Done)
}

#[instrument(name = "wallet.ask_balance", skip_all)]
async fn ask(cx: &Cx) -> Result<(), Error> {
    let now = cx.clock.now();
    let round = cx.rng.uuid_v7(now);
    let codes = cx.daraja.short_codes();
    let secrets: Vec<_> =
        codes.iter().map(|_| secret::generate(cx, CallbackKind::MpesaStatus)).collect();
    let mut tx = cx.db.begin().await?;
    store::mpesa_balance::sweep(&mut tx, now).await?;
    for (code, secret) in codes.iter().zip(&secrets) {
        store::mpesa_balance::insert(&mut tx, round, code, &secret::hash(secret), now).await?;
    }
    tx.commit().await?;
    for (code, secret) in codes.iter().zip(&secrets) {
        cx.daraja.query_balance(code, secret).await;
    }
    Ok(())
}

/// Applies an answer of M-Pesa; `None` if no balance query has its secret.
pub(crate) async fn apply(
    cx: &Cx,
    stored: &StoredCallback,
) -> Result<Option<CallbackOutcome>, Error> {
    let mut conn = cx.db.acquire().await?;
    let is_asked = store::mpesa_balance::is_asked(&mut conn, &stored.secret_hash).await?;
    drop(conn);
    if !is_asked {
        return Ok(None);
    }
    let mut tx = cx.db.begin().await?;
    // A time-out has no balance; the job asks again.
    let outcome = if stored.kind == CallbackKind::MpesaTimeout {
        TIMED_OUT
    } else {
        match parse_balance_result(&stored.body) {
            Ok(Some(balance)) => keep(&mut tx, cx, stored, balance).await?,
            Ok(None) => REFUSED,
            Err(_) => {
                error!(callback.id = %stored.id, "the answer to a balance query cannot be read");
                UNREADABLE
            }
        }
    };
    close(&mut tx, stored, outcome).await?;
    tx.commit().await?;
    Ok(Some(CallbackOutcome::Closed(outcome)))
}

/// Keeps an answer, and compares once it is the last of its round.
async fn keep(
    conn: &mut PgConnection,
    cx: &Cx,
    stored: &StoredCallback,
    balance: Money,
) -> Result<&'static str, Error> {
    let Some(round) = store::mpesa_balance::answer(conn, &stored.secret_hash, balance).await?
    else {
        return Ok(LATE);
    };
    let Some(answers) = store::mpesa_balance::answers(conn, round).await? else {
        return Ok(APPLIED);
    };
    let after = cx.clock.now() - answers.asked_at;
    if after > ANSWERED_IN {
        warn!(seconds = after.whole_seconds(), "M-Pesa's balance came too late to be compared");
        return Ok(LATE);
    }
    compare(conn, cx, round, answers).await?;
    Ok(APPLIED)
}

async fn compare(
    conn: &mut PgConnection,
    cx: &Cx,
    round: Uuid,
    answers: Answers,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let day = Day::last(now);
    let Answers { cents: theirs, short_codes, .. } = answers;
    let ours = store::mpesa_balance::ours(conn).await?;
    let balances = Balances { theirs, ours: ours.cents };
    let base = store::mpesa_balance::base(conn, &short_codes).await?;
    if base.is_none() {
        warn!(short_codes, theirs, "M-Pesa's balance is compared from now on");
    }
    let is_base = base.is_none();
    let moved = balances.since(base.unwrap_or(balances));
    let is_apart = moved.is_apart(cx.balance_tolerance);
    let comparison =
        Comparison { round, day: day.0, at: now, short_codes, theirs, ours, is_base, is_apart };
    let tries = store::mpesa_balance::insert_comparison(conn, &comparison).await?;
    if !is_apart {
        info!(theirs = moved.theirs, ours = moved.ours, "M-Pesa's balance moved as the ledger");
        store::daily_job::finish(conn, JOB, day.0, 0).await?;
    } else if tries >= TRIES {
        open_break(conn, cx, day, moved).await?;
        store::daily_job::finish(conn, JOB, day.0, 1).await?;
    }
    Ok(())
}

/// Opens a break with the movements, unless one is open. An operator closes it, also where the
/// difference goes: another movement may have hidden it.
async fn open_break(
    conn: &mut PgConnection,
    cx: &Cx,
    day: Day,
    Balances { theirs, ours }: Balances,
) -> Result<(), Error> {
    warn!(theirs, ours, "M-Pesa's balance and the ledger moved apart");
    if store::mpesa_balance::has_open_break(conn).await? {
        return Ok(());
    }
    let difference = Difference {
        reference: day.0.to_string(),
        kind: BreakKind::Balance,
        ours: Some(Money::from_cents(ours)),
        theirs: Some(Money::from_cents(theirs)),
    };
    let now = cx.clock.now();
    let id = cx.rng.uuid_v7(now);
    store::recon_break::open(conn, id, StatementOf::Mpesa, day, &difference, now).await?;
    Ok(())
}
