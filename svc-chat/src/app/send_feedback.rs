//! Sending feedback: an idempotent write, and a mail to the support by the outbox.

use mesh::{instrument, outbox, telemetry};
use serde::{Deserialize, Serialize};
use time::Duration;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{Feedback, FeedbackId, FeedbackTexts},
    error::{Error, Refused},
    store,
};

/// The outbox topic of feedback to mail.
pub(crate) const FEEDBACK_TOPIC: &str = "mail.feedback";

/// The payload of an outbox row. The feedback's text is only in its table.
#[derive(Serialize, Deserialize)]
pub(super) struct FeedbackMail {
    pub(super) id: FeedbackId,
}

/// Stores the feedback of a player or a guest. A repeat stores nothing.
#[instrument(name = "chat.send_feedback", skip_all)]
pub(crate) async fn send_feedback(
    cx: &Cx,
    player: Option<PlayerId>,
    texts: FeedbackTexts<'_>,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let feedback = Feedback::parse(texts, player, telemetry::trace_id(), now);
    let feedback = feedback.map_err(Refused::Feedback)?;
    let mut tx = cx.db.begin().await?;
    store::feedback::lock(&mut tx).await?;
    if let Some(first) = store::feedback::find(&mut tx, feedback.id).await? {
        return if first.is_repeated_by(&feedback) {
            Ok(())
        } else {
            Err(Refused::SourceReused.into())
        };
    }
    let (day, hour) = (Duration::DAY, Duration::HOUR);
    let written = store::feedback::count_since(&mut tx, &feedback, now - day, now - hour).await?;
    let support = &cx.support;
    if written.writer >= support.feedback_per_day.into() {
        return Err(Refused::SendingTooFast(day.unsigned_abs()).into());
    }
    if written.total >= support.feedback_per_hour.into() {
        return Err(Refused::SendingTooFast(hour.unsigned_abs()).into());
    }
    store::feedback::insert(&mut tx, &feedback).await?;
    let mail = FeedbackMail { id: feedback.id };
    outbox::put(&mut tx, &cx.clock, &cx.rng, FEEDBACK_TOPIC, &mail).await?;
    tx.commit().await?;
    cx.outbox.notify(FEEDBACK_TOPIC);
    Ok(())
}
