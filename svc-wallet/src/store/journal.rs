//! `journal`, `posting`: the ledger, append-only.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Page, PlayerId};
use uuid::{Uuid, uuid};

use super::wallet::LockedWallet;
use crate::domain::{AwardId, Entry, HistoryLine, HouseAccount, PaidAward, Side};

/// Ids of the house accounts, from migration 0001.
const MPESA_UTILITY: Uuid = uuid!("00000000-0000-7000-8000-000000000001");
const SUSPENSE: Uuid = uuid!("00000000-0000-7000-8000-000000000002");
/// From migration 0009.
const PROMOTIONS: Uuid = uuid!("00000000-0000-7000-8000-000000000003");

/// Inserts a journal with both postings and updates the balances of its wallets, in one
/// statement. Lock the wallets first ([`super::wallet::lock`]).
///
/// Violates `wallet_covers` when a wallet has too little, and `journal_once` when this
/// event was posted already.
#[statement]
pub(crate) async fn post(
    conn: &mut PgConnection,
    id: Uuid,
    at: OffsetDateTime,
    entry: &Entry,
    wallets: &[LockedWallet],
) -> sqlx::Result<()> {
    let (from, from_detail) = account(&entry.from, wallets)?;
    let (to, to_detail) = account(&entry.to, wallets)?;
    let amount = entry.amount.cents();
    sqlx::query!(
        "WITH line AS (
             SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[])
                 AS line (account_id, amount_cents, detail)
         ), journal AS (
             INSERT INTO journal (id, kind, ref, created_at) VALUES ($4, $5, $6, $7)
         ), wallet AS (
             UPDATE wallet SET posted_cents = posted_cents + line.amount_cents,
                               version = version + 1
             FROM line WHERE wallet.account_id = line.account_id
             RETURNING wallet.account_id, wallet.posted_cents
         )
         INSERT INTO posting (journal_id, account_id, amount_cents, balance_after_cents, detail)
         SELECT $4, line.account_id, line.amount_cents, wallet.posted_cents, line.detail
         FROM line LEFT JOIN wallet USING (account_id)",
        &[from, to],
        &[-amount, amount],
        &[from_detail, to_detail] as &[Option<String>],
        id,
        <&str>::from(entry.kind),
        entry.reference,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A page of a player's history, newest first.
#[statement]
pub(crate) async fn history(
    conn: &mut PgConnection,
    player: PlayerId,
    page: Page,
) -> sqlx::Result<Vec<HistoryLine>> {
    let rows = sqlx::query!(
        r#"SELECT j.id, j.kind, p.amount_cents, p.detail, j.created_at,
                  p.balance_after_cents AS "balance_after_cents!",
                  stk.receipt AS "receipt?", stk.paid_at AS "paid_at?"
           FROM posting p
           JOIN journal j ON j.id = p.journal_id
           -- Only the payer may see the receipt.
           LEFT JOIN payment pay ON pay.id = j.ref AND pay.payer_id = $1
           LEFT JOIN stk_push stk ON stk.payment_id = pay.id
           WHERE p.account_id = $1
           ORDER BY p.seq DESC LIMIT $2 OFFSET $3"#,
        player.uuid(),
        page.limit(),
        page.offset()
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(HistoryLine {
                journal: row.id.into(),
                kind: super::parse("journal.kind", &row.kind)?,
                amount: Money::from_cents(row.amount_cents),
                balance_after: Money::from_cents(row.balance_after_cents),
                detail: row.detail,
                at: row.created_at,
                receipt: row.receipt,
                paid_at: row.paid_at,
            })
        })
        .collect()
}

/// What was posted under an award's id, if it was.
#[statement]
pub(crate) async fn find_award(
    conn: &mut PgConnection,
    id: AwardId,
) -> sqlx::Result<Option<PaidAward>> {
    // Its other posting is on PROMOTIONS.
    let row = sqlx::query!(
        "SELECT p.account_id, p.amount_cents, p.detail
         FROM journal j JOIN posting p ON p.journal_id = j.id
         WHERE j.kind = 'AWARD' AND j.ref = $1 AND p.account_id <> $2",
        id.uuid(),
        PROMOTIONS
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| PaidAward {
        player: row.account_id.into(),
        amount: Money::from_cents(row.amount_cents),
        detail: row.detail.unwrap_or_default(),
    }))
}

fn account(side: &Side, wallets: &[LockedWallet]) -> sqlx::Result<(Uuid, Option<String>)> {
    match side {
        Side::House(HouseAccount::MpesaUtility) => Ok((MPESA_UTILITY, None)),
        Side::House(HouseAccount::Suspense) => Ok((SUSPENSE, None)),
        Side::House(HouseAccount::Promotions) => Ok((PROMOTIONS, None)),
        Side::Wallet { player, detail } => wallets
            .iter()
            .find(|wallet| wallet.player == *player)
            .map(|wallet| (wallet.account, detail.clone()))
            .ok_or_else(|| sqlx::Error::Protocol("posting to a wallet that is not locked".into())),
    }
}
