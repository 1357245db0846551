//! Paying into a wallet: one's own, or a friend's.

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
    domain::{Kind, Limits, Method, MethodId, Offer, Payment, PaymentId, State, next_query},
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
/// payment, however often it comes.
#[instrument(name = "wallet.top_up", skip_all, fields(player.id = %player.id, payment.id))]
pub async fn top_up(cx: &Cx, player: Player, ask: TopUp) -> Result<Payment, Error> {
    let kind = if ask.beneficiary == player.id { Kind::TopUp } else { Kind::Boost };
    let mut conn = cx.pool.acquire().await?;
    let method = offered(&mut conn, kind, ask.method).await?;
    drop(conn);
    Limits::paying_in(method == Method::Mpesa).check(ask.amount)?;
    let payment = Payment {
        id: PaymentId::mint(&cx.clock, &cx.chance),
        kind,
        method,
        payer: player.id,
        beneficiary: ask.beneficiary,
        amount: ask.amount,
        fee: Money::ZERO,
        state: State::Created,
        phone: phone(method, ask.phone.as_deref())?,
    };
    tracing::Span::current().record("payment.id", payment.id.to_string());
    let fingerprint = fingerprint(&payment);
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

fn fingerprint(payment: &Payment) -> Fingerprint {
    Fingerprint::of(&[
        payment.method.code(),
        &payment.amount.cents().to_string(),
        &payment.beneficiary.to_string(),
        payment.phone.as_ref().map_or("", Msisdn::digits),
    ])
}

/// By M-Pesa nothing moves yet: the outbox asks the phone.
async fn from_mpesa(
    cx: &Cx,
    payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    if payment.kind == Kind::Boost {
        boost::friend(cx, &payment).await?;
    }
    let now = cx.clock.now();
    let traceparent = telemetry::traceparent();
    let mut tx = cx.pool.begin().await?;
    let fresh = store::payment::insert(
        &mut tx,
        &payment,
        request,
        fingerprint,
        traceparent.as_deref(),
        now,
    )
    .await?;
    if !fresh {
        return repeat(&mut tx, payment.payer, request, fingerprint).await;
    }
    let limits = Limits::paying_in(true);
    let today =
        store::payment::paid_since(&mut tx, payment.payer, midnight(now), payment.id).await?;
    limits.check_daily(payment.amount, today)?;
    if let Some(phone) = &payment.phone {
        let first = next_query(0).unwrap_or(cx.payment_expiry);
        store::stk::insert(&mut tx, payment.id, phone, now + first).await?;
    }
    let about = About { payment: payment.id };
    mesh::outbox::put(&mut tx, &cx.clock, &cx.chance, PUSH_TOPIC, &about).await?;
    tx.commit().await?;
    cx.bell.ring();
    Ok(payment)
}

/// The payment that this request made before, if it asked for the same.
pub(super) async fn repeat(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    let first = store::payment::find_request(conn, payer, request).await?;
    let (payment, first) = first.ok_or(Refused::Busy)?;
    fingerprint.matches(&first).map_err(Error::Malformed)?;
    Ok(payment)
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
