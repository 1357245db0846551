//! Writing the ledger: the SQL functions of the schema, which the service's role may only execute.
//! Each is one round trip, runs in the caller's transaction, and locks wallets in the order of
//! their ids. A refusal by a rule of the ledger is returned as a value; then nothing is written,
//! and the transaction can continue.
//!
//! ```text
//! post         moves money from an account to another: top-ups, awards, purchases, refunds
//! hold         sets amount and fee of a wallet aside for a payment
//! settle_hold  ends the hold by a withdrawal
//! release      ends the hold without a withdrawal
//! transfer     makes boosts from wallet to wallet, with their payments and outbox rows
//! ```

use mesh::{
    db::statement,
    idempotency::{Fingerprint, RequestId},
    instrument,
};
use serde_json::Value;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};
use uuid::Uuid;

use super::payment::{binary, digest};
use crate::domain::{Entry, Held, HoldEnd, JournalId, Payment, PaymentId, Posted, Side};

/// Posts a journal with both lines, and updates the balances of its wallets; a wallet that is
/// credited is opened if the player has none. `id` becomes the journal's.
///
/// An event (kind and reference) is posted once: [`Posted::Repeated`] says that the ledger has
/// it, with whatever content. Call it as late as possible in the transaction: wallets stay
/// locked until it ends.
#[instrument(
    name = "db.journal.post",
    skip_all,
    fields(otel.kind = "client", db.system.name = "postgresql")
)]
pub(crate) async fn post(
    conn: &mut PgConnection,
    id: Uuid,
    at: OffsetDateTime,
    entry: &Entry,
) -> sqlx::Result<Posted> {
    let ((from, from_detail), (to, to_detail)) = (account(&entry.from), account(&entry.to));
    let posted = sqlx::query_scalar!(
        r#"SELECT ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS "outcome!""#,
        id,
        <&str>::from(entry.kind),
        entry.reference,
        at,
        from,
        to,
        entry.amount.cents(),
        entry.counterparty.map(PlayerId::uuid),
        to_detail.or(from_detail),
        entry.reverses.map(JournalId::uuid)
    )
    .fetch_one(conn)
    .await?;
    super::parse("the outcome of ledger_post", &posted)
}

/// Sets `amount` and `fee` of a wallet aside for a payment, once. They stay in the balance and
/// cannot be spent until [`settle_hold`] or [`release`] ends the hold.
#[statement]
pub(crate) async fn hold(
    conn: &mut PgConnection,
    payment: PaymentId,
    player: PlayerId,
    amount: Money,
    fee: Money,
    at: OffsetDateTime,
) -> sqlx::Result<Held> {
    let held = sqlx::query_scalar!(
        r#"SELECT ledger_hold($1, $2, $3, $4, $5) AS "outcome!""#,
        payment.uuid(),
        player.uuid(),
        amount.cents(),
        fee.cents(),
        at
    )
    .fetch_one(conn)
    .await?;
    super::parse("the outcome of ledger_hold", &held)
}

/// Ends a payment's hold by a journal with the id `journal`: kind WITHDRAWAL, the payment as
/// reference, the amount to `MPESA_UTILITY` and the fee to `WITHDRAWAL_FEE`.
#[statement]
pub(crate) async fn settle_hold(
    conn: &mut PgConnection,
    payment: PaymentId,
    journal: Uuid,
    at: OffsetDateTime,
) -> sqlx::Result<HoldEnd> {
    let settled = sqlx::query_scalar!(
        r#"SELECT ledger_settle_hold($1, $2, $3) AS "outcome!""#,
        payment.uuid(),
        journal,
        at
    )
    .fetch_one(conn)
    .await?;
    Ok(match settled.as_str() {
        "SETTLED" => HoldEnd::Done,
        "REPEATED" => HoldEnd::Repeated,
        "RELEASED" => HoldEnd::Otherwise,
        _ => HoldEnd::Unknown,
    })
}

/// Ends a payment's hold, and frees its money.
#[statement]
pub(crate) async fn release(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
) -> sqlx::Result<HoldEnd> {
    let released =
        sqlx::query_scalar!(r#"SELECT ledger_release($1, $2) AS "outcome!""#, payment.uuid(), at)
            .fetch_one(conn)
            .await?;
    Ok(match released.as_str() {
        "RELEASED" => HoldEnd::Done,
        "REPEATED" => HoldEnd::Repeated,
        "SETTLED" => HoldEnd::Otherwise,
        _ => HoldEnd::Unknown,
    })
}

/// A boost from wallet to wallet: a payment that has succeeded once it is written.
#[derive(Debug)]
pub(crate) struct Transfer {
    /// The payment, in SUCCEEDED and by WALLET.
    pub(crate) payment: Payment,
    pub(crate) request: RequestId,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) traceparent: Option<String>,
    /// The id of the journal.
    pub(crate) journal: Uuid,
    /// The id and the payload of the outbox row (`chat.notify`) that notifies the friend.
    pub(crate) notice: (Uuid, Value),
}

/// The result of a transfer. Only [`Done`](Self::Done) has written anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Transferred {
    Done,
    /// The payer has used the request id before: [`super::payment::find_request`] returns the
    /// payment.
    Repeated,
    /// The payee has no wallet: call [`open_wallet`], if the player exists.
    NoWallet,
    InsufficientFunds,
    /// The transfer exceeds, with today's others, what a player may send in a day.
    DailyLimit,
}

/// Makes transfers, each with its payment and outbox row, in one statement; returns an outcome
/// for each, in order. No player may pay twice or both pay and be paid; a payee may be paid
/// several times. An error means that none was made.
#[statement]
pub(crate) async fn transfer(
    conn: &mut PgConnection,
    transfers: &[Transfer],
    at: OffsetDateTime,
) -> sqlx::Result<Vec<Transferred>> {
    let ids = |id: fn(&Transfer) -> Uuid| transfers.iter().map(id).collect::<Vec<_>>();
    let fingerprints: Vec<Vec<u8>> =
        transfers.iter().map(|one| binary(&one.fingerprint)).collect::<sqlx::Result<_>>()?;
    let traces: Vec<Option<String>> = transfers.iter().map(|one| one.traceparent.clone()).collect();
    let amounts: Vec<i64> = transfers.iter().map(|one| one.payment.amount.cents()).collect();
    let notices: Vec<Value> = transfers.iter().map(|one| one.notice.1.clone()).collect();
    let outcomes = sqlx::query_scalar!(
        r#"SELECT ledger_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS "outcomes!""#,
        &ids(|one| one.payment.id.uuid()),
        &ids(|one| one.journal),
        &ids(|one| one.payment.payer.uuid()),
        &ids(|one| one.payment.beneficiary.uuid()),
        &amounts,
        &ids(|one| digest(&one.request)),
        &fingerprints,
        &traces as &[Option<String>],
        &ids(|one| one.notice.0),
        &notices,
        at
    )
    .fetch_one(conn)
    .await?;
    outcomes.iter().map(|one| super::parse("the outcome of ledger_transfer", one)).collect()
}

/// Opens the wallet of a player who has none yet.
#[statement]
pub(crate) async fn open_wallet(
    conn: &mut PgConnection,
    player: PlayerId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT ledger_open_wallets($1, $2)", &[player.uuid()], at).execute(conn).await?;
    Ok(())
}

fn account(side: &Side) -> (Uuid, Option<&str>) {
    match side {
        Side::House(account) => (account.id(), None),
        Side::Wallet { player, detail } => (player.uuid(), detail.as_deref()),
    }
}
