//! Joins an account at a provider with a player, by the code of a mail.

use mesh::instrument;
use metrics::counter;
use time::OffsetDateTime;
use tracing::{Span, field};

use super::{Cx, JOINED_TOPIC, SignedIn, provider_player, session, start_oauth_join};
use crate::{
    crypto::{CodePurpose, ExchangeCode, Proof},
    domain::{Arrival, Code, DeviceId, ProviderAccount, ProviderJoin},
    error::{Error, Refused},
    store,
};

/// A guess at a mailed code. A field is `None` for a text that is not a code.
pub(crate) struct ConfirmOAuthJoin {
    pub(crate) exchange: Option<ExchangeCode>,
    pub(crate) code: Option<Code>,
}

/// Joins and opens a session if the code is right. A retry within the grace period gets the
/// same session.
#[instrument(name = "auth.confirm_oauth_join", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_oauth_join(
    cx: &Cx,
    command: ConfirmOAuthJoin,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let outcome = confirm(cx, command, device).await;
    let label = match &outcome {
        Ok(_) => "right",
        Err(Error::Refused(Refused::BadCode)) => "wrong",
        Err(Error::Refused(Refused::CodeExpired)) => "expired",
        Err(_) => "failed",
    };
    counter!("join_codes_verified_total", "outcome" => label).increment(1);
    outcome
}

async fn confirm(
    cx: &Cx,
    command: ConfirmOAuthJoin,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let exchange = command.exchange.ok_or(Refused::OAuthExpired)?;
    let now = cx.clock.now();
    let first = cx.refresher.first(&Proof::Exchange(&exchange));
    let mut tx = cx.db.begin().await?;
    let Some(join) = start_oauth_join::lock(&mut tx, &exchange).await? else {
        // The account is joined already, perhaps a moment ago by the same page.
        let replayed = session::replay(&mut tx, cx, first, device, now).await?;
        let signed_in = replayed.ok_or(Refused::OAuthExpired)?;
        tx.commit().await?;
        return Ok(signed_in);
    };
    Span::current().record("player.id", field::display(join.player));
    if !matches_mailed_code(cx, &join, command.code, now)? {
        store::provider_join::count_guess(&mut tx, &join).await?;
        tx.commit().await?;
        return Err(Refused::BadCode.into());
    }
    // The address may be another player's by now, or no player's; the account at the provider
    // may have got a player of its own.
    let owner = provider_player::lock_owner(&mut tx, &join.email).await?;
    let known = store::social::find(&mut tx, join.provider, &join.subject).await?;
    if owner != Some(join.player) || known.is_some() {
        return Err(Refused::OAuthExpired.into());
    }
    let account = ProviderAccount {
        provider: join.provider,
        subject: &join.subject,
        email: Some(&join.email),
        is_proven: true,
    };
    provider_player::join(&mut tx, cx, join.player, account, &join.email, now).await?;
    store::provider_join::delete(&mut tx, &join).await?;
    let arrived = (device, Arrival::Mail);
    let signed_in = session::open(&mut tx, cx, join.player, first, arrived, now).await?;
    tx.commit().await?;
    cx.outbox.notify(JOINED_TOPIC);
    Ok(signed_in)
}

/// Whether a guess is the code that was mailed.
fn matches_mailed_code(
    cx: &Cx,
    join: &ProviderJoin,
    guess: Option<Code>,
    now: OffsetDateTime,
) -> Result<bool, Refused> {
    if now >= join.expires_at {
        return Err(Refused::OAuthExpired);
    }
    let challenge = join.open_challenge(now).ok_or(Refused::CodeExpired)?;
    let guess = guess.ok_or(Refused::BadCode)?;
    Ok(cx.messaging.codes.verify_derived(&guess, CodePurpose::ProviderJoin, challenge))
}
