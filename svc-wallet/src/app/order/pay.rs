//! Starting a payment, whatever it is for.

use std::time::Duration;

use mesh::auth::Player;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId};

use crate::{
    app::{
        Cx, airtime,
        attempt::{Attempt, check_limits, check_spending, insert},
        card, ledger,
        notify::{NOTIFY_TOPIC, put_settled},
        payin::push::{PUSH_TOPIC, PaymentRef},
        payment_changed::publish_payment_changed,
        repeated::{find_repeated, get_concurrent},
    },
    domain::{
        Availability, Entry, HouseAccount, JournalKind, Limits, ListedMethod, Method, MethodId,
        Package, Payment, PaymentId, PaymentKind, Posted, PromptRateLimit, Side, State, next_query,
    },
    error::{Error, Refused},
    store,
};

/// A payment that a player asks for.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) kind: PaymentKind,
    pub(crate) method: ListedMethod,
    /// The player who gets the money, or the package.
    pub(crate) beneficiary: PlayerId,
    pub(crate) amount: Money,
    /// The phone that pays, as the player typed it.
    pub(crate) phone: Option<String>,
    /// The package of a subscription.
    pub(crate) package: Option<Package>,
}

/// Creates the payment of an order and starts it by its method. A request that is sent twice gets
/// its first payment, even if the order would now be refused.
pub(crate) async fn pay(
    cx: &Cx,
    player: Player,
    order: Result<Order, Error>,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    let checked = order.and_then(|order| check(cx, player, order));
    // A transfer finds its repeats itself. Every other request, even one that is refused now, may
    // be a repeat of one that was accepted.
    if !matches!(&checked, Ok(payment) if is_transfer(payment)) {
        let mut conn = cx.db.acquire().await?;
        let (request, fingerprint) = (attempt.request, attempt.fingerprint);
        if let Some(first) = find_repeated(&mut conn, player.id, request, fingerprint).await? {
            tracing::Span::current().record("payment.id", first.id.to_string());
            drop(conn);
            return card::page::resume(cx, first).await;
        }
    }
    let payment = checked?;
    tracing::Span::current().record("payment.id", payment.id.to_string());
    match payment.method {
        Method::Wallet if is_transfer(&payment) => {
            ledger::boost::pay_from_wallet(cx, payment, attempt.request, attempt.fingerprint).await
        }
        Method::Wallet => subscribe_from_wallet(cx, payment, attempt).await,
        Method::Mpesa => pay_by_mpesa(cx, payment, attempt).await,
        Method::Card => card::page::start(cx, payment, attempt).await,
        Method::SafaricomCredit => airtime::charge::start(cx, payment, attempt).await,
        // Unreachable: `check` refuses PayPal.
        Method::Paypal => Err(Refused::MethodNotAllowed.into()),
    }
}

/// Whether the money goes from wallet to wallet.
fn is_transfer(payment: &Payment) -> bool {
    payment.method == Method::Wallet && payment.kind == PaymentKind::Boost
}

/// Checks an order against the limits, and returns its payment.
fn check(cx: &Cx, player: Player, order: Order) -> Result<Payment, Error> {
    let method = order.method.method;
    // Neither M-Pesa nor airtime moves cents.
    let whole = matches!(method, Method::Mpesa | Method::SafaricomCredit);
    Limits::paying_in(whole).check(order.amount).map_err(Refused::Limits)?;
    if method == Method::Paypal {
        return Err(Refused::MethodComingSoon { name: order.method.name }.into());
    }
    let payment = Payment {
        id: PaymentId::generate(&cx.clock, &cx.rng),
        kind: order.kind,
        method,
        payer: player.id,
        beneficiary: order.beneficiary,
        amount: order.amount,
        fee: Money::ZERO,
        state: State::Created,
        phone: phone(method, order.phone.as_deref())?,
        page: None,
        detail: String::new(),
        package: order.package,
        review: None,
        created_at: cx.clock.now(),
    };
    if is_transfer(&payment) {
        player.check_device(payment.created_at)?;
    }
    Ok(payment)
}

/// Returns the method with this id, if it is available for this kind of payment.
pub(crate) async fn find_available(
    cx: &Cx,
    kind: PaymentKind,
    id: MethodId,
) -> Result<ListedMethod, Error> {
    let row = cx.methods.find(&cx.db, cx.clock.now(), id).await?.ok_or(Refused::UnknownMethod)?;
    match row.method.availability(kind) {
        Availability::Available => Ok(row),
        Availability::ComingSoon => Err(Refused::MethodComingSoon { name: row.name }.into()),
        Availability::NotOffered => Err(Refused::MethodNotAllowed.into()),
    }
}

/// Returns the phone number for a fingerprint: two spellings of one number give the same
/// fingerprint.
pub(crate) fn phone_digits(typed: Option<&str>) -> String {
    let typed = typed.unwrap_or_default();
    Msisdn::parse(typed).map_or(typed.to_owned(), |phone| phone.digits().to_owned())
}

fn phone(method: Method, typed: Option<&str>) -> Result<Option<Msisdn>, Refused> {
    match method {
        Method::Mpesa | Method::SafaricomCredit => {
            let typed = typed.unwrap_or_default();
            Msisdn::parse(typed).map(Some).map_err(|_| Refused::InvalidPhone)
        }
        Method::Wallet | Method::Card | Method::Paypal => Ok(None),
    }
}

/// Buys a package with the money in the payer's wallet, in one transaction.
async fn subscribe_from_wallet(
    cx: &Cx,
    payment: Payment,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    let now = payment.created_at;
    let payment = Payment { state: State::Succeeded, ..payment };
    let entry = Entry::new(
        JournalKind::Subscription,
        payment.id.uuid(),
        Side::Wallet { player: payment.payer, detail: payment.package_detail() },
        Side::House(HouseAccount::SubscriptionRevenue),
        payment.amount,
    );
    let mut tx = cx.db.begin().await?;
    if !insert(&mut tx, &payment, attempt).await? {
        return get_concurrent(&mut tx, payment.payer, attempt.request, attempt.fingerprint).await;
    }
    check_spending(&mut tx, &payment).await?;
    ledger::subscriptions::grant(&mut tx, cx, &payment, now).await?;
    put_settled(&mut tx, cx, &payment, now).await?;
    match store::ledger::post(&mut tx, cx.rng.uuid_v7(now), now, &entry).await? {
        Posted::Done => {}
        Posted::InsufficientFunds => return Err(Refused::InsufficientFunds.into()),
        Posted::Repeated => return Err(Error::Conflict),
    }
    tx.commit().await?;
    publish_payment_changed(cx, payment.id);
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(payment)
}

/// Stores the payment and the outbox row that sends the prompt to the phone. No money moves
/// yet.
async fn pay_by_mpesa(
    cx: &Cx,
    mut payment: Payment,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    if payment.kind == PaymentKind::Boost {
        payment.detail = ledger::boost::find_detail(cx, &payment).await?;
    }
    let mut tx = cx.db.begin().await?;
    if !insert(&mut tx, &payment, attempt).await? {
        return get_concurrent(&mut tx, payment.payer, attempt.request, attempt.fingerprint).await;
    }
    check_limits(&mut tx, &payment).await?;
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
