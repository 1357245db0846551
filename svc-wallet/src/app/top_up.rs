//! Paying into a wallet: one's own, or a friend's.

use std::time::Duration;

use mesh::{
    auth::Player,
    idempotency::{Fingerprint, RequestId},
    telemetry,
};
use sqlx::PgConnection;
use time::{OffsetDateTime, UtcOffset, macros::offset};
use tracing::instrument;
use types::{Money, Msisdn, PlayerId};

use super::{About, Cx, PUSH_TOPIC, boost};
use crate::{
    domain::{
        Kind, Limits, Method, MethodId, Offer, Patience, Payment, PaymentId, State, next_question,
    },
    error::{Error, Refused},
    store,
};

/// A day of limits begins at midnight in Nairobi.
const NAIROBI: UtcOffset = offset!(+3);

/// What a player asks for.
#[derive(Debug, Clone)]
pub struct TopUp {
    /// The player's name for this attempt.
    pub request: RequestId,
    /// Which method, by its id.
    pub method: MethodId,
    /// How much.
    pub amount: Money,
    /// Which phone is to pay; as typed.
    pub phone: Option<String>,
    /// Whose wallet grows.
    pub beneficiary: PlayerId,
}

/// Writes a payment down and sets it on its way. The same request gets the same
/// payment, however often it comes, and whatever has changed since.
#[instrument(name = "wallet.top_up", skip_all, fields(player.id = %player.id, payment.id))]
pub async fn top_up(cx: &Cx, player: Player, ask: TopUp) -> Result<Payment, Error> {
    let fingerprint = fingerprint(&ask);
    let mut conn = cx.pool.acquire().await?;
    if let Some(payment) = repeated(&mut conn, player.id, &ask.request, &fingerprint).await? {
        return Ok(payment);
    }
    let kind = if ask.beneficiary == player.id { Kind::TopUp } else { Kind::Boost };
    let method = offered(&mut conn, kind, ask.method).await?;
    drop(conn);
    Limits::paying_in(method == Method::Mpesa).check(ask.amount)?;
    let payment = Payment {
        id: PaymentId::generate(&cx.clock, &cx.rng),
        kind,
        method,
        payer: player.id,
        beneficiary: ask.beneficiary,
        amount: ask.amount,
        fee: Money::ZERO,
        state: State::Created,
        phone: phone(method, ask.phone.as_deref())?,
        detail: "M-Pesa".to_owned(),
        begun: cx.clock.now(),
    };
    tracing::Span::current().record("payment.id", payment.id.to_string());
    match method {
        Method::Wallet => boost::from_wallet(cx, payment, &ask.request, &fingerprint).await,
        _ => from_mpesa(cx, payment, &ask.request, &fingerprint).await,
    }
}

async fn offered(conn: &mut PgConnection, kind: Kind, id: MethodId) -> Result<Method, Error> {
    let row = store::method::find(conn, id).await?.ok_or(Refused::UnknownMethod)?;
    match row.method.offer(kind) {
        Offer::Now => Ok(row.method),
        Offer::Soon => Err(Refused::MethodComingSoon { name: row.name }.into()),
        Offer::Never => Err(Refused::MethodNotAllowed.into()),
    }
}

fn phone(method: Method, typed: Option<&str>) -> Result<Option<Msisdn>, Refused> {
    match method {
        Method::Mpesa => {
            let typed = typed.unwrap_or_default();
            Msisdn::parse(typed).map(Some).map_err(|_| Refused::InvalidPhone)
        }
        _ => Ok(None),
    }
}

fn fingerprint(ask: &TopUp) -> Fingerprint {
    // Two spellings of a phone are one phone.
    let typed = ask.phone.as_deref().unwrap_or_default();
    let phone = Msisdn::parse(typed).map_or(typed.to_owned(), |phone| phone.digits().to_owned());
    Fingerprint::of(&[
        &ask.method.to_string(),
        &ask.amount.cents().to_string(),
        &ask.beneficiary.to_string(),
        &phone,
    ])
}

/// By M-Pesa nothing moves yet: the outbox asks the phone.
async fn from_mpesa(
    cx: &Cx,
    mut payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    if payment.kind == Kind::Boost {
        payment.detail = boost::pair(cx, &payment).await?.received();
    }
    let traceparent = telemetry::traceparent();
    let mut tx = cx.pool.begin().await?;
    let fresh =
        store::payment::insert(&mut tx, &payment, request, fingerprint, traceparent.as_deref())
            .await?;
    if !fresh {
        return lost_race(&mut tx, &payment, request, fingerprint).await;
    }
    let since = midnight(payment.begun);
    let today = store::payment::paid_since(&mut tx, payment.payer, since, payment.id).await?;
    Limits::paying_in(true).check_daily(payment.amount, today)?;
    if let Some(phone) = &payment.phone {
        let since = Patience::since(payment.begun);
        let rung = store::stk::rung_in_vain(&mut tx, phone, since, cx.patience.most()).await?;
        if let Some(rest) = cx.patience.rest(&rung, payment.begun) {
            return Err(Refused::PhoneRateLimited { rest }.into());
        }
        let first = next_question(Duration::ZERO).unwrap_or(cx.payment_expiry);
        store::stk::insert(&mut tx, payment.id, phone, payment.begun, payment.begun + first)
            .await?;
    }
    let about = About { payment: payment.id };
    mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, PUSH_TOPIC, &about).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Ok(payment)
}

/// The payment that this request made before, if it asked for the same.
async fn repeated(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Option<Payment>, Error> {
    let Some((payment, first)) = store::payment::find_request(conn, payer, request).await? else {
        return Ok(None);
    };
    fingerprint.matches(&first).map_err(Error::Malformed)?;
    Ok(Some(payment))
}

/// The payment of the twin that was faster by a moment.
pub(super) async fn lost_race(
    conn: &mut PgConnection,
    payment: &Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    let twin = repeated(conn, payment.payer, request, fingerprint).await?;
    Ok(twin.ok_or(Refused::Busy)?)
}

fn midnight(now: OffsetDateTime) -> OffsetDateTime {
    now.to_offset(NAIROBI).replace_time(time::Time::MIDNIGHT)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_nairobi() {
        let late = datetime!(2026-11-20 22:30 UTC);
        assert_eq!(midnight(late), datetime!(2026-11-21 00:00 +3));
    }
}
