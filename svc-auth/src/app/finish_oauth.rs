//! Back from Google or Facebook.

use time::OffsetDateTime;
use tracing::{Span, field, instrument, warn};

use super::{Cx, session::NEWCOMER, social, start_oauth::ask};
use crate::{
    clients::oauth::Trouble,
    crypto::{BrowserSecret, ExchangeCode, State},
    domain::{Person, Provider},
    error::{Error, Refused},
    store::{self, oauth::Exchange},
};

/// What a browser brings back. `None` is what was never one of ours.
pub(crate) struct FinishOAuth {
    /// By which door it came back.
    pub(crate) provider: Provider,
    pub(crate) state: Option<State>,
    pub(crate) browser: Option<BrowserSecret>,
    pub(crate) answer: Answer,
}

/// What the provider gave the browser.
pub(crate) enum Answer {
    /// A code that says who somebody is.
    Code(String),
    /// The word for why not (RFC 6749, section 4.1.2.1).
    No(String),
}

/// Finds out who came back, and gives the code that opens their session.
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
    // No transaction is open while the provider thinks.
    let person = match command.answer {
        Answer::Code(code) => identify(cx, provider, &state, &code).await?,
        Answer::No(word) => return Err(no(provider, &word).into()),
    };

    let now = cx.clock.now();
    let code = ExchangeCode::draw(&cx.rng);
    let mut tx = cx.db.begin().await?;
    let found = social::find_or_make(&mut tx, cx, provider, &person, now).await?;
    let exchange =
        Exchange { player: found.player, is_new: found.is_new, expires_at: now + NEWCOMER };
    store::oauth::insert_exchange(&mut tx, &code.hash(), &exchange).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Span::current().record("player.id", field::display(found.player));
    Ok(code)
}

/// Uses an attempt up, for good, and gives its state back if it was this browser's, at
/// this provider, a short while ago.
async fn take_attempt(cx: &Cx, command: &FinishOAuth, now: OffsetDateTime) -> Result<State, Error> {
    let (Some(state), Some(browser)) = (&command.state, &command.browser) else {
        return Err(Refused::OAuthState.into());
    };
    let mut conn = cx.db.acquire().await?;
    let taken = store::oauth::take_attempt(&mut conn, &state.hash()).await?;
    let attempt = taken.ok_or(Refused::OAuthState)?;
    let same_browser = browser.is(&attempt.browser_hash);
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
    let asked = cx.oauth.providers.identify(provider, code, &ask(cx, provider, state)).await;
    asked.map_err(|trouble| {
        warn!(%trouble, "nobody was identified");
        match trouble {
            Trouble::Off => Refused::ProviderOff,
            Trouble::Away(_) => Refused::ProviderAway,
            Trouble::Disbelieved(_) => Refused::OAuthFailed(provider),
        }
    })
}

/// What the provider's own no comes to.
fn no(provider: Provider, word: &str) -> Refused {
    match word {
        "access_denied" => Refused::OAuthDenied,
        "temporarily_unavailable" => Refused::ProviderAway,
        _ => {
            // Whoever has a browser can say any word here.
            warn!("the provider sent somebody back with an error");
            Refused::OAuthFailed(provider)
        }
    }
}
