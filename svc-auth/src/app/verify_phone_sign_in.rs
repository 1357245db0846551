//! Signs a player in by a code that was sent to a phone.

use std::sync::LazyLock;

use mesh::{instrument, permits::KeyedPermits};
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field};
use types::{Msisdn, PlayerId};

use super::{
    Cx, SignedIn, create_player::create_player, former_account::take_over_former_accounts, session,
};
use crate::{
    crypto::Proof,
    domain::{Arrival, ChallengeId, Code, DeviceId, Standing},
    error::{Error, Refused},
    store::{self, player::NewPlayer},
};

/// Most guesses that this process checks at once.
const GUESSES: usize = 1_000;

/// Most guesses at one code that this process checks at once: more than a code takes. Guesses wait
/// for the code's row with a connection of the pool, which other players need.
const GUESSES_PER_CODE: usize = 6;

static PERMITS: LazyLock<KeyedPermits<ChallengeId>> =
    LazyLock::new(|| KeyedPermits::new("phone_guesses", GUESSES, GUESSES_PER_CODE));

/// A guess at a code. A field is `None` for a text that is not a challenge's id or not a code.
pub(crate) struct VerifyPhoneSignIn {
    pub(crate) challenge: Option<ChallengeId>,
    pub(crate) code: Option<Code>,
}

/// Opens a session if the code is right, and creates the player if the number has none. A
/// retry within the grace period gets the same session.
#[instrument(name = "auth.verify_phone_sign_in", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn verify_phone_sign_in(
    cx: &Cx,
    command: VerifyPhoneSignIn,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let outcome = verify(cx, command, device).await;
    let label = match &outcome {
        Ok(_) => "right",
        Err(Error::Refused(Refused::BadCode)) => "wrong",
        Err(Error::Refused(Refused::CodeExpired)) => "expired",
        Err(_) => "failed",
    };
    counter!("phone_codes_verified_total", "outcome" => label).increment(1);
    outcome
}

async fn verify(
    cx: &Cx,
    command: VerifyPhoneSignIn,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let challenge = command.challenge.ok_or(Refused::CodeExpired)?;
    let code = command.code.ok_or(Refused::BadCode)?;
    let _permit = PERMITS.acquire(Some(challenge)).map_err(|_| Error::Conflict)?;
    let now = cx.clock.now();

    let mut tx = cx.db.begin().await?;
    let found = store::challenge::lock(&mut tx, challenge).await?;
    let sent = found.filter(|sent| sent.takes_guesses(now)).ok_or(Refused::CodeExpired)?;
    // An ended code accepts only retries of the right guess.
    let is_strangers = sent.standing == Standing::Unknown && !sent.ended;
    if is_strangers && store::sms_spent::find_wrong(&mut tx, now).await?.void(&sent) {
        return Err(Refused::CodeExpired.into());
    }
    // The guess is counted before it is compared, under the row's lock, so that at most five of
    // concurrent guesses are compared.
    store::challenge::count_guess(&mut tx, challenge).await?;
    if !cx.messaging.codes.verify(&code, &sent, challenge) {
        if is_strangers {
            store::sms_spent::count_wrong(&mut tx, 1, now).await?;
        }
        tx.commit().await?;
        return Err(if sent.ended { Refused::CodeExpired } else { Refused::BadCode }.into());
    }
    let first = cx.refresher.first(&Proof::Code(&sent));
    if sent.ended {
        // The code was used, perhaps a moment ago by the same page, or voided.
        let replayed = session::replay(&mut tx, cx, first, device, now).await?;
        tx.commit().await?;
        return Ok(replayed.ok_or(Refused::CodeExpired)?);
    }
    store::challenge::end(&mut tx, challenge, now).await?;
    let (player, arrival) = find_or_create(&mut tx, cx, &sent.phone, now).await?;
    let signed_in = session::open(&mut tx, cx, player, first, (device, arrival), now).await?;
    if is_strangers && sent.tries > 0 {
        // The wrong guesses were the player's own mistakes.
        store::sms_spent::count_wrong(&mut tx, -sent.tries, now).await?;
    }
    tx.commit().await?;

    Span::current().record("player.id", field::display(player));
    Ok(signed_in)
}

/// Returns the player of a phone, and creates them if there is none.
async fn find_or_create(
    conn: &mut PgConnection,
    cx: &Cx,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> Result<(PlayerId, Arrival), Error> {
    if let Some(owner) = store::phone::find_owner(conn, phone).await? {
        return Ok((owner, Arrival::SignIn));
    }
    let player = PlayerId::generate(&cx.clock, &cx.rng);
    if !store::phone::claim(conn, player, phone, now).await? {
        // A concurrent call created the player. The rollback uncounts this guess, and a retry
        // finds the player.
        return Err(Error::Conflict);
    }
    let new = NewPlayer { phone: Some(phone.clone()), ..NewPlayer::default() };
    create_player(conn, cx, player, &new, now).await?;
    take_over_former_accounts(conn, cx, player, phone, now).await?;
    Ok((player, Arrival::NewAccount))
}
