//! Withdrawing: the charges, and creating the withdrawal. [`crate::app::payout::send`] sends it.

use std::time::Duration;

use mesh::{
    auth::Player,
    idempotency::{Fingerprint, RequestId},
    instrument,
};
use metrics::counter;
use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId};

use crate::{
    app::{
        Cx,
        attempt::{Attempt, check_limits, insert},
        order::pay::{find_available, phone_digits},
        payout::send::{PAYOUT_TOPIC, put_payout},
        repeated::{find_repeated, get_concurrent},
    },
    domain::{Charge, Held, Limits, MethodId, OutOfLimits, Payment, PaymentId, PaymentKind, State},
    error::{Error, Refused},
    store,
};

/// How far the clock of svc-auth, which says from when a phone is open, may be ahead.
const CLOCK_SKEW: Duration = Duration::from_secs(5);

/// A player's request to withdraw.
#[derive(Debug, Clone)]
pub(crate) struct Withdraw {
    pub(crate) request: RequestId,
    pub(crate) method: MethodId,
    /// The amount without the fee.
    pub(crate) amount: Money,
    /// The phone that gets the money, as the player typed it.
    pub(crate) phone: String,
}

/// Returns what a withdrawal costs now.
#[instrument(name = "wallet.withdraw_charges", skip_all)]
pub(crate) async fn withdraw_charges(
    cx: &Cx,
    method: MethodId,
    amount: Money,
) -> Result<Charge, Error> {
    find_available(cx, PaymentKind::Withdrawal, method).await?;
    Limits::paying_out().check(amount).map_err(Refused::Limits)?;
    Ok(cx.withdrawal_fees.charge(amount, cx.clock.now()))
}

/// Creates a withdrawal, and holds its amount and fee. A request that is sent twice gets the
/// same payment, in its state at that time.
#[instrument(name = "wallet.withdraw", skip_all, fields(player.id = %player.id, payment.id))]
pub(crate) async fn withdraw(cx: &Cx, player: Player, request: Withdraw) -> Result<Payment, Error> {
    let fingerprint = fingerprint(&request);
    let mut conn = cx.db.acquire().await?;
    if let Some(payment) =
        find_repeated(&mut conn, player.id, &request.request, &fingerprint).await?
    {
        tracing::Span::current().record("payment.id", payment.id.to_string());
        return Ok(payment);
    }
    if store::payout_pause::read(&mut conn).await?.is_on() {
        return Err(Refused::WithdrawalsPaused.into());
    }
    let method = find_available(cx, PaymentKind::Withdrawal, request.method).await?;
    Limits::paying_out().check(request.amount).map_err(Refused::Limits)?;
    let phone = Msisdn::parse(&request.phone).map_err(|_| Refused::InvalidPhone)?;
    let now = cx.clock.now();
    player.check_device(now)?;
    drop(conn);
    check_phone(cx, &phone, now).await?;
    let payment = Payment {
        id: PaymentId::generate(&cx.clock, &cx.rng),
        kind: PaymentKind::Withdrawal,
        method: method.method,
        payer: player.id,
        beneficiary: player.id,
        amount: request.amount,
        // The fee is stored: a new table does not change it.
        fee: cx.withdrawal_fees.charge(request.amount, now).fee,
        state: State::Created,
        phone: Some(phone.clone()),
        page: None,
        detail: String::new(),
        package: None,
        review: None,
        created_at: now,
    };
    tracing::Span::current().record("payment.id", payment.id.to_string());
    create(cx, payment, &phone, Attempt { request: &request.request, fingerprint: &fingerprint })
        .await
}

/// Refuses a phone that the caller has not proven, or proved too short a time ago.
async fn check_phone(cx: &Cx, phone: &Msisdn, now: OffsetDateTime) -> Result<(), Error> {
    match cx.players.payout_phone_opens_at(phone).await? {
        None => Err(Refused::PayoutPhoneNotProven.into()),
        Some(opens_at) if now + CLOCK_SKEW < opens_at => {
            Err(Refused::PayoutPhoneRests { opens_at }.into())
        }
        Some(_) => Ok(()),
    }
}

/// Stores the withdrawal, its hold, and the outbox row that sends it, in one transaction. If a rule
/// wants an operator to look at it first, it is HELD, and nothing sends it.
async fn create(
    cx: &Cx,
    mut payment: Payment,
    phone: &Msisdn,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    let now = payment.created_at;
    let mut tx = cx.db.begin().await?;
    store::payment::lock_payer(&mut tx, payment.payer).await?;
    store::review_facts::lock_phone(&mut tx, phone).await?;
    let facts = store::review_facts::read(&mut tx, payment.payer, phone, now).await?;
    let (amounts, age) = ((payment.amount, payment.fee), age(payment.payer, now));
    payment.review = cx.review_rules.review(amounts, &facts, age, now);
    if payment.review.is_some() {
        payment.state = State::Held;
    }
    if !insert(&mut tx, &payment, attempt).await? {
        return get_concurrent(&mut tx, payment.payer, attempt.request, attempt.fingerprint).await;
    }
    check_limits(&mut tx, &payment).await?;
    let (review, fresh) = (payment.review.as_ref(), facts.fresh_part(amounts));
    store::b2c_payout::insert(&mut tx, payment.id, phone, review, fresh, now).await?;
    if payment.review.is_none() {
        put_payout(&mut tx, cx, payment.id, now).await?;
    }
    // The hold comes last, because it locks the wallet's row.
    let (amount, fee) = (payment.amount, payment.fee);
    match store::ledger::hold(&mut tx, payment.id, payment.payer, amount, fee, now).await? {
        Held::Done => {}
        Held::InsufficientFunds => return Err(Refused::InsufficientFunds.into()),
        // Boosts may have been paid since the check.
        Held::DailyLimit => {
            let daily = Limits::paying_out().daily;
            return Err(Refused::Limits(OutOfLimits::Daily { daily }).into());
        }
        Held::Repeated => return Err(anyhow::anyhow!("a new withdrawal has a hold").into()),
    }
    tx.commit().await?;
    match &payment.review {
        Some(review) => {
            let reason = <&str>::from(review.reason);
            counter!("withdrawals_held_total", "reason" => reason).increment(1);
        }
        None => cx.outbox.notify(PAYOUT_TOPIC),
    }
    Ok(payment)
}

/// Returns how long ago a player joined: the id is a UUIDv7, which contains the time.
fn age(player: PlayerId, now: OffsetDateTime) -> Duration {
    let (seconds, _) = player.uuid().get_timestamp().map_or((0, 0), |time| time.to_unix());
    let joined = i64::try_from(seconds)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    joined.and_then(|joined| Duration::try_from(now - joined).ok()).unwrap_or_default()
}

fn fingerprint(request: &Withdraw) -> Fingerprint {
    let phone = phone_digits(Some(&request.phone));
    let parts = [&request.method.to_string(), &request.amount.cents().to_string(), &phone];
    Fingerprint::of("wallet.withdraw", &parts.map(String::as_str))
}
