//! Sends a code to a phone.

use mesh::{call::Call, instrument};
use metrics::counter;
use time::{Duration, OffsetDateTime};
use tracing::{Span, error, field};
use types::Msisdn;

use super::{Cx, spend_captcha::spend_captcha};
use crate::{
    clients::sms::{Sms, SmsOutcome, SmsText},
    domain::{ChallengeId, Code, CodeLength, CodeRateLimit, DeviceId, Standing},
    error::{Error, Refused},
    store::{self, challenge::NewChallenge},
};

/// How long a code is valid.
const CODE_TTL: Duration = Duration::minutes(5);

/// A valid request for a code.
pub(crate) struct StartPhoneSignIn {
    pub(crate) phone: Msisdn,
    /// The captcha widget's payload.
    pub(crate) captcha: String,
    /// Whether unknown devices at the caller's network address have reached their hourly limit of
    /// codes.
    pub(crate) address_spent: bool,
}

/// A code that was sent.
pub(crate) struct CodeSent {
    pub(crate) challenge: ChallengeId,
    /// The text by which the client names the challenge.
    pub(crate) challenge_token: String,
    pub(crate) length: CodeLength,
    pub(crate) expires_at: OffsetDateTime,
    pub(crate) resend_at: OffsetDateTime,
    /// Whether the device that asked is known to the phone's owner.
    pub(crate) standing: Standing,
}

/// Sends a code. The reply is the same whether or not the number has an account, until the half
/// of the day's budget is spent that is for numbers without one.
#[instrument(name = "auth.start_phone_sign_in", skip_all, fields(challenge.id = field::Empty))]
pub(crate) async fn start_phone_sign_in(
    cx: &Cx,
    command: StartPhoneSignIn,
    device: Option<DeviceId>,
) -> Result<CodeSent, Error> {
    let sms = cx.messaging.sms.as_ref().ok_or(Refused::ProviderOff)?;
    let now = cx.clock.now();
    let solved = cx.captcha.verify(&command.captcha, now).ok_or(Refused::CaptchaExpired)?;
    spend_captcha(cx, &solved).await?;

    let issued = issue(cx, &command, device, now).await?;
    Span::current().record("challenge.id", field::display(issued.sent.challenge));
    let text = SmsText::code(&issued.code, cx.origin.host(), Call::current().language);
    let sending = send(cx.clone(), sms.clone(), command.phone, text, issued, now);
    // Send in a task of its own, because the caller may hang up: a code that was not sent is
    // uncounted all the same.
    cx.shutdown.run_apart("a code by SMS", sending).await?
}

/// Sends a code that was counted, and undoes the counting if it was not sent.
async fn send(
    cx: Cx,
    sms: Sms,
    phone: Msisdn,
    text: SmsText,
    issued: Issued,
    now: OffsetDateTime,
) -> Result<CodeSent, Error> {
    // No transaction is open while the provider is called. After a crash here the player can
    // ask for another code in a minute.
    let outcome = sms.send(&phone, &text).await;
    counter!("sms_sent_total", "outcome" => outcome.as_str()).increment(1);
    match outcome {
        // The message may have been sent, so the code stays valid.
        SmsOutcome::Accepted | SmsOutcome::Unknown => Ok(issued.sent),
        SmsOutcome::Refused => {
            undo(&cx, &issued, None, now).await?;
            Err(Refused::NoSmsForNumber.into())
        }
        SmsOutcome::NotTaken => {
            undo(&cx, &issued, Some(&phone), now).await?;
            Err(Refused::SmsNotSent.into())
        }
    }
}

/// A code that was counted.
struct Issued {
    sent: CodeSent,
    code: Code,
    has_account: bool,
}

/// Counts the code and stores its challenge, before it is sent.
async fn issue(
    cx: &Cx,
    command: &StartPhoneSignIn,
    device: Option<DeviceId>,
    now: OffsetDateTime,
) -> Result<Issued, Error> {
    let phone = &command.phone;
    let challenge = ChallengeId::generate(&cx.clock, &cx.rng);
    let (codes, expires_at) = (&cx.messaging.codes, now + CODE_TTL);

    let mut tx = cx.db.begin().await?;
    let standing = match device {
        Some(device) => store::device::standing_with_phone(&mut tx, phone, device).await?,
        None => Standing::Unknown,
    };
    if command.address_spent && standing == Standing::Unknown {
        counter!("sms_sent_total", "outcome" => "paused").increment(1);
        return Err(Refused::SmsPaused.into());
    }
    let has_account = store::phone::find_owner(&mut tx, phone).await?.is_some();
    let key = codes.phone_key(phone, standing);
    let sent = store::code_rate_limit::lock(&mut tx, &key, now).await?;
    let sent = CodeRateLimit::record(&sent, now).map_err(Refused::TooManyCodes)?;
    let counts_until = now + CodeRateLimit::PERIOD;
    store::code_rate_limit::update(&mut tx, &key, &sent, counts_until).await?;
    let length = store::sms_spent::find_wrong(&mut tx, now).await?.length_for(standing);
    let code = Code::generate(&cx.rng, length);
    let mac = codes.mac(&code, phone, challenge);
    let new = NewChallenge { id: challenge, phone, mac: &mac, length, standing, expires_at };
    store::challenge::replace(&mut tx, &new, now).await?;
    // Counted last, because all phones lock this row.
    let total = store::sms_spent::count(&mut tx, has_account, now).await?;
    if !cx.messaging.sms_budget.covers(total, has_account) {
        return Err(budget_exhausted(cx, now).into());
    }
    tx.commit().await?;
    let resend_at = CodeRateLimit::resend_at(&sent, now);
    let challenge_token = codes.expose_challenge(challenge);
    let sent = CodeSent { challenge, challenge_token, length, expires_at, resend_at, standing };
    Ok(Issued { sent, code, has_account })
}

/// Refuses a code for lack of budget, and logs it once an hour.
pub(super) fn budget_exhausted(cx: &Cx, now: OffsetDateTime) -> Refused {
    counter!("sms_sent_total", "outcome" => "paused").increment(1);
    if cx.messaging.is_newly_exhausted(now) {
        error!(
            per_hour = cx.messaging.sms_budget.hour,
            per_day = cx.messaging.sms_budget.day,
            "the SMS budget is spent: no codes are sent until the hour is over"
        );
    }
    Refused::SmsPaused
}

/// Voids a code that was not sent and returns its cost to the budget. With `phone` the code
/// does not count for the phone either, so that the player can retry at once.
async fn undo(
    cx: &Cx,
    issued: &Issued,
    phone: Option<&Msisdn>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    if let Some(phone) = phone {
        let key = cx.messaging.codes.phone_key(phone, issued.sent.standing);
        store::code_rate_limit::remove(&mut tx, &key, now).await?;
    }
    store::challenge::end(&mut tx, issued.sent.challenge, now).await?;
    store::sms_spent::uncount(&mut tx, issued.has_account, now).await?;
    tx.commit().await?;
    Ok(())
}
