//! A code for a phone.

use anyhow::Context as _;
use metrics::counter;
use time::{Duration, OffsetDateTime};
use tokio::sync::oneshot;
use tracing::{Instrument as _, Span, error, field, instrument};
use types::Msisdn;

use super::{Cx, spend_captcha::spend_captcha};
use crate::{
    clients::sms::{Sent, Sms, Text},
    domain::{ChallengeId, Code, Sendings},
    error::{Error, Refused},
    store,
};

/// How long a code is good.
const CODE_TTL: Duration = Duration::minutes(5);

/// A request for a code whose form is right.
pub(crate) struct StartPhoneSignIn {
    pub(crate) phone: Msisdn,
    /// The widget's payload.
    pub(crate) captcha: String,
}

/// A code that is on its way.
pub(crate) struct CodeSent {
    pub(crate) challenge: ChallengeId,
    pub(crate) expires_at: OffsetDateTime,
    pub(crate) resend_at: OffsetDateTime,
}

/// Sends a code, be the number an account's or not: nothing here looks.
#[instrument(name = "auth.start_phone_sign_in", skip_all, fields(challenge.id = field::Empty))]
pub(crate) async fn start_phone_sign_in(
    cx: &Cx,
    command: StartPhoneSignIn,
) -> Result<CodeSent, Error> {
    let sms = cx.messaging.sms.as_ref().ok_or(Refused::ProviderOff)?;
    let now = cx.clock.now();
    let solved = cx.captcha.judge(&command.captcha, now).ok_or(Refused::CaptchaExpired)?;
    spend_captcha(cx, &solved).await?;

    let code = Code::draw(&cx.rng);
    let sent = issue(cx, &command.phone, &code, now).await?;
    Span::current().record("challenge.id", field::display(sent.challenge));
    // Whoever asked may hang up: what was surely not sent is given back all the same.
    let (told, outcome) = oneshot::channel();
    let sending = send(cx.clone(), sms.clone(), command.phone, code, sent, now);
    let sending = async {
        let _ = told.send(sending.await);
    };
    cx.shutdown.spawn_contained("a code by SMS", sending.in_current_span());
    outcome.await.context("the sending of a code broke off")?
}

/// Sends a code that was counted, and takes it back if it did not leave.
async fn send(
    cx: Cx,
    sms: Sms,
    phone: Msisdn,
    code: Code,
    sent: CodeSent,
    now: OffsetDateTime,
) -> Result<CodeSent, Error> {
    // Nothing is open while the provider is asked; should we die now, the player asks
    // again in a minute.
    let outcome = sms.send(&phone, &Text::code(&code, cx.origin.host())).await;
    counter!("sms_sent_total", "outcome" => outcome.as_str()).increment(1);
    match outcome {
        // A message whose fate nobody knows may be on its way: its code stays good.
        Sent::Accepted | Sent::Unknown => Ok(sent),
        Sent::Refused => {
            take_back(&cx, &sent, None, now).await?;
            Err(Refused::NoSmsForNumber.into())
        }
        Sent::NotTaken => {
            take_back(&cx, &sent, Some(&phone), now).await?;
            Err(Refused::SmsNotSent.into())
        }
    }
}

/// Counts the code and makes its challenge, before anything is sent.
async fn issue(
    cx: &Cx,
    phone: &Msisdn,
    code: &Code,
    now: OffsetDateTime,
) -> Result<CodeSent, Error> {
    let challenge = ChallengeId::generate(&cx.clock, &cx.rng);
    let (codes, expires_at) = (&cx.messaging.codes, now + CODE_TTL);
    let key = codes.phone_key(phone);

    let mut tx = cx.db.begin().await?;
    let mut sendings = Sendings::new(store::sending::lock(&mut tx, &key, now).await?, now);
    sendings.push(now).map_err(Refused::TooManyCodes)?;
    store::sending::count(&mut tx, &key, &sendings, now).await?;
    let mac = codes.mac(code, phone, challenge);
    store::challenge::replace(&mut tx, challenge, phone, &mac, now, expires_at).await?;
    // Last, because all phones meet at this row.
    let spent = store::sending::spend(&mut tx, now).await?;
    if !cx.messaging.budget.covers(spent) {
        return Err(pause(cx, now).into());
    }
    tx.commit().await?;
    Ok(CodeSent { challenge, expires_at, resend_at: sendings.next() })
}

/// Says that the cap is reached: each player is told, and operators once an hour.
fn pause(cx: &Cx, now: OffsetDateTime) -> Refused {
    counter!("sms_sent_total", "outcome" => "paused").increment(1);
    if cx.messaging.is_new_pause(now) {
        error!(
            per_hour = cx.messaging.budget.hour,
            per_day = cx.messaging.budget.day,
            "codes by SMS have reached their cap; nobody signs in by phone until the hour is over"
        );
    }
    Refused::SmsPaused
}

/// Voids a code that never left, and gives its cost back; to the phone as well when
/// trying again may help.
async fn take_back(
    cx: &Cx,
    sent: &CodeSent,
    phone: Option<&Msisdn>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    if let Some(phone) = phone {
        store::sending::forget(&mut tx, &cx.messaging.codes.phone_key(phone), now).await?;
    }
    store::challenge::end(&mut tx, sent.challenge, now).await?;
    store::sending::unspend(&mut tx, now).await?;
    tx.commit().await?;
    Ok(())
}
