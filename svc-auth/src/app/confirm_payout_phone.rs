//! Proves a phone that is to get a player's withdrawals.

use mesh::{auth::Player, instrument};
use metrics::counter;

use super::{
    Cx, PAYOUT_PHONE_MAIL_TOPIC, mails,
    notify_payout_phone::{PAYOUT_PHONE_TOPIC, enqueue_payout_phone},
    start_payout_phone::check_count,
};
use crate::{
    crypto::CodePurpose,
    domain::{Code, PayoutPhone},
    error::{Error, Refused},
    store,
};

/// Lets the caller's withdrawals go to the phone that the newest code was sent to; returns the phone
/// with the time from which they may. `code` is `None` for a text that is not a code.
#[instrument(name = "auth.confirm_payout_phone", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn confirm_payout_phone(
    cx: &Cx,
    caller: Player,
    code: Option<Code>,
) -> Result<PayoutPhone, Error> {
    let outcome = confirm(cx, caller, code).await;
    let label = match &outcome {
        Ok(_) => "right",
        Err(Error::Refused(Refused::BadCode)) => "wrong",
        Err(Error::Refused(Refused::CodeExpired)) => "expired",
        Err(_) => "failed",
    };
    counter!("payout_phone_codes_verified_total", "outcome" => label).increment(1);
    outcome
}

async fn confirm(cx: &Cx, caller: Player, code: Option<Code>) -> Result<PayoutPhone, Error> {
    let (player, now) = (caller.id, cx.clock.now());
    caller.check_device(now)?;
    let code = code.ok_or(Refused::BadCode)?;
    let mut tx = cx.db.begin().await?;
    // Serialises the guesses of one player, so that at most five are compared.
    store::player::lock(&mut tx, player).await?.ok_or(Refused::PlayerGone)?;
    let found = store::payout_phone_challenge::find(&mut tx, player).await?;
    let sent = found.filter(|sent| sent.takes_guesses(now)).ok_or(Refused::CodeExpired)?;
    if !cx.messaging.codes.verify_derived(&code, CodePurpose::PayoutPhone, sent.challenge) {
        store::payout_phone_challenge::count_guess(&mut tx, player).await?;
        tx.commit().await?;
        return Err(Refused::BadCode.into());
    }
    let joined = store::player::find(&mut tx, player).await?.ok_or(Refused::PlayerGone)?.created_at;
    let known = store::payout_phone::list(&mut tx, player).await?;
    if let Some(known) = known.into_iter().find(|known| known.phone == sent.phone) {
        // The player proves it again, or the reply to the first try was lost.
        return Ok(known);
    }
    let proven = PayoutPhone::proven(sent.phone, joined, now);
    check_count(&mut tx, player, &proven.phone, now).await?;
    store::payout_phone::insert(&mut tx, player, &proven, now).await?;
    enqueue_payout_phone(&mut tx, cx, player, &proven, now).await?;
    // A thief who holds the player's phone can dismiss a notification, and not read the mailbox.
    if proven.opens_at > now
        && let Some(address) = store::identity::find_address(&mut tx, player).await?
    {
        mails::enqueue_payout_phone(&mut tx, cx, player, &address, &proven).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(PAYOUT_PHONE_TOPIC);
    cx.outbox.notify(PAYOUT_PHONE_MAIL_TOPIC);
    Ok(proven)
}
