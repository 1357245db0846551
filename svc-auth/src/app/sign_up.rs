//! Registers an account by email.

use mesh::instrument;
use tracing::{Span, field};
use types::PlayerId;

use super::{
    CONFIRMATION_TOPIC, Cx, SignedIn, create_player::create_player, mails,
    refuse_guessable::refuse_guessable, session, sign_in::find_player_by_password,
    spend_captcha::spend_captcha,
};
use crate::{
    crypto::{HashPermit, Proof, RefreshToken},
    domain::{Arrival, DeviceId, Email, OwnWords, Password, Standing},
    error::{Error, Refused},
    store::{self, player::NewPlayer},
};

/// A valid request to sign up.
pub(crate) struct SignUp {
    pub(crate) email: Email,
    pub(crate) password: Password,
    /// The captcha widget's payload.
    pub(crate) captcha: String,
}

/// Creates a player with an email and a password, and signs them in. A retry within the grace
/// period gets the same session.
#[instrument(name = "auth.sign_up", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn sign_up(
    cx: &Cx,
    command: SignUp,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let now = cx.clock.now();
    let solved = cx.captcha.verify(&command.captcha, now).ok_or(Refused::CaptchaExpired)?;
    refuse_guessable(&command.password, OwnWords::of_email(&command.email)).await?;
    let permit = cx.hasher.acquire()?;
    let first = cx.refresher.first(&Proof::SignUp(&solved, &command.email));
    match spend_captcha(cx, &solved).await {
        Err(Error::Refused(spent)) => {
            return replay(cx, permit, command, first, device).await?.ok_or(spent.into());
        }
        spent => spent?,
    }
    let hash = permit.hash(command.password, &cx.rng).await?;

    let player = PlayerId::generate(&cx.clock, &cx.rng);
    let mut tx = cx.db.begin().await?;
    store::identity::lock_email(&mut tx, &command.email).await?;
    // Failed guesses from before the account existed do not lock its owner out.
    for standing in [Standing::Known, Standing::Unknown] {
        let account = cx.refresher.account_key(&command.email, standing);
        store::sign_in_rate_limit::clear(&mut tx, &account).await?;
    }
    if !store::identity::claim(&mut tx, player, &command.email, &hash, now).await? {
        return Err(Refused::EmailTaken.into());
    }
    mails::enqueue_confirmation(&mut tx, cx, player, &command.email).await?;
    let new = NewPlayer { email: Some(command.email), ..NewPlayer::default() };
    create_player(&mut tx, cx, player, &new, now).await?;
    let arrived = (device, Arrival::NewAccount);
    let signed_in = session::open(&mut tx, cx, player, first, arrived, now).await?;
    tx.commit().await?;
    cx.outbox.notify(CONFIRMATION_TOPIC);

    Span::current().record("player.id", field::display(player));
    Ok(signed_in)
}

/// The session that the same sign-up opened within the grace period. The password is checked,
/// or a retry with another one would seem to have set it.
async fn replay(
    cx: &Cx,
    permit: HashPermit,
    command: SignUp,
    first: RefreshToken,
    device: Option<DeviceId>,
) -> Result<Option<SignedIn>, Error> {
    // Looked up before the hash, so that a spent captcha costs no more hashes than sign-ins do.
    let mut tx = cx.db.begin().await?;
    let replayed = session::replay(&mut tx, cx, first, device, cx.clock.now()).await?;
    let Some(signed_in) = replayed else { return Ok(None) };
    tx.commit().await?;
    let SignUp { email, password, .. } = command;
    let owner = find_player_by_password(cx, permit, &email, password, device).await?;
    Ok(Some(signed_in).filter(|signed_in| owner == Some(signed_in.player)))
}
