//! Finishes a sign-in with Google or Facebook.

use anyhow::Context as _;
use mesh::instrument;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, warn};
use types::PlayerId;

use super::{
    Cx, JOINED_TOPIC,
    provider_player::{self, Found},
    session::NEW_ACCOUNT_WINDOW,
    start_oauth::authorization_request,
};
use crate::{
    clients::oauth::ProviderError,
    crypto::{BrowserSecret, ExchangeCode, State},
    domain::{CodeRateLimit, Person, Provider, ProviderAccount, ProviderJoin},
    error::{Error, Refused},
    store::{self, oauth::Exchange},
};

/// The parameters and the cookie with which the browser returns from the provider. A token is
/// `None` for a text that is not a token.
pub(crate) struct FinishOAuth {
    /// The provider in the callback's path.
    pub(crate) provider: Provider,
    pub(crate) state: Option<State>,
    pub(crate) browser: Option<BrowserSecret>,
    pub(crate) answer: Answer,
}

/// The provider's answer.
pub(crate) enum Answer {
    /// An authorization code.
    Code(String),
    /// An error code (RFC 6749, section 4.1.2.1).
    Error(String),
}

/// Identifies the player and returns the code that opens their session.
#[instrument(
    name = "auth.finish_oauth",
    skip_all,
    fields(provider = command.provider.slug(), player.id = field::Empty)
)]
pub(crate) async fn finish_oauth(cx: &Cx, command: FinishOAuth) -> Result<ExchangeCode, Error> {
    let provider = command.provider;
    if !cx.oauth.providers.has(provider) {
        return Err(Refused::ProviderOff.into());
    }
    let state = take_attempt(cx, &command, cx.clock.now()).await?;
    // No transaction is open while the provider is called.
    let person = match command.answer {
        Answer::Code(code) => identify(cx, provider, &state, &code).await?,
        Answer::Error(code) => return Err(refusal(provider, &code).into()),
    };

    let now = cx.clock.now();
    let code = ExchangeCode::generate(&cx.rng);
    let mut tx = cx.db.begin().await?;
    let player = match provider_player::find_or_create(&mut tx, cx, provider, &person, now).await? {
        Found::Known(player) => {
            insert_exchange(&mut tx, &code, player, false, now).await?;
            player
        }
        Found::New(player) => {
            insert_exchange(&mut tx, &code, player, true, now).await?;
            player
        }
        Found::Unproven(player) => {
            await_email_code(&mut tx, &code, player, person.account(provider), now).await?;
            player
        }
    };
    tx.commit().await?;
    cx.outbox.notify(JOINED_TOPIC);
    Span::current().record("player.id", field::display(player));
    Ok(code)
}

async fn insert_exchange(
    conn: &mut PgConnection,
    code: &ExchangeCode,
    player: PlayerId,
    is_new: bool,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let exchange = Exchange { player, is_new, expires_at: now + NEW_ACCOUNT_WINDOW };
    store::oauth::insert_exchange(conn, &code.hash(), &exchange).await
}

/// Makes the exchange code wait for a second code, which is mailed to the account's address, before
/// it opens a session.
async fn await_email_code(
    conn: &mut PgConnection,
    code: &ExchangeCode,
    player: PlayerId,
    account: ProviderAccount<'_>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let email = account.email.context("an account without an address joins no player")?;
    let join = ProviderJoin {
        provider: account.provider,
        subject: account.subject.to_owned(),
        player,
        email: email.clone(),
        expires_at: now + ProviderJoin::TTL,
        challenge: None,
        tries: 0,
        sent: vec![],
    };
    let kept_until = now + CodeRateLimit::PERIOD;
    Ok(store::provider_join::replace(conn, &code.hash(), &join, kept_until).await?)
}

/// Consumes an attempt, and returns its state if it is this browser's and this provider's and
/// has not expired.
async fn take_attempt(cx: &Cx, command: &FinishOAuth, now: OffsetDateTime) -> Result<State, Error> {
    let (Some(state), Some(browser)) = (&command.state, &command.browser) else {
        return Err(Refused::OAuthState.into());
    };
    let mut conn = cx.db.acquire().await?;
    let taken = store::oauth::take_attempt(&mut conn, &state.hash()).await?;
    let attempt = taken.ok_or(Refused::OAuthState)?;
    let same_browser = browser.matches(&attempt.browser_hash);
    let same_provider = attempt.provider == command.provider.as_str();
    if same_browser && same_provider && now < attempt.expires_at {
        Ok(state.clone())
    } else {
        Err(Refused::OAuthState.into())
    }
}

async fn identify(
    cx: &Cx,
    provider: Provider,
    state: &State,
    code: &str,
) -> Result<Person, Refused> {
    let request = authorization_request(cx, provider, state);
    let identified = cx.oauth.providers.identify(provider, code, &request).await;
    identified.map_err(|error| {
        warn!(%error, "cannot identify a player by the provider");
        match error {
            ProviderError::Disabled => Refused::ProviderOff,
            ProviderError::Unavailable(_) => Refused::ProviderUnavailable,
            ProviderError::Invalid(_) => Refused::OAuthFailed(provider),
        }
    })
}

/// The refusal for a provider's error code.
fn refusal(provider: Provider, code: &str) -> Refused {
    match code {
        "access_denied" => Refused::OAuthDenied,
        "temporarily_unavailable" => Refused::ProviderUnavailable,
        _ => {
            // The code is not logged: the browser can send any text here.
            warn!("the provider returned an error");
            Refused::OAuthFailed(provider)
        }
    }
}
