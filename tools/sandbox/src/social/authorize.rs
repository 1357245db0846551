//! `GET` and `POST` of the page where a person signs in: the request is judged,
//! the person (or a test) decides, the browser is sent back.

use axum::Form;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, RawQuery};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde::Deserialize;
use time::Duration;

use super::page;
use crate::clock;
use crate::config::SocialApps;
use crate::world::account::{Account, Network};
use crate::world::social::{Grant, Next, Orders, Social, SocialFact, Tamper, has_scope};
use crate::world::state::Fact;
use crate::world::{Shared, World};

/// How long a code is good.
const CODE_LIFE: Duration = Duration::seconds(60);

/// The request in the browser's address.
#[derive(Debug, Deserialize)]
pub(super) struct Params {
    client_id: Option<String>,
    redirect_uri: Option<String>,
    response_type: Option<String>,
    scope: Option<String>,
    state: Option<String>,
    nonce: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
}

/// What the person decides on the page.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Choice {
    /// An account's id or address.
    account: Option<String>,
    /// A new account instead.
    name: Option<String>,
    email: Option<String>,
    verified: Option<String>,
    /// Present: the person declines.
    deny: Option<String>,
}

/// A request in which everything is right.
#[derive(Debug)]
pub(super) struct Ask {
    provider: Network,
    /// As it was written: the exchange has to name the same.
    redirect_uri: String,
    /// The same, to send the browser to.
    back: Url,
    scope: String,
    state: Option<String>,
    nonce: Option<String>,
    challenge: Option<String>,
}

/// A request that cannot be granted.
enum Refusal {
    /// The browser may not be sent anywhere: the address is nobody's.
    Page(&'static str),
    /// The client hears of it.
    Back(Box<Ask>, &'static str, &'static str),
}

type Asked = Result<Query<Params>, QueryRejection>;

/// Shows the page, or acts at once if a test has said how.
pub(super) async fn show(
    world: Shared,
    provider: Network,
    asked: Asked,
    RawQuery(query): RawQuery,
) -> Response {
    let ask = match Ask::judge(provider, asked, &world.social) {
        Ok(ask) => ask,
        Err(refusal) => return refusal.reply(&world),
    };
    if let Some(next) = take_next(&world, provider).await {
        let account = world.read(|state| {
            next.sub.as_deref().and_then(|sub| state.social.account(provider, sub).cloned())
        });
        return match account {
            Some(account) => grant(&world, &ask, account, next.tamper).await,
            None => decline(&world, &ask),
        };
    }
    choose(&world, &ask, &query.unwrap_or_default(), "")
}

/// Carries out what the person has decided.
pub(super) async fn decide(
    world: Shared,
    provider: Network,
    asked: Asked,
    RawQuery(query): RawQuery,
    choice: Result<Form<Choice>, FormRejection>,
) -> Response {
    let ask = match Ask::judge(provider, asked, &world.social) {
        Ok(ask) => ask,
        Err(refusal) => return refusal.reply(&world),
    };
    let Ok(Form(choice)) = choice else {
        return page::trouble("The form could not be read.");
    };
    if choice.deny.is_some() {
        return decline(&world, &ask);
    }
    let account = world.read(|state| chosen(&state.social, provider, choice));
    match account {
        Ok(account) => {
            let tamper = take_tamper(&world, provider).await;
            grant(&world, &ask, account, tamper).await
        }
        Err(complaint) => choose(&world, &ask, &query.unwrap_or_default(), complaint),
    }
}

impl Ask {
    fn judge(provider: Network, asked: Asked, apps: &SocialApps) -> Result<Self, Refusal> {
        let Ok(Query(params)) = asked else {
            return Err(Refusal::Page("The request has a parameter twice."));
        };
        if params.client_id.as_deref() != Some(apps.client(provider).0) {
            return Err(Refusal::Page("No application has this client_id."));
        }
        let redirect_uri = params.redirect_uri.unwrap_or_default();
        let Some(back) = apps.redirect(&redirect_uri) else {
            return Err(Refusal::Page("The application has not registered this redirect_uri."));
        };
        let ask = Self {
            provider,
            redirect_uri,
            back,
            scope: params.scope.unwrap_or_default(),
            state: params.state,
            nonce: params.nonce,
            challenge: params.code_challenge,
        };
        let wrong =
            if params.response_type.as_deref().unwrap_or(provider.usual_response()) != "code" {
                Some(("unsupported_response_type", "response_type is code"))
            } else if provider == Network::Google && !has_scope(&ask.scope, "openid") {
                Some(("invalid_scope", "scope has openid"))
            } else if ask.challenge.as_ref().is_some_and(|challenge| challenge.len() != 43) {
                Some(("invalid_request", "code_challenge is a SHA-256 in base64url"))
            } else if ask.challenge.is_some() != params.code_challenge_method.is_some()
                || params.code_challenge_method.is_some_and(|method| method != "S256")
            {
                Some(("invalid_request", "code_challenge_method is S256"))
            } else {
                None
            };
        match wrong {
            Some((error, why)) => Err(Refusal::Back(Box::new(ask), error, why)),
            None => Ok(ask),
        }
    }

    /// Back to the client with these words.
    fn back(&self, world: &World, words: &[(&str, &str)]) -> Response {
        let mut url = self.back.clone();
        let mut query = url.query_pairs_mut();
        query.extend_pairs(words);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        // RFC 9207: says who answers, so that a client of two providers cannot
        // be made to confuse them.
        if self.provider == Network::Google {
            query.append_pair("iss", &world.issuer());
        }
        drop(query);
        if self.provider == Network::Facebook {
            // A habit of the real one, which clients meet and must not mind.
            url.set_fragment(Some("_=_"));
        }
        let Ok(location) = HeaderValue::from_str(url.as_str()) else {
            return page::trouble("The redirect_uri cannot be followed.");
        };
        let headers = [
            (header::LOCATION, location),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (StatusCode::FOUND, headers).into_response()
    }
}

impl Refusal {
    fn reply(self, world: &World) -> Response {
        match self {
            Self::Page(why) => page::trouble(why),
            Self::Back(ask, error, why) => {
                ask.back(world, &[("error", error), ("error_description", why)])
            }
        }
    }
}

impl Network {
    /// Facebook takes `code` for granted.
    fn usual_response(self) -> &'static str {
        match self {
            Self::Google => "",
            Self::Facebook => "code",
        }
    }
}

fn choose(world: &World, ask: &Ask, query: &str, complaint: &str) -> Response {
    let accounts: Vec<Account> = world.read(|state| {
        let all = state.social.accounts().into_iter();
        all.filter(|account| account.provider == ask.provider).cloned().collect()
    });
    let asker = &world.merchant.name;
    page::choose(ask.provider, asker, &accounts, query, complaint, &ask.back)
}

fn decline(world: &World, ask: &Ask) -> Response {
    let words: &[(&str, &str)] = match ask.provider {
        Network::Google => &[("error", "access_denied")],
        Network::Facebook => &[
            ("error", "access_denied"),
            ("error_code", "200"),
            ("error_description", "Permissions error"),
            ("error_reason", "user_denied"),
        ],
    };
    ask.back(world, words)
}

async fn grant(world: &World, ask: &Ask, mut account: Account, tamper: Tamper) -> Response {
    let now = clock::now();
    let code = match ask.provider {
        // Google's codes have a slash, which must survive the address.
        Network::Google => format!("4/0A{}", super::secret()),
        Network::Facebook => format!("AQ{}", super::secret()),
    };
    account.used_at = now;
    let grant = Grant {
        provider: ask.provider,
        code: code.clone(),
        redirect_uri: ask.redirect_uri.clone(),
        sub: account.sub.clone(),
        scope: ask.scope.clone(),
        nonce: ask.nonce.clone(),
        challenge: ask.challenge.clone(),
        tamper,
        expires_at: now + CODE_LIFE,
        token: None,
    };
    let facts = [SocialFact::Account(account), SocialFact::Grant(grant)];
    world.update(|_| (facts.map(Fact::Social).into(), ())).await;
    tracing::info!(provider = ?ask.provider, ?tamper, "social.granted");
    ask.back(world, &[("code", &code)])
}

/// What a test has ordered, with what is wrong about its ID token.
struct Taken {
    sub: Option<String>,
    tamper: Tamper,
}

async fn take_next(world: &World, provider: Network) -> Option<Taken> {
    let waits =
        |social: &Social| social.orders.next.as_ref().is_some_and(|next| next.provider == provider);
    // Looked at before it is taken, so that a look at the page changes nothing.
    if !world.read(|state| waits(&state.social)) {
        return None;
    }
    world
        .update(|state| match state.social.orders.clone() {
            Orders { next: Some(Next { provider: other, sub }), tamper } if other == provider => (
                vec![Fact::Social(SocialFact::Orders(Orders::default()))],
                Some(Taken { sub, tamper }),
            ),
            _ => (Vec::new(), None),
        })
        .await
}

/// An order to tamper without a `next` is for whoever signs in next; only
/// Google has ID tokens.
async fn take_tamper(world: &World, provider: Network) -> Tamper {
    if provider != Network::Google {
        return Tamper::None;
    }
    world
        .update(|state| match state.social.orders.clone() {
            Orders { next: None, tamper } if tamper != Tamper::None => {
                (vec![Fact::Social(SocialFact::Orders(Orders::default()))], tamper)
            }
            _ => (Vec::new(), Tamper::None),
        })
        .await
}

/// The account that the form means; a new one is made.
fn chosen(social: &Social, provider: Network, choice: Choice) -> Result<Account, &'static str> {
    if let Some(key) = choice.account {
        return social.account(provider, &key).cloned().ok_or("There is no such account any more.");
    }
    let name = choice.name.as_deref().unwrap_or_default().trim();
    let email = choice.email.as_deref().unwrap_or_default().trim();
    if !email.is_empty() && social.account(provider, email).is_some() {
        return Err("There is an account with this email address.");
    }
    Account::new(provider, name, email, choice.verified.is_some(), clock::now())
}
