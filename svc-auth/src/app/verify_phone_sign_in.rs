//! In by the code that was sent.

use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, instrument};
use types::{Msisdn, PlayerId};

use super::{Cx, SignedIn, newcomer, session};
use crate::{
    crypto::Proof,
    domain::{ChallengeId, Code},
    error::{Error, Refused},
    store::{self, player::Newcomer},
};

/// A guess. `None` is what was never a challenge or can be no code.
pub(crate) struct VerifyPhoneSignIn {
    pub(crate) challenge: Option<ChallengeId>,
    pub(crate) code: Option<Code>,
}

/// Opens a session for whoever has the code, and makes the player if the number has
/// none. A reply that was lost is given again.
#[instrument(name = "auth.verify_phone_sign_in", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn verify_phone_sign_in(
    cx: &Cx,
    command: VerifyPhoneSignIn,
) -> Result<SignedIn, Error> {
    let outcome = verify(cx, command).await;
    let label = match &outcome {
        Ok(_) => "right",
        Err(Error::Refused(Refused::BadCode)) => "wrong",
        Err(Error::Refused(Refused::CodeExpired)) => "expired",
        Err(_) => "failed",
    };
    counter!("phone_codes_verified_total", "outcome" => label).increment(1);
    outcome
}

async fn verify(cx: &Cx, command: VerifyPhoneSignIn) -> Result<SignedIn, Error> {
    let challenge = command.challenge.ok_or(Refused::CodeExpired)?;
    let code = command.code.ok_or(Refused::BadCode)?;
    let now = cx.clock.now();

    let mut tx = cx.db.begin().await?;
    let found = store::challenge::lock(&mut tx, challenge).await?;
    let sent = found.filter(|sent| sent.is_open(now)).ok_or(Refused::CodeExpired)?;
    // Counted before it is looked at, under the row's lock: a hundred guesses at once
    // are five.
    store::challenge::count_try(&mut tx, challenge).await?;
    if !cx.messaging.codes.proves(&code, &sent, challenge) {
        tx.commit().await?;
        return Err(if sent.ended { Refused::CodeExpired } else { Refused::BadCode }.into());
    }
    let first = cx.refresher.first(&Proof::Code(&sent));
    if sent.ended {
        // Used, perhaps a moment ago by the same page; or void.
        let again = session::again(&mut tx, cx, first, now).await?;
        tx.commit().await?;
        return Ok(again.ok_or(Refused::CodeExpired)?);
    }
    store::challenge::end(&mut tx, challenge, now).await?;
    let (player, is_new) = owner_or_newcomer(&mut tx, cx, &sent.phone, now).await?;
    let signed_in = session::open(&mut tx, cx, player, first, now).await?;
    tx.commit().await?;

    Span::current().record("player.id", field::display(player));
    Ok(SignedIn { is_new, ..signed_in })
}

/// Whose phone it is; true when that is a player made here.
async fn owner_or_newcomer(
    conn: &mut PgConnection,
    cx: &Cx,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> Result<(PlayerId, bool), Error> {
    if let Some(owner) = store::phone::owner(conn, phone).await? {
        return Ok((owner, false));
    }
    let newcomer = PlayerId::generate(&cx.clock, &cx.rng);
    if !store::phone::claim(conn, newcomer, phone, now).await? {
        // Somebody was faster. The try is given back with this transaction, and the next
        // one finds the owner.
        return Err(Refused::Busy.into());
    }
    let told = Newcomer { phone: Some(phone.clone()), ..Newcomer::default() };
    newcomer::make(conn, cx, newcomer, &told, now).await?;
    Ok((newcomer, true))
}
