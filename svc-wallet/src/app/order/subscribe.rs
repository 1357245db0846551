//! Buying a package.

use mesh::{
    auth::Player,
    idempotency::{Fingerprint, RequestId},
    instrument,
};

use crate::{
    app::{
        Cx,
        attempt::Attempt,
        order::pay::{Order, find_available, pay, phone_digits},
    },
    domain::{Method, MethodId, Package, PackageId, Payment, PaymentKind},
    error::{Error, Refused},
    store,
};

/// A player's request to buy a package.
#[derive(Debug, Clone)]
pub(crate) struct Subscribe {
    pub(crate) request: RequestId,
    pub(crate) method: MethodId,
    pub(crate) package: PackageId,
    /// The phone that pays, as the player typed it. Without it, airtime is charged to the phone in
    /// the player's profile.
    pub(crate) phone: Option<String>,
}

/// Creates the payment of a package at its current price, and starts it. A request that is sent
/// twice gets the same payment, even if the price has changed.
#[instrument(name = "wallet.subscribe", skip_all, fields(player.id = %player.id, payment.id))]
pub(crate) async fn subscribe(
    cx: &Cx,
    player: Player,
    request: Subscribe,
) -> Result<Payment, Error> {
    let fingerprint = fingerprint(&request);
    let attempt = Attempt { request: &request.request, fingerprint: &fingerprint };
    pay(cx, player, order(cx, player, &request).await, attempt).await
}

async fn order(cx: &Cx, player: Player, request: &Subscribe) -> Result<Order, Error> {
    let packages = store::content::packages(&mut *cx.db.acquire().await?).await?;
    let package = packages.into_iter().find(|offered| offered.package.id() == request.package);
    let package = package.ok_or(Refused::UnknownPackage)?;
    let method = find_available(cx, PaymentKind::Subscription, request.method).await?;
    if method.method == Method::SafaricomCredit && package.package != Package::Bronze {
        return Err(Refused::AirtimeBronzeOnly.into());
    }
    let typed = request.phone.clone().filter(|phone| !phone.trim().is_empty());
    let phone = match typed {
        // The specification's request has no phone for airtime.
        None if method.method == Method::SafaricomCredit => {
            Some(cx.players.own_phone().await?.ok_or(Refused::PhoneNeeded)?)
        }
        typed => typed,
    };
    Ok(Order {
        kind: PaymentKind::Subscription,
        method,
        beneficiary: player.id,
        amount: package.amount,
        phone,
        package: Some(package.package),
    })
}

/// Returns the fingerprint of a request. It leaves out the price, which an operator may change
/// between two tries.
fn fingerprint(request: &Subscribe) -> Fingerprint {
    let parts = [
        &request.method.to_string(),
        &request.package.to_string(),
        &phone_digits(request.phone.as_deref()),
    ];
    Fingerprint::of("wallet.subscribe", &parts.map(String::as_str))
}
