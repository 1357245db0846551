//! `journal`, `posting`: reading the ledger, which [`super::ledger`] writes. Also
//! `outside_payment`: lines of a history that are not postings of a wallet.

use std::ops::Range;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Page, PlayerId};
use uuid::Uuid;

use crate::domain::{
    AwardId, ByPeriod, Counterparty, HistoryLine, HouseAccount, JournalKind, PaidAward, Payment,
    PaymentKind, Period, TransactionId,
};

/// A page of a player's history, newest first: the lines before a cursor, or else by number.
/// Postings of the wallet and payments from outside share one order. A receipt is returned to the
/// payer only, who is the owner of a top-up. The tax of a line is the wallet's next posting, because
/// the transaction that posts the money holds the wallet's lock.
#[statement]
pub(crate) async fn history(
    conn: &mut PgConnection,
    player: PlayerId,
    before: Option<i64>,
    page: Page,
) -> sqlx::Result<Vec<HistoryLine>> {
    let offset = if before.is_some() { 0 } else { page.offset() };
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id AS "id!", kind AS "kind!", amount_cents AS "amount_cents!", detail,
                  created_at AS "created_at!", seq AS "seq!",
                  counterparty_id AS "counterparty_id!", balance_after_cents,
                  made.receipt AS "receipt?", made.paid_at AS "paid_at?",
                  tax.cents AS "tax_cents?"
           FROM (
               SELECT * FROM (
                   (SELECT journal_id AS id, kind, amount_cents, detail, created_at, seq,
                           counterparty_id, balance_after_cents,
                           ref,
                           CASE WHEN kind IN ('TOPUP', 'WITHDRAWAL') THEN ref END AS paid_by
                    FROM posting WHERE account_id = $1 AND seq < $2
                    ORDER BY seq DESC LIMIT $3::bigint + $4::bigint)
                   UNION ALL
                   (SELECT payment_id, kind, -amount_cents, detail, created_at, seq,
                           counterparty_id, NULL, NULL, payment_id
                    FROM outside_payment WHERE payer_id = $1 AND seq < $2
                    ORDER BY seq DESC LIMIT $3::bigint + $4::bigint)
               ) every
               ORDER BY seq DESC LIMIT $3 OFFSET $4
           ) line
           LEFT JOIN LATERAL (
               SELECT receipt, paid_at FROM stk_push WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM b2c_payout WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM card_payment WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM airtime_charge WHERE payment_id = line.paid_by
           ) made ON true
           LEFT JOIN LATERAL (
               SELECT kind AS tax_kind, ref AS tax_ref, -amount_cents AS cents FROM posting
               WHERE account_id = $1 AND posting.seq > line.seq ORDER BY posting.seq LIMIT 1
           ) tax ON tax_ref = line.ref AND tax_kind IN ('EXCISE', 'WITHHOLDING')
           ORDER BY seq DESC"#,
        player.uuid(),
        before.unwrap_or(i64::MAX),
        page.limit(),
        offset
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// One line of a player's history, if the player has one with this id.
#[statement]
pub(crate) async fn find_line(
    conn: &mut PgConnection,
    player: PlayerId,
    id: TransactionId,
) -> sqlx::Result<Option<HistoryLine>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id AS "id!", kind AS "kind!", amount_cents AS "amount_cents!", detail,
                  created_at AS "created_at!", seq AS "seq!",
                  counterparty_id AS "counterparty_id!", balance_after_cents,
                  made.receipt AS "receipt?", made.paid_at AS "paid_at?",
                  tax.cents AS "tax_cents?"
           FROM (
               SELECT journal_id AS id, kind, amount_cents, detail, created_at, seq,
                      counterparty_id, balance_after_cents,
                      ref,
                      CASE WHEN kind IN ('TOPUP', 'WITHDRAWAL') THEN ref END AS paid_by
               FROM posting WHERE journal_id = $2 AND account_id = $1
               UNION ALL
               SELECT payment_id, kind, -amount_cents, detail, created_at, seq,
                      counterparty_id, NULL, NULL, payment_id
               FROM outside_payment WHERE payment_id = $2 AND payer_id = $1
           ) line
           LEFT JOIN LATERAL (
               SELECT receipt, paid_at FROM stk_push WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM b2c_payout WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM card_payment WHERE payment_id = line.paid_by
               UNION ALL
               SELECT receipt, paid_at FROM airtime_charge WHERE payment_id = line.paid_by
           ) made ON true
           LEFT JOIN LATERAL (
               SELECT kind AS tax_kind, ref AS tax_ref, -amount_cents AS cents FROM posting
               WHERE account_id = $1 AND posting.seq > line.seq ORDER BY posting.seq LIMIT 1
           ) tax ON tax_ref = line.ref AND tax_kind IN ('EXCISE', 'WITHHOLDING')"#,
        player.uuid(),
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// Returns the range of some days in a player's history: the place of the first line, and of the
/// first line after them. A line belongs to the time at which the history got it, so consecutive
/// days have each line once, although an award may be posted later than it was given.
#[statement]
pub(crate) async fn range(
    conn: &mut PgConnection,
    player: PlayerId,
    begins_at: OffsetDateTime,
    ends_at: OffsetDateTime,
) -> sqlx::Result<Range<i64>> {
    let row = sqlx::query!(
        r#"SELECT min(seq) FILTER (WHERE created_at >= $2) AS first,
                  min(seq) FILTER (WHERE created_at >= $3) AS next,
                  coalesce(max(seq), 0) + 1 AS "end!"
           FROM (
               SELECT seq, created_at FROM posting WHERE account_id = $1
               UNION ALL
               SELECT seq, created_at FROM outside_payment WHERE payer_id = $1
           ) line"#,
        player.uuid(),
        begins_at,
        ends_at
    )
    .fetch_one(conn)
    .await?;
    let next = row.next.unwrap_or(row.end);
    Ok(row.first.unwrap_or(next)..next)
}

/// Returns the prizes that a player has won in the periods that `now` is in.
#[statement]
pub(crate) async fn won(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<ByPeriod<Money>> {
    let [day, week, month] = Period::ALL.map(|period| period.begin(now));
    let row = sqlx::query!(
        r#"SELECT coalesce(sum(amount_cents) FILTER (WHERE created_at >= $2), 0)::bigint AS "day!",
                  coalesce(sum(amount_cents) FILTER (WHERE created_at >= $3), 0)::bigint AS "week!",
                  coalesce(sum(amount_cents) FILTER (WHERE created_at >= $4), 0)::bigint AS "month!"
           FROM posting
           WHERE account_id = $1 AND kind = 'AWARD' AND created_at >= least($3, $4)"#,
        player.uuid(),
        day,
        week,
        month
    )
    .fetch_one(conn)
    .await?;
    let [day, week, month] = [row.day, row.week, row.month].map(Money::from_cents);
    Ok(ByPeriod { day, week, month })
}

/// The balance of a wallet before a place in its history.
#[statement]
pub(crate) async fn balance_before(
    conn: &mut PgConnection,
    player: PlayerId,
    place: i64,
) -> sqlx::Result<Money> {
    let cents = sqlx::query_scalar!(
        r#"SELECT balance_after_cents AS "cents!" FROM posting
           WHERE account_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT 1"#,
        player.uuid(),
        place
    )
    .fetch_optional(conn)
    .await?;
    Ok(cents.map_or(Money::ZERO, Money::from_cents))
}

/// Adds a line to the payer's history for a payment from outside, in the transaction that moves its
/// money.
#[statement]
pub(crate) async fn insert_outside(
    conn: &mut PgConnection,
    payment: &Payment,
    kind: JournalKind,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    let counterparty = if payment.kind == PaymentKind::Boost {
        payment.beneficiary.uuid()
    } else {
        HouseAccount::SubscriptionRevenue.id()
    };
    sqlx::query!(
        "INSERT INTO outside_payment
             (payer_id, payment_id, kind, amount_cents, counterparty_id, detail, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        payment.payer.uuid(),
        payment.id.uuid(),
        <&str>::from(kind),
        payment.amount.cents(),
        counterparty,
        payment.package_detail(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    kind: String,
    amount_cents: i64,
    detail: Option<String>,
    created_at: OffsetDateTime,
    seq: i64,
    counterparty_id: Uuid,
    balance_after_cents: Option<i64>,
    tax_cents: Option<i64>,
    /// The provider's receipt of the payment, and its time.
    receipt: Option<String>,
    paid_at: Option<OffsetDateTime>,
}

impl Row {
    fn parse(self) -> sqlx::Result<HistoryLine> {
        let house = HouseAccount::of_id(self.counterparty_id);
        Ok(HistoryLine {
            id: self.id.into(),
            kind: super::parse("posting.kind", &self.kind)?,
            amount: Money::from_cents(self.amount_cents),
            balance_after: self.balance_after_cents.map(Money::from_cents),
            detail: self.detail,
            counterparty: house.map_or_else(
                || Counterparty::Player(self.counterparty_id.into()),
                Counterparty::House,
            ),
            cursor: self.seq,
            at: self.created_at,
            tax: self.tax_cents.map(Money::from_cents),
            receipt: self.receipt,
            paid_at: self.paid_at,
        })
    }
}

/// Returns the award that was posted under this id.
#[statement]
pub(crate) async fn find_award(
    conn: &mut PgConnection,
    id: AwardId,
) -> sqlx::Result<Option<PaidAward>> {
    // An award's other posting is on PROMOTIONS.
    let row = sqlx::query!(
        "SELECT p.account_id, p.amount_cents, p.detail
         FROM journal j JOIN posting p ON p.journal_id = j.id
         WHERE j.kind = 'AWARD' AND j.ref = $1 AND p.account_id <> $2",
        id.uuid(),
        HouseAccount::Promotions.id()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| PaidAward {
        player: row.account_id.into(),
        amount: Money::from_cents(row.amount_cents),
        detail: row.detail.unwrap_or_default(),
    }))
}
