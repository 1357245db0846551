//! Sends a code to a phone that is to get a player's withdrawals.

use mesh::{auth::Player, call::Call, instrument};
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};

use super::{Cx, start_phone_sign_in::budget_exhausted};
use crate::{
    clients::sms::{Sms, SmsOutcome, SmsText},
    crypto::CodePurpose,
    domain::{ChallengeId, CodeRateLimit, PayoutPhone, PayoutPhoneChallenge},
    error::{Error, Refused},
    store,
};

/// Codes to payout phones use the half of the SMS budget that is for numbers without an account, so
/// that a person with many accounts cannot use up the half by which players sign in.
const HAS_ACCOUNT: bool = false;

/// A code that was sent.
pub(crate) struct PayoutCodeSent {
    pub(crate) phone: Msisdn,
    pub(crate) expires_at: OffsetDateTime,
    pub(crate) resend_at: OffsetDateTime,
}

/// Sends a code, if money may leave by the caller's device.
#[instrument(name = "auth.start_payout_phone", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn start_payout_phone(
    cx: &Cx,
    caller: Player,
    phone: Msisdn,
) -> Result<PayoutCodeSent, Error> {
    let sms = cx.messaging.sms.as_ref().ok_or(Refused::ProviderOff)?;
    let now = cx.clock.now();
    caller.check_device(now)?;
    let issued = issue(cx, caller.id, phone, now).await?;
    let code = cx.messaging.codes.derived(CodePurpose::PayoutPhone, issued.challenge);
    let text = SmsText::payout_code(&code, cx.origin.host(), Call::current().language);
    let sending = send(cx.clone(), sms.clone(), text, issued, now);
    // Send in a task of its own, because the caller may hang up: a message that was not sent is taken
    // out of the budget all the same.
    cx.shutdown.run_apart("a payout phone's code", sending).await?
}

/// A code that was counted.
struct Issued {
    challenge: ChallengeId,
    sent: PayoutCodeSent,
}

/// Counts the code for its player, for its phone and for the budget, and stores its challenge,
/// before it is sent.
async fn issue(
    cx: &Cx,
    player: PlayerId,
    phone: Msisdn,
    now: OffsetDateTime,
) -> Result<Issued, Error> {
    let mut tx = cx.db.begin().await?;
    // Requests of one player wait for each other here.
    store::player::lock(&mut tx, player).await?.ok_or(Refused::PlayerGone)?;
    check_count(&mut tx, player, &phone, now).await?;
    let last = store::payout_phone_challenge::find(&mut tx, player).await?;
    let by_player = last.map(|last| last.sent).unwrap_or_default();
    let by_player = CodeRateLimit::record(&by_player, now).map_err(Refused::TooManyCodes)?;
    let key = cx.messaging.codes.payout_phone_key(&phone);
    let to_phone = store::code_rate_limit::lock(&mut tx, &key, now).await?;
    let to_phone = CodeRateLimit::record(&to_phone, now).map_err(Refused::TooManyCodes)?;
    let counts_until = now + CodeRateLimit::PERIOD;
    store::code_rate_limit::update(&mut tx, &key, &to_phone, counts_until).await?;

    let challenge = ChallengeId::generate(&cx.clock, &cx.rng);
    let expires_at = now + PayoutPhoneChallenge::TTL;
    let resend_at =
        CodeRateLimit::resend_at(&by_player, now).max(CodeRateLimit::resend_at(&to_phone, now));
    let to = phone.clone();
    let new = PayoutPhoneChallenge { challenge, phone, tries: 0, expires_at, sent: by_player };
    store::payout_phone_challenge::replace(&mut tx, player, &new, counts_until).await?;
    // Counted last, because all phones lock this row.
    let total = store::sms_spent::count(&mut tx, HAS_ACCOUNT, now).await?;
    if !cx.messaging.sms_budget.covers(total, HAS_ACCOUNT) {
        return Err(budget_exhausted(cx, now).into());
    }
    tx.commit().await?;
    let sent = PayoutCodeSent { phone: to, expires_at, resend_at };
    Ok(Issued { challenge, sent })
}

/// Refuses another phone of a locked player who has proven too many in a year.
pub(super) async fn check_count(
    conn: &mut PgConnection,
    player: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let since = now - PayoutPhone::YEAR;
    if store::payout_phone::count_since(conn, player, phone, since).await? < PayoutPhone::MOST {
        Ok(())
    } else {
        Err(Refused::TooManyPayoutPhones.into())
    }
}

/// Sends a code that was counted. A message that was not sent costs nothing of the budget; it
/// counts for its player and its phone, so that the next try has to wait.
async fn send(
    cx: Cx,
    sms: Sms,
    text: SmsText,
    issued: Issued,
    now: OffsetDateTime,
) -> Result<PayoutCodeSent, Error> {
    let outcome = sms.send(&issued.sent.phone, &text).await;
    counter!("sms_sent_total", "outcome" => outcome.as_str()).increment(1);
    let refused = match outcome {
        // The message may have been sent, so the code stays valid.
        SmsOutcome::Accepted | SmsOutcome::Unknown => return Ok(issued.sent),
        SmsOutcome::Refused => Refused::NoSmsForNumber,
        SmsOutcome::NotTaken => Refused::SmsNotSent,
    };
    let mut conn = cx.db.acquire().await?;
    store::sms_spent::uncount(&mut conn, HAS_ACCOUNT, now).await?;
    Err(refused.into())
}
