//! Taking the tax of money that reaches a wallet, and what is owed to the state.

use mesh::instrument;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

use crate::{
    app::{Cx, ledger::post::post_once},
    domain::{
        Days, Entry, JournalKind, Payment, Posted, Side, Tax, TaxRate, TaxSum, stored_detail,
    },
    error::Error,
    store,
};

/// Takes the tax of an amount that this transaction has brought into a wallet. `reference` is the
/// payment or the award.
pub(crate) async fn take_tax(
    conn: &mut PgConnection,
    cx: &Cx,
    tax: Tax,
    (player, amount): (PlayerId, Money),
    reference: Uuid,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let rate = cx.taxes.rate(tax, now);
    let part = rate.of(amount);
    if part == Money::ZERO {
        return Ok(());
    }
    let detail = Some(stored_detail::of_tax(rate, amount));
    let (from, to) = (Side::Wallet { player, detail }, Side::House(tax.account()));
    let entry = Entry::new(tax.journal_kind(), reference, from, to, part);
    post_once(conn, cx, &entry, now).await
}

/// Returns the duty on a payment to its wallet, once, before the whole payment is refunded from
/// there. The duty stays returned if the refund fails.
pub(crate) async fn return_duty(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    refunded: Money,
    now: OffsetDateTime,
) -> Result<(), Error> {
    if refunded != payment.amount {
        return Ok(());
    }
    let Some((taken, duty)) = store::tax::find_duty(conn, payment).await? else { return Ok(()) };
    let detail = Some(stored_detail::DUTY_RETURNED.to_owned());
    let to = Side::Wallet { player: payment.beneficiary, detail };
    let (from, reference) = (Side::House(Tax::Excise.account()), payment.id.uuid());
    let entry = Entry {
        reverses: Some(taken),
        ..Entry::new(JournalKind::Reversal, reference, from, to, duty)
    };
    match store::ledger::post(conn, cx.rng.uuid_v7(now), now, &entry).await? {
        Posted::Done | Posted::Repeated => Ok(()),
        Posted::InsufficientFunds => {
            Err(anyhow::anyhow!("a house account without a balance was refused").into())
        }
    }
}

/// Returns the rate of the duty on a top-up today.
pub(crate) fn top_up_tax(cx: &Cx) -> TaxRate {
    cx.taxes.rate(Tax::Excise, cx.clock.now())
}

/// Returns what was taken of each tax on some days, less what was returned.
#[instrument(name = "wallet.taxes", skip_all)]
pub(crate) async fn taxes(cx: &Cx, days: Days) -> Result<Vec<TaxSum>, Error> {
    let mut conn = cx.db.acquire().await?;
    let mut taxes = Vec::new();
    for tax in Tax::ALL {
        taxes.push(store::tax::sum(&mut conn, tax, days).await?);
    }
    Ok(taxes)
}
