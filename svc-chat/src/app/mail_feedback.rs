//! Mails feedback to the support.

use std::time::Duration;

use mail::{Content, MailOutcome};
use mesh::{
    instrument,
    outbox::{Delivery, Event},
};
use metrics::counter;
use tracing::error;
use types::Email;

use super::{Cx, send_feedback::FeedbackMail};
use crate::{
    domain::{ContactName, ContactSetting},
    error::Error,
    store,
};

/// Pause between two checks for a mail server and a support address.
const NOT_YET: Duration = Duration::from_mins(5);

/// Mails a feedback to the address of the contact setting Email. Without an address or a mail
/// server, the feedback waits. The mail's Message-ID is the same at each try.
#[instrument(name = "chat.mail_feedback", skip_all)]
pub(crate) async fn mail_feedback(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some(mailer) = &cx.support.mailer else { return Ok(Delivery::Later(NOT_YET)) };
    let FeedbackMail { id } = event.payload()?;
    let mut conn = cx.db.acquire().await?;
    // The feedback may be past its retention.
    let Some(feedback) = store::feedback::find(&mut conn, id).await? else {
        return Ok(Delivery::Done);
    };
    let settings = store::content::contact_settings(&mut conn).await?;
    // No connection is held while the mail server answers.
    drop(conn);
    let Some(to) = support_address(&settings) else {
        error!("feedback waits: no contact setting has the support's email");
        return Ok(Delivery::Later(NOT_YET));
    };
    let (subject, text) = (feedback.mail_subject(), feedback.mail_text());
    let content = Content {
        kind: "feedback",
        subject: &subject,
        text: &text,
        html: None,
        reply_to: Some(&feedback.email),
    };
    let now = cx.clock.now();
    let (outcome, result) = match mailer.send(event.id, &to, content, now).await {
        Ok(MailOutcome::Sent) => ("sent", Ok(())),
        // The mailer has logged the refusal; the feedback stays in its table.
        Ok(MailOutcome::Refused) => ("refused", Ok(())),
        Err(error) => ("failed", Err(error)),
    };
    counter!("mail_sent_total", "kind" => "feedback", "outcome" => outcome).increment(1);
    result?;
    let mut conn = cx.db.acquire().await?;
    store::feedback::set_mailed(&mut conn, id, now).await?;
    Ok(Delivery::Done)
}

fn support_address(settings: &[ContactSetting]) -> Option<Email> {
    let setting = settings.iter().find(|setting| setting.name == ContactName::Email)?;
    Email::parse(&setting.value).ok()
}
