//! An account by email.

use tracing::{Span, field, instrument};
use types::PlayerId;

use super::{Cx, SignedIn, mails, newcomer, session, sign_in::whose, spend_captcha::spend_captcha};
use crate::{
    crypto::{Place, Proof, RefreshToken},
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

/// Makes a player with an email and a password, and signs them in. A reply that was lost
/// is given again.
#[instrument(name = "auth.sign_up", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn sign_up(cx: &Cx, command: SignUp) -> Result<SignedIn, Error> {
    let now = cx.clock.now();
    let solved = cx.captcha.judge(&command.captcha, now).ok_or(Refused::CaptchaExpired)?;
    let place = cx.hasher.place()?;
    let first = cx.refresher.first(&Proof::SignUp(&solved, &command.email));
    match spend_captcha(cx, &solved).await {
        Err(Error::Refused(spent)) => {
            return repeat(cx, place, command, first).await?.ok_or(spent.into());
        }
        spent => spent?,
    }
    let hash = place.hash(command.password, &cx.rng).await?;

    let player = PlayerId::generate(&cx.clock, &cx.rng);
    let mut tx = cx.db.begin().await?;
    store::identity::lock_email(&mut tx, &command.email).await?;
    if !store::identity::claim(&mut tx, player, &command.email, &hash, now).await? {
        return Err(Refused::EmailTaken.into());
    }
    mails::owe_confirmation(&mut tx, cx, player, &command.email).await?;
    let newcomer = Newcomer { email: Some(command.email), ..Newcomer::default() };
    newcomer::make(&mut tx, cx, player, &newcomer, now).await?;
    let signed_in = session::open(&mut tx, cx, player, first, now).await?;
    tx.commit().await?;
    cx.outbox.notify();

    Span::current().record("player.id", field::display(player));
    Ok(SignedIn { is_new: true, ..signed_in })
}

/// What the same sign-up came to a moment ago, if its captcha is used up by nothing else.
/// The password is measured then, or another one would seem to be set.
async fn repeat(
    cx: &Cx,
    place: Place,
    command: SignUp,
    first: RefreshToken,
) -> Result<Option<SignedIn>, Error> {
    // Looked at before the work: a captcha buys no more hashes than sign-ins do.
    let mut tx = cx.db.begin().await?;
    let Some(made) = session::again(&mut tx, cx, first, cx.clock.now()).await? else {
        return Ok(None);
    };
    tx.commit().await?;
    let owner = whose(cx, place, &command.email, command.password).await?;
    Ok(Some(made).filter(|made| owner == Some(made.player)))
}
