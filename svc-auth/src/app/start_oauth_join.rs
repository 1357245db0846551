//! Mails a code that joins an account at a provider with a player.

use mesh::instrument;
use sqlx::PgConnection;
use tracing::{Span, field};

use super::{CodeMailed, Cx, JOIN_CODE_TOPIC, mails};
use crate::{
    crypto::ExchangeCode,
    domain::{ChallengeId, CodeRateLimit, ProviderJoin},
    error::{Error, Refused},
    store,
};

/// Mails a code to the address of a sign-in that waits for one. `code` is `None` for a text that is
/// not an exchange code.
#[instrument(name = "auth.start_oauth_join", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn start_oauth_join(
    cx: &Cx,
    code: Option<ExchangeCode>,
) -> Result<CodeMailed, Error> {
    let code = code.ok_or(Refused::OAuthExpired)?;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let join = lock(&mut tx, &code).await?.filter(|join| now < join.expires_at);
    let join = join.ok_or(Refused::OAuthExpired)?;
    Span::current().record("player.id", field::display(join.player));
    let sent = CodeRateLimit::record(&join.sent, now).map_err(Refused::TooManyCodes)?;
    let challenge = ChallengeId::generate(&cx.clock, &cx.rng);
    let resend_at = CodeRateLimit::resend_at(&sent, now);
    let join = ProviderJoin { challenge: Some(challenge), sent, ..join };
    store::provider_join::set_challenge(&mut tx, &join, now + CodeRateLimit::PERIOD).await?;
    mails::enqueue_join_code(&mut tx, cx, &join, challenge).await?;
    tx.commit().await?;
    cx.outbox.notify(JOIN_CODE_TOPIC);
    let expires_at = now + ProviderJoin::CODE_TTL;
    Ok(CodeMailed { email_hint: join.email.hint(), expires_at, resend_at })
}

/// Returns the sign-in with an exchange code, and locks its account at the provider.
pub(super) async fn lock(
    conn: &mut PgConnection,
    code: &ExchangeCode,
) -> Result<Option<ProviderJoin>, Error> {
    let Some(join) = store::provider_join::find(conn, &code.hash()).await? else {
        return Ok(None);
    };
    store::social::lock_subject(conn, join.provider, &join.subject).await?;
    // A newer sign-in, or a joining, may have replaced this one while the call waited for the lock.
    store::provider_join::find(conn, &code.hash()).await
}
