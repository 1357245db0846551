//! Finds or creates the player who signs in with Google or Facebook.

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::{Cx, create_player::create_player, mails};
use crate::{
    domain::{Email, Person, Provider, ProviderAccount, ProviderJoined, name_from_provider},
    error::Error,
    store::{
        self,
        player::{AccountState, NewPlayer},
        session::Ending,
    },
};

/// The player who signs in with a provider's account.
pub(super) enum Found {
    /// A player who was known, or has joined now.
    Known(PlayerId),
    /// A player who was created now.
    New(PlayerId),
    /// The player who signs in with the account's address, if a mailed code proves that they
    /// are the same person.
    Unproven(PlayerId),
}

/// Returns the player of a person: the one who signed in with this provider account before, else
/// the one with the address that the provider verified, else a new one.
pub(super) async fn find_or_create(
    conn: &mut PgConnection,
    cx: &Cx,
    provider: Provider,
    person: &Person,
    now: OffsetDateTime,
) -> Result<Found, Error> {
    let account = person.account(provider);
    store::social::lock_subject(conn, account.provider, account.subject).await?;
    if let Some(player) = store::social::find(conn, account.provider, account.subject).await? {
        store::social::clear_stale_email(conn, account).await?;
        return Ok(Found::Known(player));
    }
    if let Some(email) = account.email
        && let Some(player) = lock_owner(conn, email).await?
    {
        if !account.is_proven {
            return Ok(Found::Unproven(player));
        }
        join(conn, cx, player, account, email, now).await?;
        return Ok(Found::Known(player));
    }
    let player = create(conn, cx, person, now).await?;
    store::social::insert(conn, player, account, now).await?;
    Ok(Found::New(player))
}

/// Locks an address and the player who signs in with it, if there is one.
pub(super) async fn lock_owner(
    conn: &mut PgConnection,
    email: &Email,
) -> Result<Option<PlayerId>, Error> {
    store::identity::lock_email(conn, email).await?;
    let Some(player) = store::identity::find_owner(conn, email).await? else {
        return Ok(None);
    };
    Ok(match store::player::lock(conn, player).await? {
        Some(AccountState::Active | AccountState::PendingDeletion) => Some(player),
        // The player was erased between the two statements, so the address is free.
        Some(AccountState::Erased) | None => None,
    })
}

/// Lets the locked owner of an address sign in with a provider's account, whose address was proven.
/// Passwords and providers' accounts by which anyone signed in with the address without proof are
/// removed. A mail informs the address, in case a provider ever verifies an address wrongly.
pub(super) async fn join(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    account: ProviderAccount<'_>,
    email: &Email,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let had_password = store::identity::delete_unverified(conn, player, email).await?;
    let had_provider = store::social::delete_unproven(conn, player, email).await?;
    let taken_over = had_password || had_provider;
    if taken_over {
        take_over(conn, player, now).await?;
    }
    let joined = ProviderJoined { provider: account.provider, taken_over };
    mails::enqueue_joined(conn, cx, player, email, joined).await?;
    store::social::insert(conn, player, account, now).await?;
    Ok(())
}

/// Ends the sessions, links, codes, devices and payout phones of the person who registered an address without
/// proving it. Their password is deleted already; a concurrent sign-in by it waits for the player's
/// lock and fails.
async fn take_over(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::link::end_all(conn, player, now).await?;
    store::oauth::delete_exchanges(conn, player).await?;
    store::session::end_all(conn, player, None, Ending::AccountJoined, now).await?;
    store::device::forget_all(conn, player, None).await?;
    store::payout_phone::forget_all(conn, player, now).await?;
    Ok(())
}

/// Creates a player with the name and address that the provider has.
async fn create(
    conn: &mut PgConnection,
    cx: &Cx,
    person: &Person,
    now: OffsetDateTime,
) -> Result<PlayerId, Error> {
    let player = PlayerId::generate(&cx.clock, &cx.rng);
    let new = NewPlayer {
        name: person.name.as_deref().and_then(name_from_provider),
        email: person.email.clone(),
        ..NewPlayer::default()
    };
    create_player(conn, cx, player, &new, now).await?;
    Ok(player)
}
