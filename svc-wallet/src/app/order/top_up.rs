//! Paying into a wallet: the caller's own, or a friend's.

use mesh::{
    auth::Player,
    idempotency::{Fingerprint, RequestId},
    instrument,
};
use types::{Money, PlayerId};

use crate::{
    app::{
        Cx,
        attempt::Attempt,
        order::pay::{Order, find_available, pay, phone_digits},
    },
    domain::{MethodId, Payment, PaymentKind},
    error::Error,
};

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
    let attempt = Attempt { request: &request.request, fingerprint: &fingerprint };
    pay(cx, player, order(cx, player, &request).await, attempt).await
}

async fn order(cx: &Cx, player: Player, request: &TopUp) -> Result<Order, Error> {
    let kind =
        if request.beneficiary == player.id { PaymentKind::TopUp } else { PaymentKind::Boost };
    Ok(Order {
        kind,
        method: find_available(cx, kind, request.method).await?,
        beneficiary: request.beneficiary,
        amount: request.amount,
        phone: request.phone.clone(),
        package: None,
    })
}

fn fingerprint(request: &TopUp) -> Fingerprint {
    let parts = [
        &request.method.to_string(),
        &request.amount.cents().to_string(),
        &request.beneficiary.to_string(),
        &phone_digits(request.phone.as_deref()),
    ];
    Fingerprint::of("wallet.top_up", &parts.map(String::as_str))
}
