//! `player`: profiles.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};
use uuid::Uuid;

use crate::domain::{Edit, Email, PlayerNames, Profile, PublicPlayer, ReferralCode, Username};

/// The first data of a profile. Contact data, not credentials.
#[derive(Debug, Default)]
pub(crate) struct NewPlayer {
    /// A provider's name for the player, if it is valid here.
    pub(crate) name: Option<String>,
    pub(crate) email: Option<Email>,
    pub(crate) phone: Option<Msisdn>,
}

/// Inserts a player; false when the referral code is another player's.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: PlayerId,
    player: &NewPlayer,
    code: &ReferralCode,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO player (id, name, email, phone, referral_code, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (referral_code) DO NOTHING",
        id.uuid(),
        player.name,
        player.email.as_ref().map(Email::as_str),
        player.phone.as_ref().map(Msisdn::e164),
        code.as_str(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes an address from a player's contact data.
#[statement]
pub(crate) async fn remove_email(
    conn: &mut PgConnection,
    id: PlayerId,
    email: &Email,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE player SET email = NULL WHERE id = $1 AND lower(email) = $2",
        id.uuid(),
        email.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The state of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccountState {
    Active,
    /// The account's erasure is scheduled; signing in cancels it.
    PendingDeletion,
    /// Only the id, referrals and the end of a break are left.
    Erased,
}

/// Locks a player until the transaction ends, and returns the state of the account. Calls that
/// change how a player signs in wait for each other here.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: PlayerId,
) -> sqlx::Result<Option<AccountState>> {
    // Not FOR UPDATE, which would block inserting rows that refer to the player.
    let row = sqlx::query!(
        "SELECT deletion_due_at, erased_at FROM player WHERE id = $1 FOR NO KEY UPDATE",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| match (row.deletion_due_at, row.erased_at) {
        (_, Some(_)) => AccountState::Erased,
        (Some(_), None) => AccountState::PendingDeletion,
        (None, None) => AccountState::Active,
    }))
}

/// Lets a player's break last until a time, or longer if it does already; returns its end.
#[statement]
pub(crate) async fn start_break(
    conn: &mut PgConnection,
    id: PlayerId,
    until: OffsetDateTime,
) -> sqlx::Result<OffsetDateTime> {
    sqlx::query_scalar!(
        r#"UPDATE player SET break_until = greatest(break_until, $2) WHERE id = $1
           RETURNING break_until AS "until!""#,
        id.uuid(),
        until,
    )
    .fetch_one(conn)
    .await
}

/// Returns the end of a player's last break.
#[statement]
pub(crate) async fn find_break(
    conn: &mut PgConnection,
    id: PlayerId,
) -> sqlx::Result<Option<OffsetDateTime>> {
    let until = sqlx::query_scalar!("SELECT break_until FROM player WHERE id = $1", id.uuid());
    Ok(until.fetch_optional(conn).await?.flatten())
}

/// A player's profile.
#[statement]
pub(crate) async fn find(conn: &mut PgConnection, id: PlayerId) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
        Profile,
        "SELECT id, name, username, email, dob, gender, phone, profile_pic, country_id,
                currency_id, referral_code, first_seen_at, created_at, break_until
         FROM player WHERE id = $1",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Records that the profile was read for the first time; false when it was read before.
#[statement]
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

/// Changes the edit's fields and returns the profile; `None` when there is no such player.
/// `player_username_key` refuses a username of another player.
#[statement]
pub(crate) async fn update(
    conn: &mut PgConnection,
    id: PlayerId,
    edit: &Edit,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
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
                   currency_id, referral_code, first_seen_at, created_at, break_until",
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
    .await
}

/// The public profiles of those players whose account is active.
#[statement]
pub(crate) async fn list_public(
    conn: &mut PgConnection,
    ids: &[PlayerId],
) -> sqlx::Result<Vec<PublicPlayer>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    sqlx::query_as!(
        PublicPlayer,
        "SELECT id, coalesce(username, name) AS username, coalesce(username, name) AS name,
                profile_pic
         FROM player WHERE id = ANY($1) AND deletion_due_at IS NULL",
        &ids,
    )
    .fetch_all(conn)
    .await
}

/// The phone number of an active player's profile, if it has one.
#[statement]
pub(crate) async fn phone(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<String>> {
    let found = sqlx::query_scalar!(
        "SELECT phone FROM player WHERE id = $1 AND deletion_due_at IS NULL",
        player.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.flatten())
}

/// The active player with a username. A leaving player keeps the username and is not found.
#[statement]
pub(crate) async fn find_by_username(
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

/// The names of the active players with one of the usernames or ids.
#[statement]
pub(crate) async fn look_up(
    conn: &mut PgConnection,
    usernames: &[Username],
    ids: &[PlayerId],
) -> sqlx::Result<Vec<PlayerNames>> {
    let usernames: Vec<&str> = usernames.iter().map(Username::as_str).collect();
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    sqlx::query_as!(
        PlayerNames,
        "SELECT id, username, name FROM player
         WHERE (username = ANY($1) OR id = ANY($2)) AND deletion_due_at IS NULL",
        &usernames as _,
        &ids,
    )
    .fetch_all(conn)
    .await
}
