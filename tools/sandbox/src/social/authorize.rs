//! The authorization request: it is validated, a person or a test decides, and
//! the browser is redirected back to the client.

use axum::Form;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use reqwest::Url;
use serde::Deserialize;
use time::Duration;

use super::client::credentials;
use super::page;
use super::secret::secret;
use crate::clock;
use crate::config::SocialApps;
use crate::world::account::{Account, IdentityProvider};
use crate::world::social::{Grant, Next, Orders, Social, SocialFact, Tamper, has_scope};
use crate::world::state::Fact;
use crate::world::{Shared, World};

/// How long a code is valid.
const CODE_LIFETIME: Duration = Duration::seconds(60);

/// The parameters of the request.
#[derive(Debug, Clone, Deserialize)]
struct Params {
    client_id: Option<String>,
    redirect_uri: Option<String>,
    response_type: Option<String>,
    scope: Option<String>,
    state: Option<String>,
    nonce: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
}

/// The form of the page.
#[derive(Debug, Default, Deserialize)]
struct Choice {
    /// An account's id or address.
    account: Option<String>,
    /// The name of a new account.
    name: Option<String>,
    email: Option<String>,
    verified: Option<String>,
    /// Present if the person declines.
    deny: Option<String>,
}

/// A valid request.
#[derive(Debug)]
struct AuthorizeRequest {
    provider: IdentityProvider,
    redirect: Url,
    params: Params,
}

/// Why a request is refused.
enum Refusal {
    /// A sentence for the person: the browser must not be redirected to an unknown
    /// address.
    Page(&'static str),
    /// `error` and `error_description` for the client.
    Redirect(Box<AuthorizeRequest>, &'static str, &'static str),
}

type QueryParams = Result<Query<Params>, QueryRejection>;

/// `GET` shows the page, `POST` takes its form.
pub(super) fn route(provider: IdentityProvider) -> MethodRouter<Shared> {
    get(async move |State(world): State<Shared>, params, query| {
        show(&world, provider, params, query)
    })
    .post(async move |State(world): State<Shared>, params, query, choice| {
        decide(&world, provider, params, query, choice)
    })
}

/// Shows the page, or redirects at once if a test has ordered the answer.
fn show(
    world: &World,
    provider: IdentityProvider,
    params: QueryParams,
    RawQuery(query): RawQuery,
) -> Response {
    let request = match AuthorizeRequest::parse(provider, params, &world.social) {
        Ok(request) => request,
        Err(refusal) => return refusal.reply(world),
    };
    let ordered = take_orders(world, |orders| {
        orders.next.as_ref().is_some_and(|next| next.provider == provider)
    });
    let Some(Orders { next: Some(Next { sub, .. }), tamper }) = ordered else {
        return choose(world, &request, &query.unwrap_or_default(), "");
    };
    let account =
        sub.and_then(|sub| world.read(|state| state.social.account(provider, &sub).cloned()));
    match account {
        Some(account) => grant(world, &request, account, tamper),
        None => decline(world, &request),
    }
}

/// Carries out what the person has chosen.
fn decide(
    world: &World,
    provider: IdentityProvider,
    params: QueryParams,
    RawQuery(query): RawQuery,
    choice: Result<Form<Choice>, FormRejection>,
) -> Response {
    let request = match AuthorizeRequest::parse(provider, params, &world.social) {
        Ok(request) => request,
        Err(refusal) => return refusal.reply(world),
    };
    let Ok(Form(choice)) = choice else {
        return page::error("The form could not be read.");
    };
    if choice.deny.is_some() {
        return decline(world, &request);
    }
    match world.read(|state| chosen(&state.social, provider, choice)) {
        Ok(account) => {
            // Only Google has ID tokens. Orders with `next` wait for the next `GET`.
            let google = provider == IdentityProvider::Google;
            let orders = take_orders(world, |orders| {
                google && orders.next.is_none() && orders.tamper != Tamper::None
            });
            grant(world, &request, account, orders.unwrap_or_default().tamper)
        }
        Err(error) => choose(world, &request, &query.unwrap_or_default(), error),
    }
}

impl AuthorizeRequest {
    fn parse(
        provider: IdentityProvider,
        params: QueryParams,
        apps: &SocialApps,
    ) -> Result<Self, Refusal> {
        let Ok(Query(params)) = params else {
            return Err(Refusal::Page("The request has a parameter twice."));
        };
        if params.client_id.as_deref() != Some(credentials(apps, provider).0) {
            return Err(Refusal::Page("No application has this client_id."));
        }
        let Some(redirect) = params.redirect_uri.as_deref().and_then(|uri| apps.redirect(uri))
        else {
            return Err(Refusal::Page("The application has not registered this redirect_uri."));
        };
        let request = Self { provider, redirect, params };
        let params = &request.params;
        let google = provider == IdentityProvider::Google;
        // Facebook's default is `code`; Google has none.
        let default = if google { "" } else { "code" };
        let challenge = params.code_challenge.as_deref();
        let (error, why) = if params.response_type.as_deref().unwrap_or(default) != "code" {
            ("unsupported_response_type", "response_type must be code")
        } else if google && !has_scope(params.scope.as_deref().unwrap_or_default(), "openid") {
            ("invalid_scope", "scope must contain openid")
        } else if challenge.is_some_and(|challenge| challenge.len() != 43) {
            ("invalid_request", "code_challenge must be a SHA-256 in base64url")
        } else if params.code_challenge_method.as_deref() != challenge.map(|_| "S256") {
            ("invalid_request", "code_challenge_method must be S256")
        } else {
            return Ok(request);
        };
        Err(Refusal::Redirect(Box::new(request), error, why))
    }

    /// The redirect to the client with these parameters.
    fn redirect(&self, world: &World, params: &[(&str, &str)]) -> Response {
        let mut url = self.redirect.clone();
        let mut query = url.query_pairs_mut();
        query.extend_pairs(params);
        if let Some(state) = &self.params.state {
            query.append_pair("state", state);
        }
        // RFC 9207: against mix-up attacks on a client of several providers.
        if self.provider == IdentityProvider::Google {
            query.append_pair("iss", &world.issuer());
        }
        drop(query);
        if self.provider == IdentityProvider::Facebook {
            // Facebook appends this fragment to every redirect.
            url.set_fragment(Some("_=_"));
        }
        let Ok(location) = HeaderValue::from_str(url.as_str()) else {
            return page::error("The redirect_uri is not a valid header value.");
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
            Self::Page(why) => page::error(why),
            Self::Redirect(request, error, why) => {
                request.redirect(world, &[("error", error), ("error_description", why)])
            }
        }
    }
}

fn choose(world: &World, request: &AuthorizeRequest, query: &str, error: &str) -> Response {
    let accounts: Vec<Account> = world.read(|state| {
        let all = state.social.accounts().into_iter();
        all.filter(|account| account.provider == request.provider).cloned().collect()
    });
    let client = &world.merchant.name;
    page::choose(request.provider, client, &accounts, query, error, &request.redirect)
}

fn decline(world: &World, request: &AuthorizeRequest) -> Response {
    let params: &[(&str, &str)] = match request.provider {
        IdentityProvider::Google => &[("error", "access_denied")],
        IdentityProvider::Facebook => &[
            ("error", "access_denied"),
            ("error_code", "200"),
            ("error_description", "Permissions error"),
            ("error_reason", "user_denied"),
        ],
    };
    request.redirect(world, params)
}

fn grant(
    world: &World,
    request: &AuthorizeRequest,
    mut account: Account,
    tamper: Tamper,
) -> Response {
    let now = clock::now();
    let code = match request.provider {
        // Google's codes contain a slash, which clients must percent-encode.
        IdentityProvider::Google => format!("4/0A{}", secret()),
        IdentityProvider::Facebook => format!("AQ{}", secret()),
    };
    account.used_at = now;
    let params = request.params.clone();
    let grant = Grant {
        provider: request.provider,
        code: code.clone(),
        redirect_uri: params.redirect_uri.unwrap_or_default(),
        sub: account.sub.clone(),
        scope: params.scope.unwrap_or_default(),
        nonce: params.nonce,
        challenge: params.code_challenge,
        tamper,
        expires_at: now + CODE_LIFETIME,
        token: None,
    };
    world.record([SocialFact::Account(account), SocialFact::Grant(grant)].map(Fact::Social));
    tracing::info!(provider = ?request.provider, ?tamper, "social.granted");
    request.redirect(world, &[("code", &code)])
}

/// Takes a test's orders if they are for this request; they count once.
fn take_orders(world: &World, matches: impl Fn(&Orders) -> bool) -> Option<Orders> {
    world.update(|state| {
        let orders = &state.social.orders;
        if !matches(orders) {
            return (Vec::new(), None);
        }
        let none = SocialFact::Orders(Orders::default());
        (vec![Fact::Social(none)], Some(orders.clone()))
    })
}

/// The account that the form names, or a new one.
fn chosen(
    social: &Social,
    provider: IdentityProvider,
    choice: Choice,
) -> Result<Account, &'static str> {
    if let Some(key) = choice.account {
        return social.account(provider, &key).cloned().ok_or("This account no longer exists.");
    }
    let name = choice.name.as_deref().unwrap_or_default().trim();
    let email = choice.email.as_deref().unwrap_or_default().trim();
    if !email.is_empty() && social.account(provider, email).is_some() {
        return Err("There is an account with this email address.");
    }
    Account::new(provider, name, email, choice.verified.is_some(), clock::now())
}
