//! Mails: owed in the transaction that gives the reason, sent by the relay.
//!
//! Whoever asks for a mail is answered before anybody looks whether there is an
//! account: the answer cannot tell, neither by its words nor by its time.

use anyhow::Context as _;
use mesh::outbox::{self, Event};
use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, info, instrument, warn};
use types::PlayerId;

use super::Cx;
use crate::{
    clients::mail::{Letter, Mailed},
    crypto::LinkToken,
    domain::{Email, Joined, Link, LinkKind, Provider},
    error::Error,
    store::{self, player::Standing},
};

/// Somebody asked to reset the password of an address.
pub(crate) const RESET_TOPIC: &str = "mail.password_reset";
/// Somebody made an account with an address.
pub(crate) const CONFIRMATION_TOPIC: &str = "mail.email_confirmation";
/// A password is another one now.
pub(crate) const PASSWORD_CHANGED_TOPIC: &str = "mail.password_changed";
/// An account has another way in, at a provider.
pub(crate) const JOINED_TOPIC: &str = "mail.provider_joined";

/// How long a notice is worth sending.
const NOTICE_TTL: time::Duration = time::Duration::hours(24);

/// A mail that is owed. The address stands here until the mail is sent, and no longer.
#[derive(Serialize, Deserialize)]
struct Owed {
    email: String,
    /// Absent while nobody looked whose address it is.
    player: Option<PlayerId>,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// What [`JOINED_TOPIC`] is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    joined: Option<OwedJoined>,
}

/// [`Joined`], as a row of the outbox holds it.
#[derive(Serialize, Deserialize)]
struct OwedJoined {
    provider: String,
    taken_over: bool,
}

/// Owes the holder of an address a reset link, if there turns out to be an account.
pub(super) async fn owe_reset(conn: &mut PgConnection, cx: &Cx, email: &Email) -> sqlx::Result<()> {
    owe(conn, cx, RESET_TOPIC, None, email, None).await
}

/// Owes a new player the link that confirms their address.
pub(super) async fn owe_confirmation(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<()> {
    owe(conn, cx, CONFIRMATION_TOPIC, Some(player), email, None).await
}

/// Owes a player word that their password was changed.
pub(super) async fn owe_password_changed(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<()> {
    owe(conn, cx, PASSWORD_CHANGED_TOPIC, Some(player), email, None).await
}

/// Owes a player word that their account has another way in.
pub(super) async fn owe_joined(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    email: &Email,
    joined: Joined,
) -> sqlx::Result<()> {
    let Joined { provider, taken_over } = joined;
    let joined = OwedJoined { provider: provider.as_str().to_owned(), taken_over };
    owe(conn, cx, JOINED_TOPIC, Some(player), email, Some(joined)).await
}

async fn owe(
    conn: &mut PgConnection,
    cx: &Cx,
    topic: &str,
    player: Option<PlayerId>,
    email: &Email,
    joined: Option<OwedJoined>,
) -> sqlx::Result<()> {
    let owed = Owed { email: email.as_str().to_owned(), player, at: cx.clock.now(), joined };
    outbox::put(conn, &cx.clock, &cx.rng, topic, &owed).await
}

/// Sends a reset link to whoever holds an account's address; to nobody, without a
/// word, when there is no account or it had its mails of the hour.
#[instrument(name = "auth.mail_reset", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_reset(cx: &Cx, event: Event) -> Result<(), Error> {
    let Some((owed, email)) = read(&event)? else { return Ok(()) };
    let now = cx.clock.now();
    let expires_at = owed.at + LinkKind::Reset.ttl();
    if is_late(&event, "password_reset", now, expires_at) {
        return Ok(());
    }
    let token = cx.messaging.codes.link(event.id);

    let mut tx = cx.db.begin().await?;
    let Some(player) = store::identity::owner_of(&mut tx, &email).await? else {
        return Ok(());
    };
    Span::current().record("player.id", field::display(player));
    // Erased between the two looks.
    if let Some(Standing::Erased) | None = store::player::lock(&mut tx, player).await? {
        return Ok(());
    }
    let link = Link { player, email, expires_at, ended_at: None };
    let drawn = store::link::draw_reset(&mut tx, &token.hash(), &link, now).await?;
    tx.commit().await?;
    if !drawn {
        info!("no reset link: the address had its mails of the hour, or this one was used");
        tell("password_reset", "held_back");
        return Ok(());
    }
    let url = url(cx, "/reset-password", &token);
    let letter = Letter::password_reset(&link.email, url, expires_at);
    send(cx, &event, &link.email, &letter, expires_at).await
}

/// Sends a new player the link that confirms their address.
#[instrument(name = "auth.mail_confirmation", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_confirmation(cx: &Cx, event: Event) -> Result<(), Error> {
    let Some((owed, email)) = read(&event)? else { return Ok(()) };
    let Some(player) = owed.player else { return Ok(()) };
    Span::current().record("player.id", field::display(player));
    let now = cx.clock.now();
    let expires_at = owed.at + LinkKind::Confirmation.ttl();
    if is_late(&event, "email_confirmation", now, expires_at) {
        return Ok(());
    }
    let token = cx.messaging.codes.link(event.id);

    let mut tx = cx.db.begin().await?;
    // Or a link would be drawn after an erasure, or a taking over, has ended them all.
    store::player::lock(&mut tx, player).await?;
    // Proved by another way meanwhile, or gone.
    if !store::identity::awaits_proof(&mut tx, player, &email).await? {
        return Ok(());
    }
    let link = Link { player, email, expires_at, ended_at: None };
    store::link::draw_confirmation(&mut tx, &token.hash(), &link, now).await?;
    tx.commit().await?;
    let url = url(cx, "/confirm-email", &token);
    let letter = Letter::email_confirmation(&link.email, url, expires_at);
    send(cx, &event, &link.email, &letter, expires_at).await
}

/// Sends a player word that their password was changed.
#[instrument(name = "auth.mail_password_changed", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_password_changed(cx: &Cx, event: Event) -> Result<(), Error> {
    let Some((owed, email)) = read(&event)? else { return Ok(()) };
    let letter = Letter::password_changed(&email, cx.origin.page("/login"), owed.at);
    notify(cx, &event, &owed, &email, &letter).await
}

/// Sends a player word that their account has another way in.
#[instrument(name = "auth.mail_joined", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn mail_joined(cx: &Cx, event: Event) -> Result<(), Error> {
    let Some((owed, email)) = read(&event)? else { return Ok(()) };
    let joined = owed.joined.as_ref().and_then(|OwedJoined { provider, taken_over }| {
        Some(Joined { provider: Provider::read(provider)?, taken_over: *taken_over })
    });
    let joined = joined.context("word of a provider without the provider")?;
    let letter = Letter::provider_joined(&email, joined, cx.origin.page("/login"), owed.at);
    notify(cx, &event, &owed, &email, &letter).await
}

/// Sends a letter that asks for nothing.
async fn notify(
    cx: &Cx,
    event: &Event,
    owed: &Owed,
    email: &Email,
    letter: &Letter,
) -> Result<(), Error> {
    if let Some(player) = owed.player {
        Span::current().record("player.id", field::display(player));
    }
    send(cx, event, email, letter, owed.at + NOTICE_TTL).await
}

/// What is owed; `None` when it can be owed to nobody.
fn read(event: &Event) -> anyhow::Result<Option<(Owed, Email)>> {
    let owed: Owed = event.payload()?;
    let Ok(email) = Email::parse(&owed.email) else {
        warn!("a mail is owed to what is no address");
        return Ok(None);
    };
    Ok(Some((owed, email)))
}

fn url(cx: &Cx, page: &str, token: &LinkToken) -> String {
    cx.origin.page(&format!("{page}?token={}", token.reveal()))
}

/// Hands a letter over. What fails is tried again by the relay, until it would be of no
/// use to whoever reads it; what is refused for good is not.
async fn send(
    cx: &Cx,
    event: &Event,
    to: &Email,
    letter: &Letter,
    useless_at: OffsetDateTime,
) -> Result<(), Error> {
    let now = cx.clock.now();
    if is_late(event, letter.kind, now, useless_at) {
        return Ok(());
    }
    let (outcome, result) = match cx.messaging.mailer.send(event.id, to, letter, now).await {
        Ok(Mailed::Sent) => ("sent", Ok(())),
        Ok(Mailed::Refused) => ("refused", Ok(())),
        Err(error) => ("failed", Err(error.into())),
    };
    tell(letter.kind, outcome);
    result
}

/// Whether a mail is given up, because it would be of no use any more.
fn is_late(
    event: &Event,
    kind: &'static str,
    now: OffsetDateTime,
    useless_at: OffsetDateTime,
) -> bool {
    let late = now >= useless_at;
    if late {
        warn!(kind, attempt = event.attempt, "a mail was not sent in time");
        tell(kind, "late");
    }
    late
}

fn tell(kind: &'static str, outcome: &'static str) {
    counter!("mail_sent_total", "kind" => kind, "outcome" => outcome).increment(1);
}
