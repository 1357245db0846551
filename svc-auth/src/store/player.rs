//! `player`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{Msisdn, PlayerId};
use uuid::Uuid;

use crate::{
    domain::{Edit, Email, Profile, PublicPlayer, ReferralCode, Username},
    error::{Error, Refused},
};

/// What the profile of a newcomer begins with. Contact data, not credentials.
#[derive(Debug, Default)]
pub(crate) struct Newcomer {
    /// As a provider tells it, if it keeps our rules.
    pub(crate) name: Option<String>,
    pub(crate) email: Option<Email>,
    pub(crate) phone: Option<Msisdn>,
}

/// A new player, of whom no more is known than that; false when the referral code is
/// another's.
#[instrument(name = "db.player.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: PlayerId,
    newcomer: &Newcomer,
    code: &ReferralCode,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO player (id, name, email, phone, referral_code, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (referral_code) DO NOTHING",
        id.uuid(),
        newcomer.name,
        newcomer.email.as_ref().map(Email::as_str),
        newcomer.phone.as_ref().map(Msisdn::e164),
        code.as_str(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a player is here to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Yes.
    Staying,
    /// They asked to be forgotten, and may still come back.
    Leaving,
    /// Nothing is known of them any more.
    Erased,
}

/// Makes those wait who change how the same player signs in, and says how the player
/// stands until the transaction ends.
#[instrument(name = "db.player.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock(conn: &mut PgConnection, id: PlayerId) -> sqlx::Result<Option<Standing>> {
    // Not FOR UPDATE, which would hold up every row that refers to the player.
    let row = sqlx::query!(
        "SELECT deletion_due_at, erased_at FROM player WHERE id = $1 FOR NO KEY UPDATE",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| match (row.deletion_due_at, row.erased_at) {
        (_, Some(_)) => Standing::Erased,
        (Some(_), None) => Standing::Leaving,
        (None, None) => Standing::Staying,
    }))
}

/// A player's profile.
#[instrument(name = "db.player.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn profile(
    conn: &mut PgConnection,
    id: PlayerId,
) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
        Profile,
        "SELECT id, name, username, email, dob, gender, phone, profile_pic, country_id,
                currency_id, referral_code, first_seen_at, created_at
         FROM player WHERE id = $1",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Notes that the profile was looked at; false when it had been before.
#[instrument(name = "db.player.mark_seen", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn mark_seen(
    conn: &mut PgConnection,
    id: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE player SET first_seen_at = $2 WHERE id = $1 AND first_seen_at IS NULL",
        id.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Changes what the edit names, and gives the whole profile back.
#[instrument(name = "db.player.update", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn update(
    conn: &mut PgConnection,
    id: PlayerId,
    edit: &Edit,
    now: OffsetDateTime,
) -> Result<Profile, Error> {
    let updated = sqlx::query_as!(
        Profile,
        "UPDATE player SET
           name = coalesce($2, name),
           username = coalesce($3, username),
           email = coalesce($4, email),
           dob = coalesce($5, dob),
           gender = coalesce($6, gender),
           phone = coalesce($7, phone),
           currency_id = coalesce($8, currency_id),
           country_id = coalesce($9, country_id),
           updated_at = $10
         WHERE id = $1
         RETURNING id, name, username, email, dob, gender, phone, profile_pic, country_id,
                   currency_id, referral_code, first_seen_at, created_at",
        id.uuid(),
        edit.name,
        edit.username.as_ref().map(Username::as_str),
        edit.email.as_ref().map(Email::as_str),
        edit.dob,
        edit.gender,
        edit.phone.as_ref().map(Msisdn::e164),
        edit.currency_id,
        edit.country_id,
        now,
    )
    .fetch_optional(conn)
    .await;
    match updated {
        Ok(profile) => Ok(profile.ok_or(Refused::PlayerGone)?),
        Err(error) if mesh::db::violated(&error) == Some("player_username_key") => {
            Err(Refused::UsernameTaken.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The public side of those of these players who exist, and are not leaving.
#[instrument(name = "db.player.list_public", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn public(
    conn: &mut PgConnection,
    ids: &[PlayerId],
) -> sqlx::Result<Vec<PublicPlayer>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    sqlx::query_as!(
        PublicPlayer,
        "SELECT id, coalesce(username, name) AS username, name, profile_pic
         FROM player WHERE id = ANY($1) AND deletion_due_at IS NULL",
        &ids,
    )
    .fetch_all(conn)
    .await
}

/// Who has a username; one of a player who is leaving is taken, and found by nobody.
#[instrument(name = "db.player.find_by_username", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn id_by_username(
    conn: &mut PgConnection,
    username: &Username,
) -> sqlx::Result<Option<PlayerId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM player WHERE username = $1 AND deletion_due_at IS NULL",
        username.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(PlayerId::from))
}
