//! People's accounts at Google and Facebook, and what a test orders there.

use axum::Json;
use axum::extract::{Path, State as Held};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reply::{Body, Trouble};
use crate::clock;
use crate::world::Shared;
use crate::world::account::{Account, Network, new_sub};
use crate::world::social::{Next, Orders, Social, SocialFact, Tamper};
use crate::world::state::Fact;

/// An account as a test writes it; what is left out stays, or is the usual.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Person {
    name: Option<String>,
    /// Empty: none.
    email: Option<String>,
    email_verified: Option<bool>,
    sub: Option<String>,
}

/// What the next person does, and what is wrong with the token that follows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    next: Option<NextWish>,
    #[serde(default)]
    tamper: Tamper,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextWish {
    provider: Network,
    /// Id or address.
    account: Option<String>,
    #[serde(default)]
    deny: bool,
}

/// The orders as they stand.
#[derive(Serialize)]
pub(super) struct View {
    next: Option<Value>,
    tamper: Tamper,
}

/// `GET /control/accounts`: the last used first.
pub(super) async fn accounts(Held(world): Held<Shared>) -> Json<Vec<Account>> {
    Json(world.read(|state| state.social.accounts().into_iter().cloned().collect()))
}

/// `PUT /control/accounts/{provider}/{id or address}`
pub(super) async fn put(
    Held(world): Held<Shared>,
    Path((provider, key)): Path<(Network, String)>,
    Body(person): Body<Person>,
) -> Result<Json<Account>, Trouble> {
    world
        .change(|state| {
            let account = written(&state.social, provider, &key, person)?;
            Ok((vec![Fact::Social(SocialFact::Account(account.clone()))], Json(account)))
        })
        .await
}

/// `GET /control/social`
pub(super) async fn orders(Held(world): Held<Shared>) -> Json<View> {
    Json(world.read(|state| view(&state.social.orders)))
}

/// `PUT /control/social`: as a whole.
pub(super) async fn order(
    Held(world): Held<Shared>,
    Body(wish): Body<Wish>,
) -> Result<Json<View>, Trouble> {
    world
        .change(|state| {
            let next = wish.next.map(|next| decided(&state.social, next)).transpose()?;
            let facebook = next.as_ref().is_some_and(|next| next.provider == Network::Facebook);
            if facebook && wish.tamper != Tamper::None {
                return Err(Trouble::bad_request("Facebook has no ID token to tamper with"));
            }
            let orders = Orders { next, tamper: wish.tamper };
            let seen = Json(view(&orders));
            Ok((vec![Fact::Social(SocialFact::Orders(orders))], seen))
        })
        .await
}

/// `POST /control/social/rotate`: Google signs with another key from now on.
pub(super) async fn rotate(Held(world): Held<Shared>) -> Json<Value> {
    let rotations = world
        .update(|state| {
            let rotations = state.social.rotations.wrapping_add(1);
            (vec![Fact::Social(SocialFact::Rotations(rotations))], rotations)
        })
        .await;
    Json(json!({ "rotations": rotations }))
}

fn written(
    social: &Social,
    provider: Network,
    key: &str,
    person: Person,
) -> Result<Account, Trouble> {
    let by_email = key.contains('@');
    let now = clock::now();
    let mut account = match (social.account(provider, key), person.sub) {
        (Some(known), Some(sub)) if known.sub != sub => {
            return Err(Trouble::conflict("an account never changes its sub"));
        }
        (None, Some(sub)) if social.account(provider, &sub).is_some() => {
            return Err(Trouble::conflict("another account has this sub"));
        }
        (Some(known), _) => known.clone(),
        (None, sub) => Account {
            provider,
            sub: sub.unwrap_or_else(|| if by_email { new_sub(provider) } else { key.to_owned() }),
            name: key.to_owned(),
            email: by_email.then(|| key.to_owned()),
            email_verified: true,
            used_at: now,
        },
    };
    if let Some(name) = person.name {
        account.name = name;
    }
    if let Some(email) = person.email {
        account.email = (!email.is_empty()).then_some(email);
    }
    if let Some(verified) = person.email_verified {
        account.email_verified = verified;
    }
    account.email_verified &= account.email.is_some();
    account.used_at = now;
    account.judge().map_err(Trouble::bad_request)?;
    let taken = account.email.as_deref().and_then(|email| social.account(provider, email));
    if taken.is_some_and(|other| other.sub != account.sub) {
        return Err(Trouble::conflict("another account has this email"));
    }
    Ok(account)
}

fn decided(social: &Social, wish: NextWish) -> Result<Next, Trouble> {
    let NextWish { provider, account, deny } = wish;
    let sub = match (account, deny) {
        (None, true) => None,
        (Some(key), false) => {
            let account = social.account(provider, &key);
            Some(account.ok_or_else(|| Trouble::not_found("no such account"))?.sub.clone())
        }
        _ => return Err(Trouble::bad_request("next has an account, or deny: true")),
    };
    Ok(Next { provider, sub })
}

fn view(orders: &Orders) -> View {
    let next = orders.next.as_ref().map(|next| match &next.sub {
        Some(sub) => json!({ "provider": next.provider, "account": sub }),
        None => json!({ "provider": next.provider, "deny": true }),
    });
    View { next, tamper: orders.tamper }
}
