//! An account by email.

use tracing::{Span, field, instrument};
use types::PlayerId;

use super::{Cx, SignedIn, mails, newcomer, session, spend_captcha::spend_captcha};
use crate::{
    domain::{Email, Password},
    error::{Error, Refused},
    store::{self, player::Newcomer},
};

/// A sign-up whose form is right.
pub(crate) struct SignUp {
    pub(crate) email: Email,
    pub(crate) password: Password,
    /// The widget's payload.
    pub(crate) captcha: String,
}

/// Makes a player with an email and a password, and signs them in.
#[instrument(name = "auth.sign_up", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn sign_up(cx: &Cx, command: SignUp) -> Result<SignedIn, Error> {
    let now = cx.clock.now();
    let solved = cx.captcha.judge(&command.captcha, now).ok_or(Refused::CaptchaExpired)?;
    let place = cx.hasher.place()?;
    spend_captcha(cx, &solved).await?;
    let hash = place.hash(command.password, &cx.chance).await?;

    let player = PlayerId::mint(&cx.clock, &cx.chance);
    let mut tx = cx.db.begin().await?;
    store::identity::lock_email(&mut tx, &command.email).await?;
    if !store::identity::claim(&mut tx, player, &command.email, &hash, now).await? {
        return Err(Refused::EmailTaken.into());
    }
    mails::owe_confirmation(&mut tx, cx, player, &command.email).await?;
    let newcomer = Newcomer { email: Some(command.email), ..Newcomer::default() };
    newcomer::make(&mut tx, cx, player, &newcomer, now).await?;
    let signed_in = session::open(&mut tx, cx, player, now).await?;
    tx.commit().await?;
    cx.bell.ring();

    Span::current().record("player.id", field::display(player));
    Ok(SignedIn { is_new: true, ..signed_in })
}
