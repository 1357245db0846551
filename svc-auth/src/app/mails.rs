//! Mails. A use case enqueues one in its transaction, and the relay sends it.
//!
//! For a password reset the handler looks up the account, not the use case, so that neither
//! the reply nor its timing reveals whether there is one.

use anyhow::Context as _;
use mail::{Content, MailOutcome};
use mesh::{
    Language,
    call::Call,
    instrument,
    outbox::{self, Delivery, Event},
};
use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, info, warn};
use types::PlayerId;

use super::Cx;
use crate::{
    clients::mail::{EmailTemplate, Words},
    crypto::{CodePurpose, LinkToken},
    domain::{
        ChallengeId, DeviceChallenge, Email, Link, LinkKind, MailBudget, PayoutPhone, ProviderJoin,
        ProviderJoined,
    },
    error::Error,
    store::{self, player::AccountState},
};

/// A password reset was requested for an address.
pub(crate) const RESET_TOPIC: &str = "mail.password_reset";
/// An account was created with an address.
pub(crate) const CONFIRMATION_TOPIC: &str = "mail.email_confirmation";
/// A password was changed or reset.
pub(crate) const PASSWORD_CHANGED_TOPIC: &str = "mail.password_changed";
/// A provider's account was joined with a player's.
pub(crate) const JOINED_TOPIC: &str = "mail.provider_joined";
/// A player added a phone for withdrawals, which is not open yet.
pub(crate) const PAYOUT_PHONE_MAIL_TOPIC: &str = "mail.payout_phone";
/// A player asked for a code that confirms a device.
pub(crate) const DEVICE_CODE_TOPIC: &str = "mail.device_code";
/// A player asked for a code that joins an account at a provider with theirs.
pub(crate) const JOIN_CODE_TOPIC: &str = "mail.join_code";

/// How long a mail without a link is worth sending.
const NOTICE_TTL: time::Duration = time::Duration::hours(24);

/// An outbox row. It contains the address until the mail is sent.
#[derive(Serialize, Deserialize)]
struct MailRequest {
    email: String,
    /// Absent for a password reset, whose handler looks it up.
    player: Option<PlayerId>,
    /// When the mail was requested.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// The tag of the language of the call that caused the mail.
    #[serde(default)]
    language: String,
    /// Only for [`JOINED_TOPIC`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    joined: Option<JoinedPayload>,
    /// Only for [`PAYOUT_PHONE_MAIL_TOPIC`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payout_phone: Option<PayoutPhonePayload>,
    /// Only for [`DEVICE_CODE_TOPIC`] and [`JOIN_CODE_TOPIC`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    challenge: Option<ChallengeId>,
    /// Only for [`JOIN_CODE_TOPIC`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

/// [`ProviderJoined`] in an outbox row.
#[derive(Serialize, Deserialize)]
struct JoinedPayload {
    provider: String,
    taken_over: bool,
}

/// A new payout phone in an outbox row.
#[derive(Serialize, Deserialize)]
struct PayoutPhonePayload {
    /// The number, with most of its digits left out.
    masked: String,
    #[serde(with = "time::serde::rfc3339")]
    opens_at: OffsetDateTime,
}

/// Enqueues a reset link, which is sent if the address has an account.
pub(super) async fn enqueue_reset(
    conn: &mut PgConnection,
    cx: &Cx,
    email: &Email,
) -> sqlx::Result<()> {
    enqueue(conn, cx, RESET_TOPIC, MailRequest::new(cx, None, email)).await
}

/// Enqueues the link by which a new player confirms their address.
pub(super) async fn enqueue_confirmation(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<()> {
    enqueue(conn, cx, CONFIRMATION_TOPIC, MailRequest::new(cx, Some(player), email)).await
}

/// Enqueues the notice that a player's password was changed.
pub(super) async fn enqueue_password_changed(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<()> {
    enqueue(conn, cx, PASSWORD_CHANGED_TOPIC, MailRequest::new(cx, Some(player), email)).await
}

/// Enqueues the notice that a provider's account was joined with a player's.
pub(super) async fn enqueue_joined(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
    joined: ProviderJoined,
) -> sqlx::Result<()> {
    let ProviderJoined { provider, taken_over } = joined;
    let joined = Some(JoinedPayload { provider: provider.to_string(), taken_over });
    let request = MailRequest { joined, ..MailRequest::new(cx, Some(player), email) };
    enqueue(conn, cx, JOINED_TOPIC, request).await
}

/// Enqueues the notice that a player has a new payout phone.
pub(super) async fn enqueue_payout_phone(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
    proven: &PayoutPhone,
) -> sqlx::Result<()> {
    let payout_phone =
        PayoutPhonePayload { masked: proven.phone.masked(), opens_at: proven.opens_at };
    let payout_phone = Some(payout_phone);
    let request = MailRequest { payout_phone, ..MailRequest::new(cx, Some(player), email) };
    enqueue(conn, cx, PAYOUT_PHONE_MAIL_TOPIC, request).await
}

/// Enqueues the code by which a player confirms a device.
pub(super) async fn enqueue_device_code(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
    challenge: ChallengeId,
) -> sqlx::Result<()> {
    let challenge = Some(challenge);
    let request = MailRequest { challenge, ..MailRequest::new(cx, Some(player), email) };
    enqueue(conn, cx, DEVICE_CODE_TOPIC, request).await
}

/// Enqueues the code that joins an account at a provider with a player.
pub(super) async fn enqueue_join_code(
    conn: &mut PgConnection,
    cx: &Cx,
    join: &ProviderJoin,
    challenge: ChallengeId,
) -> sqlx::Result<()> {
    let (challenge, provider) = (Some(challenge), Some(join.provider.to_string()));
    let request = MailRequest::new(cx, Some(join.player), &join.email);
    enqueue(conn, cx, JOIN_CODE_TOPIC, MailRequest { challenge, provider, ..request }).await
}

impl MailRequest {
    fn new(cx: &Cx, player: Option<PlayerId>, email: &Email) -> Self {
        let (email, at) = (email.as_str().to_owned(), cx.clock.now());
        Self {
            email,
            player,
            at,
            language: Call::current().language.tag().to_owned(),
            joined: None,
            payout_phone: None,
            challenge: None,
            provider: None,
        }
    }

    /// The words of this mail.
    fn words<'a>(&self, cx: &Cx, email: &'a Email) -> Words<'a> {
        let language = Language::named(&self.language).unwrap_or_default();
        Words::to(language, email, cx.origin.page("/login"))
    }
}

async fn enqueue(
    conn: &mut PgConnection,
    cx: &Cx,
    topic: &str,
    request: MailRequest,
) -> sqlx::Result<()> {
    outbox::put(conn, &cx.clock, &cx.rng, topic, &request).await
}

/// Sends a reset link to the owner of an address. Sends nothing when there is no account or the
/// address's hourly mail limit is reached.
#[instrument(name = "auth.mail_reset", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_reset(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let now = cx.clock.now();
    let expires_at = request.at + LinkKind::Reset.ttl();
    if is_late(&event, "password_reset", now, expires_at) {
        return Ok(Delivery::Done);
    }
    let token = cx.messaging.codes.link(event.id);

    let mut tx = cx.db.begin().await?;
    let Some(player) = store::identity::find_owner(&mut tx, &email).await? else {
        return Ok(Delivery::Done);
    };
    Span::current().record("player.id", field::display(player));
    // The account may have been erased between the two statements.
    if let Some(AccountState::Erased) | None = store::player::lock(&mut tx, player).await? {
        return Ok(Delivery::Done);
    }
    let link = Link { player, email, expires_at, ended_at: None };
    let inserted = store::link::insert_reset(&mut tx, &token.hash(), &link, now).await?;
    tx.commit().await?;
    if !inserted {
        info!("no reset link: the address has had its mails of the hour, or the link was used");
        count_mail("password_reset", "held_back");
        return Ok(Delivery::Done);
    }
    let url = url(cx, "/reset-password", &token);
    let template = EmailTemplate::password_reset(request.words(cx, &link.email), url, expires_at);
    send(cx, &event, &link.email, &template, expires_at).await
}

/// Sends a new player the link that confirms their address.
#[instrument(name = "auth.mail_confirmation", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_confirmation(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let Some(player) = request.player else { return Ok(Delivery::Done) };
    Span::current().record("player.id", field::display(player));
    let now = cx.clock.now();
    let expires_at = request.at + LinkKind::Confirmation.ttl();
    if is_late(&event, "email_confirmation", now, expires_at) {
        return Ok(Delivery::Done);
    }
    let token = cx.messaging.codes.link(event.id);

    let mut tx = cx.db.begin().await?;
    // Locked, so that no link is inserted after an erasure or a takeover has ended all links.
    store::player::lock(&mut tx, player).await?;
    // The address may have been verified in another way, or removed.
    if !store::identity::is_unverified(&mut tx, player, &email).await? {
        return Ok(Delivery::Done);
    }
    let link = Link { player, email, expires_at, ended_at: None };
    store::link::insert_confirmation(&mut tx, &token.hash(), &link, now).await?;
    tx.commit().await?;
    let url = url(cx, "/confirm-email", &token);
    let template =
        EmailTemplate::email_confirmation(request.words(cx, &link.email), url, expires_at);
    send(cx, &event, &link.email, &template, expires_at).await
}

/// Informs a player that their password was changed.
#[instrument(name = "auth.mail_password_changed", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_password_changed(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let template = EmailTemplate::password_changed(request.words(cx, &email), request.at);
    send_notice(cx, &event, &request, &email, &template).await
}

/// Informs a player that a provider's account was joined with theirs.
#[instrument(name = "auth.mail_joined", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_joined(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let joined = request.joined.as_ref().and_then(|JoinedPayload { provider, taken_over }| {
        Some(ProviderJoined { provider: provider.parse().ok()?, taken_over: *taken_over })
    });
    let joined = joined.context("a provider_joined row without a known provider")?;
    let template = EmailTemplate::provider_joined(request.words(cx, &email), joined, request.at);
    send_notice(cx, &event, &request, &email, &template).await
}

/// Informs a player that they have a new payout phone.
#[instrument(name = "auth.mail_payout_phone", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_payout_phone(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let proven = request.payout_phone.as_ref().context("a payout_phone row without a phone")?;
    let words = request.words(cx, &email);
    let template = EmailTemplate::payout_phone(words, &proven.masked, proven.opens_at);
    send_notice(cx, &event, &request, &email, &template).await
}

/// Sends the code by which a player confirms a device.
#[instrument(name = "auth.mail_device_code", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_device_code(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let challenge = request.challenge.context("a device_code row without a challenge")?;
    if let Some(player) = request.player {
        Span::current().record("player.id", field::display(player));
    }
    let code = cx.messaging.codes.derived(CodePurpose::Device, challenge);
    let until = request.at + DeviceChallenge::TTL;
    let template = EmailTemplate::device_code(request.words(cx, &email), &code, until);
    send(cx, &event, &email, &template, until).await
}

/// Sends the code that joins an account at a provider with a player.
#[instrument(name = "auth.mail_join_code", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_join_code(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Some((request, email)) = parse(&event)? else { return Ok(Delivery::Done) };
    let challenge = request.challenge.context("a join_code row without a challenge")?;
    let provider = request.provider.as_ref().and_then(|provider| provider.parse().ok());
    let provider = provider.context("a join_code row without a known provider")?;
    if let Some(player) = request.player {
        Span::current().record("player.id", field::display(player));
    }
    let code = cx.messaging.codes.derived(CodePurpose::ProviderJoin, challenge);
    let until = request.at + ProviderJoin::CODE_TTL;
    let template = EmailTemplate::join_code(request.words(cx, &email), provider, &code, until);
    send(cx, &event, &email, &template, until).await
}

/// Sends a mail without a link.
async fn send_notice(
    cx: &Cx,
    event: &Event,
    request: &MailRequest,
    email: &Email,
    template: &EmailTemplate,
) -> Result<Delivery, Error> {
    if let Some(player) = request.player {
        Span::current().record("player.id", field::display(player));
    }
    send(cx, event, email, template, request.at + NOTICE_TTL).await
}

/// The request in an outbox row; `None` when its address is not valid.
fn parse(event: &Event) -> anyhow::Result<Option<(MailRequest, Email)>> {
    let request: MailRequest = event.payload()?;
    let Ok(email) = Email::parse(&request.email) else {
        warn!("an outbox row has an invalid email address");
        return Ok(None);
    };
    Ok(Some((request, email)))
}

fn url(cx: &Cx, page: &str, token: &LinkToken) -> String {
    cx.origin.page(&format!("{page}?token={}", token.expose()))
}

/// Sends a mail. The relay retries a failure until `expires_at`, when the mail has become
/// useless. A permanent refusal is not retried. A mail above the hour's budget waits for the
/// next hour.
async fn send(
    cx: &Cx,
    event: &Event,
    to: &Email,
    template: &EmailTemplate,
    expires_at: OffsetDateTime,
) -> Result<Delivery, Error> {
    let now = cx.clock.now();
    if is_late(event, template.kind, now, expires_at) {
        return Ok(Delivery::Done);
    }
    let (cause, budget) = (template.cause, cx.messaging.mail_budget);
    let mut conn = cx.db.acquire().await?;
    if !store::mail_spent::count(&mut conn, cause, budget, now).await? {
        warn!(kind = template.kind, "a mail waits: the budget of this hour is spent");
        count_mail(template.kind, "delayed");
        return Ok(Delivery::Later(MailBudget::wait(now)));
    }
    drop(conn);
    let (text, html) = (render(template.text())?, render(template.html())?);
    let content = Content {
        kind: template.kind,
        subject: &template.subject,
        text: &text,
        html: Some(&html),
        reply_to: None,
    };
    let (outcome, result) = match cx.messaging.mailer.send(event.id, to, content, now).await {
        Ok(MailOutcome::Sent) => ("sent", Ok(Delivery::Done)),
        Ok(MailOutcome::Refused) => ("refused", Ok(Delivery::Done)),
        Err(error) => {
            let mut conn = cx.db.acquire().await?;
            store::mail_spent::uncount(&mut conn, cause, now).await?;
            ("failed", Err(error.into()))
        }
    };
    count_mail(template.kind, outcome);
    result
}

fn render(part: askama::Result<String>) -> anyhow::Result<String> {
    part.context("cannot render a mail")
}

/// Whether a mail is given up, because it has become useless.
fn is_late(
    event: &Event,
    kind: &'static str,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> bool {
    let late = now >= expires_at;
    if late {
        warn!(kind, attempt = event.attempt, "a mail was not sent in time");
        count_mail(kind, "late");
    }
    late
}

fn count_mail(kind: &'static str, outcome: &'static str) {
    counter!("mail_sent_total", "kind" => kind, "outcome" => outcome).increment(1);
}
