//! Accounts at Google and Facebook, and the orders for the next sign-in.

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::{ApiError, Body};
use crate::clock;
use crate::world::Shared;
use crate::world::account::{Account, IdentityProvider, new_sub};
use crate::world::social::{Next, Orders, Social, SocialFact, Tamper};
use crate::world::state::Fact;

/// The changes of an account.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AccountBody {
    name: Option<String>,
    /// The address of the account; empty for none.
    email: Option<String>,
    email_verified: Option<bool>,
    hosted_domain: Option<String>,
    sub: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrdersBody {
    next: Option<NextBody>,
    #[serde(default)]
    tamper: Tamper,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextBody {
    provider: IdentityProvider,
    /// The account's id or address.
    account: Option<String>,
    #[serde(default)]
    deny: bool,
}

/// `GET /control/accounts`: all accounts, the last used first.
pub(super) async fn accounts(State(world): State<Shared>) -> Json<Vec<Account>> {
    Json(world.read(|state| state.social.accounts().into_iter().cloned().collect()))
}

/// `PUT /control/accounts/{provider}/{id or address}`: makes or changes an account.
pub(super) async fn put(
    State(world): State<Shared>,
    Path((provider, key)): Path<(IdentityProvider, String)>,
    Body(body): Body<AccountBody>,
) -> Result<Json<Account>, ApiError> {
    world.change(|state| {
        let account = changed(&state.social, provider, &key, body)?;
        Ok((vec![Fact::Social(SocialFact::Account(account.clone()))], Json(account)))
    })
}

/// `GET /control/social`
pub(super) async fn orders(State(world): State<Shared>) -> Json<Value> {
    Json(world.read(|state| view(&state.social.orders)))
}

/// `PUT /control/social`: replaces the orders.
pub(super) async fn order(
    State(world): State<Shared>,
    Body(body): Body<OrdersBody>,
) -> Result<Json<Value>, ApiError> {
    world.change(|state| {
        let next = body.next.map(|next| resolve(&state.social, next)).transpose()?;
        let facebook =
            next.as_ref().is_some_and(|next| next.provider == IdentityProvider::Facebook);
        if facebook && body.tamper != Tamper::None {
            return Err(ApiError::bad_request("Facebook has no ID token to tamper with"));
        }
        let orders = Orders { next, tamper: body.tamper };
        let view = Json(view(&orders));
        Ok((vec![Fact::Social(SocialFact::Orders(orders))], view))
    })
}

/// `POST /control/social/rotate`: Google signs with a new key.
pub(super) async fn rotate(State(world): State<Shared>) -> Json<Value> {
    let rotations = world.update(|state| {
        let rotations = state.social.rotations.wrapping_add(1);
        (vec![Fact::Social(SocialFact::Rotations(rotations))], rotations)
    });
    Json(json!({ "rotations": rotations }))
}

fn changed(
    social: &Social,
    provider: IdentityProvider,
    key: &str,
    body: AccountBody,
) -> Result<Account, ApiError> {
    let by_email = key.contains('@');
    let now = clock::now();
    let mut account = match (social.account(provider, key), body.sub) {
        (Some(known), Some(sub)) if known.sub != sub => {
            return Err(ApiError::conflict("an account's sub cannot change"));
        }
        (None, Some(sub)) if social.account(provider, &sub).is_some() => {
            return Err(ApiError::conflict("another account has this sub"));
        }
        (Some(known), _) => known.clone(),
        (None, sub) => Account {
            provider,
            sub: sub.unwrap_or_else(|| if by_email { new_sub(provider) } else { key.to_owned() }),
            name: key.to_owned(),
            email: by_email.then(|| key.to_owned()),
            email_verified: true,
            hosted_domain: None,
            used_at: now,
        },
    };
    account.name = body.name.unwrap_or(account.name);
    if let Some(email) = body.email {
        account.email = (!email.is_empty()).then_some(email);
    }
    account.email_verified =
        body.email_verified.unwrap_or(account.email_verified) && account.email.is_some();
    account.hosted_domain = body.hosted_domain.or(account.hosted_domain);
    account.used_at = now;
    account.validate().map_err(ApiError::bad_request)?;
    let holder = account.email.as_deref().and_then(|email| social.account(provider, email));
    if holder.is_some_and(|other| other.sub != account.sub) {
        return Err(ApiError::conflict("another account has this email"));
    }
    Ok(account)
}

fn resolve(social: &Social, body: NextBody) -> Result<Next, ApiError> {
    let NextBody { provider, account, deny } = body;
    let sub = match (account, deny) {
        (None, true) => None,
        (Some(key), false) => {
            let account = social.account(provider, &key);
            Some(account.ok_or_else(|| ApiError::not_found("no such account"))?.sub.clone())
        }
        _ => return Err(ApiError::bad_request("next has an account, or deny: true")),
    };
    Ok(Next { provider, sub })
}

fn view(orders: &Orders) -> Value {
    let next = orders.next.as_ref().map(|next| match &next.sub {
        Some(sub) => json!({ "provider": next.provider, "account": sub }),
        None => json!({ "provider": next.provider, "deny": true }),
    });
    json!({ "next": next, "tamper": orders.tamper })
}
