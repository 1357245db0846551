//! Finds or creates the player who signs in with Google or Facebook.

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::{Cx, create_player::create_player, mails};
use crate::{
    domain::{Email, Person, Provider, ProviderJoined, name_from_provider},
    error::Error,
    store::{
        self,
        player::{AccountState, NewPlayer},
        session::Ending,
    },
};

/// A player, and whether they were created now.
pub(super) struct Found {
    pub(super) player: PlayerId,
    pub(super) is_new: bool,
}

/// The player of a person: the one who signed in with this provider account before, else the
/// one with the address that the provider verified, else a new one.
pub(super) async fn find_or_create(
    conn: &mut PgConnection,
    cx: &Cx,
    provider: Provider,
    person: &Person,
    now: OffsetDateTime,
) -> Result<Found, Error> {
    store::social::lock_subject(conn, provider, &person.subject).await?;
    if let Some(player) = store::social::find(conn, provider, &person.subject).await? {
        store::social::clear_stale_email(conn, provider, person).await?;
        return Ok(Found { player, is_new: false });
    }
    let joined = match person.verified_email() {
        Some(email) => join(conn, cx, provider, email, now).await?,
        None => None,
    };
    let found = match joined {
        Some(player) => Found { player, is_new: false },
        None => Found { player: create(conn, cx, person, now).await?, is_new: true },
    };
    store::social::insert(conn, found.player, provider, person, now).await?;
    Ok(found)
}

/// The player with an address that the provider verified, if there is one. A mail informs the
/// address, in case a provider ever verifies an address wrongly.
async fn join(
    conn: &mut PgConnection,
    cx: &Cx,
    provider: Provider,
    email: &Email,
    now: OffsetDateTime,
) -> Result<Option<PlayerId>, Error> {
    store::identity::lock_email(conn, email).await?;
    let Some(player) = store::identity::find_owner(conn, email).await? else {
        return Ok(None);
    };
    match store::player::lock(conn, player).await? {
        Some(AccountState::Active | AccountState::PendingDeletion) => {}
        // Erased between the two statements: the address is free.
        Some(AccountState::Erased) | None => return Ok(None),
    }
    let taken_over = store::identity::delete_unverified(conn, player, email).await?;
    if taken_over {
        take_over(conn, player, now).await?;
    }
    mails::enqueue_joined(conn, cx, player, email, ProviderJoined { provider, taken_over }).await?;
    Ok(Some(player))
}

/// Ends the sessions, links, codes and devices of the one who registered an address without verifying it.
/// Their password is deleted already; a concurrent sign-in by it waits for the player's lock
/// and fails.
async fn take_over(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::link::end_all(conn, player, now).await?;
    store::oauth::delete_exchanges(conn, player).await?;
    store::session::end_all(conn, player, None, Ending::AccountJoined, now).await?;
    store::device::forget_all(conn, player, None).await?;
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
