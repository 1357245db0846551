//! Paying into a wallet: the caller's own, or a friend's.

use std::time::Duration;

use mesh::{
    auth::Player,
    idempotency::{Fingerprint, RequestId},
    instrument, telemetry,
};
use sqlx::PgConnection;
use time::{OffsetDateTime, UtcOffset, macros::offset};
use types::{Money, Msisdn, PlayerId};

use super::{
    Cx, boost,
    push::{PUSH_TOPIC, PaymentRef},
    repeated::{find_repeated, get_concurrent},
};
use crate::{
    domain::{
        Availability, Kind, Limits, Method, MethodId, Payment, PaymentId, PromptRateLimit, State,
        next_query,
    },
    error::{Error, Refused},
    store,
};

/// The time zone in which the day of the daily limit begins.
const NAIROBI: UtcOffset = offset!(+3);

/// A player's request to pay into a wallet.
#[derive(Debug, Clone)]
pub(crate) struct TopUp {
    pub(crate) request: RequestId,
    pub(crate) method: MethodId,
    pub(crate) amount: Money,
    /// The phone that pays, as the player typed it.
    pub(crate) phone: Option<String>,
    /// The player whose wallet is credited.
    pub(crate) beneficiary: PlayerId,
}

/// Creates a payment and starts it. A request that is sent twice gets the same payment,
/// in its state at that time.
#[instrument(name = "wallet.top_up", skip_all, fields(player.id = %player.id, payment.id))]
pub(crate) async fn top_up(cx: &Cx, player: Player, request: TopUp) -> Result<Payment, Error> {
    let fingerprint = fingerprint(&request);
    let mut conn = cx.db.acquire().await?;
    if let Some(payment) =
        find_repeated(&mut conn, player.id, &request.request, &fingerprint).await?
    {
        tracing::Span::current().record("payment.id", payment.id.to_string());
        return Ok(payment);
    }
    let kind = if request.beneficiary == player.id { Kind::TopUp } else { Kind::Boost };
    let method = find_available(&mut conn, kind, request.method).await?;
    drop(conn);
    Limits::paying_in(method == Method::Mpesa).check(request.amount).map_err(Refused::Limits)?;
    let payment = Payment {
        id: PaymentId::generate(&cx.clock, &cx.rng),
        kind,
        method,
        payer: player.id,
        beneficiary: request.beneficiary,
        amount: request.amount,
        fee: Money::ZERO,
        state: State::Created,
        phone: phone(method, request.phone.as_deref())?,
        detail: "M-Pesa".to_owned(),
        created_at: cx.clock.now(),
    };
    tracing::Span::current().record("payment.id", payment.id.to_string());
    match method {
        Method::Wallet => boost::pay_from_wallet(cx, payment, &request.request, &fingerprint).await,
        _ => pay_by_mpesa(cx, payment, &request.request, &fingerprint).await,
    }
}

async fn find_available(
    conn: &mut PgConnection,
    kind: Kind,
    id: MethodId,
) -> Result<Method, Error> {
    let row = store::payment_method::find(conn, id).await?.ok_or(Refused::UnknownMethod)?;
    match row.method.availability(kind) {
        Availability::Available => Ok(row.method),
        Availability::ComingSoon => Err(Refused::MethodComingSoon { name: row.name }.into()),
        Availability::NotOffered => Err(Refused::MethodNotAllowed.into()),
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

fn fingerprint(request: &TopUp) -> Fingerprint {
    // Two spellings of one phone number are the same content.
    let typed = request.phone.as_deref().unwrap_or_default();
    let phone = Msisdn::parse(typed).map_or(typed.to_owned(), |phone| phone.digits().to_owned());
    let parts = [
        &request.method.to_string(),
        &request.amount.cents().to_string(),
        &request.beneficiary.to_string(),
        &phone,
    ];
    Fingerprint::of("wallet.top_up", &parts.map(String::as_str))
}

/// Stores the payment and the outbox row that sends the prompt to the phone. No money moves
/// yet.
async fn pay_by_mpesa(
    cx: &Cx,
    mut payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    if payment.kind == Kind::Boost {
        payment.detail = boost::find_names(cx, &payment).await?.received();
    }
    let traceparent = telemetry::traceparent();
    let mut tx = cx.db.begin().await?;
    let is_new =
        store::payment::insert(&mut tx, &payment, request, fingerprint, traceparent.as_deref())
            .await?;
    if !is_new {
        return get_concurrent(&mut tx, payment.payer, request, fingerprint).await;
    }
    store::payment::lock_payer(&mut tx, payment.payer).await?;
    let since = midnight(payment.created_at);
    let today = store::payment::paid_since(&mut tx, payment.payer, since, payment.id).await?;
    Limits::paying_in(true).check_daily(payment.amount, today).map_err(Refused::Limits)?;
    if let Some(phone) = &payment.phone {
        check_prompt_limit(&mut tx, cx, phone, payment.created_at).await?;
        let first = next_query(Duration::ZERO).unwrap_or(cx.payment_expiry);
        let (at, due) = (payment.created_at, payment.created_at + first);
        store::stk_push::insert(&mut tx, payment.id, phone, at, due).await?;
    }
    let payload = PaymentRef { payment: payment.id };
    mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, PUSH_TOPIC, &payload).await?;
    tx.commit().await?;
    cx.outbox.notify(PUSH_TOPIC);
    Ok(payment)
}

/// Refuses a prompt to a phone that has too many unpaid prompts.
async fn check_prompt_limit(
    conn: &mut PgConnection,
    cx: &Cx,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::stk_push::lock_phone(conn, phone).await?;
    let since = PromptRateLimit::since(now);
    let prompts = store::stk_push::prompts(conn, phone, since, cx.prompt_limit.needed()).await?;
    match cx.prompt_limit.wait(&prompts, now) {
        Some(wait) => Err(Refused::PhoneRateLimited { wait }.into()),
        None => Ok(()),
    }
}

fn midnight(now: OffsetDateTime) -> OffsetDateTime {
    now.to_offset(NAIROBI).replace_time(time::Time::MIDNIGHT)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_day_begins_at_midnight_in_nairobi() {
        let late = datetime!(2026-11-20 22:30 UTC);
        assert_eq!(midnight(late), datetime!(2026-11-21 00:00 +3));
    }
}
