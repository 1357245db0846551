//! An account by email.

use anyhow::anyhow;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, instrument};
use types::PlayerId;

use super::{Cx, SignedIn, session};
use crate::{
    crypto::Solved,
    domain::{Email, Password, ReferralCode},
    error::{Error, Refused},
    store,
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
    spend(cx, &solved).await?;
    let hash = place.hash(command.password, &cx.chance).await?;

    let player = PlayerId::mint(&cx.clock, &cx.chance);
    let mut tx = cx.db.begin().await?;
    if !store::identity::claim(&mut tx, player, &command.email, &hash, now).await? {
        return Err(Refused::EmailTaken.into());
    }
    make_player(&mut tx, cx, player, &command.email, now).await?;
    let signed_in = session::open(&mut tx, cx, player, now).await?;
    tx.commit().await?;

    Span::current().record("player.id", field::display(player));
    Ok(SignedIn { is_new: true, ..signed_in })
}

/// Uses a captcha up, for good and before the hash that it pays for: one solution
/// sent a hundred times at once buys one hash, and asking whether an email is taken
/// costs work each time.
async fn spend(cx: &Cx, solved: &Solved) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    if store::captcha::spend(&mut conn, &solved.signature, solved.expires_at).await? {
        Ok(())
    } else {
        Err(Refused::CaptchaExpired.into())
    }
}

/// Inserts the player under a referral code that nobody has.
async fn make_player(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // With a million players a draw collides once in a million; three in a row
    // are a broken source of chance, not bad luck.
    for _ in 0..3 {
        let code = ReferralCode::draw(&cx.chance);
        if store::player::insert(conn, player, email, &code, now).await? {
            return Ok(());
        }
    }
    Err(anyhow!("no referral code is free").into())
}
