//! Which player comes by Google or Facebook.

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::{Cx, mails, newcomer};
use crate::{
    domain::{Email, Joined, Person, Provider, told_name},
    error::Error,
    store::{
        self,
        player::{Newcomer, Standing},
        session::Ending,
    },
};

/// A player, and whether there was none before.
pub(super) struct Found {
    pub(super) player: PlayerId,
    pub(super) is_new: bool,
}

/// The player of a person whom a provider vouches for: the one they were before, else
/// the one whose address the provider proves to be theirs, else a new one.
pub(super) async fn find_or_make(
    conn: &mut PgConnection,
    cx: &Cx,
    provider: Provider,
    person: &Person,
    now: OffsetDateTime,
) -> Result<Found, Error> {
    store::social::lock_subject(conn, provider, &person.subject).await?;
    if let Some(player) = store::social::player(conn, provider, &person.subject).await? {
        store::social::drop_stale_email(conn, provider, person).await?;
        return Ok(Found { player, is_new: false });
    }
    let joined = match person.proved_email() {
        Some(email) => join(conn, cx, provider, email, now).await?,
        None => None,
    };
    let found = match joined {
        Some(player) => Found { player, is_new: false },
        None => Found { player: make(conn, cx, person, now).await?, is_new: true },
    };
    store::social::insert(conn, found.player, provider, person, now).await?;
    Ok(found)
}

/// The player who has an address that was just proved, if there is one. It is told to the
/// address: should a provider ever vouch for what is not theirs, its holder hears of it.
async fn join(
    conn: &mut PgConnection,
    cx: &Cx,
    provider: Provider,
    email: &Email,
    now: OffsetDateTime,
) -> Result<Option<PlayerId>, Error> {
    store::identity::lock_email(conn, email).await?;
    let Some(player) = store::identity::owner_of(conn, email).await? else {
        return Ok(None);
    };
    match store::player::lock(conn, player).await? {
        Some(Standing::Staying | Standing::Leaving) => {}
        // Erased between the two looks: the address is nobody's.
        Some(Standing::Erased) | None => return Ok(None),
    }
    let taken_over = store::identity::drop_unproved(conn, player, email).await?;
    if taken_over {
        take_over(conn, player, now).await?;
    }
    mails::owe_joined(conn, cx, player, email, Joined { provider, taken_over }).await?;
    Ok(Some(player))
}

/// Takes away what is left in the hands of whoever merely typed the address in. Their
/// password is gone already; a sign-in that measures it now finds that out, because it
/// waits for the same lock.
async fn take_over(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::link::end_all(conn, player, now).await?;
    store::oauth::end_exchanges(conn, player).await?;
    store::session::end_all(conn, player, None, Ending::AccountJoined, now).await?;
    Ok(())
}

/// A player who begins with what the provider tells.
async fn make(
    conn: &mut PgConnection,
    cx: &Cx,
    person: &Person,
    now: OffsetDateTime,
) -> Result<PlayerId, Error> {
    let player = PlayerId::generate(&cx.clock, &cx.rng);
    let newcomer = Newcomer {
        name: person.name.as_deref().and_then(told_name),
        email: person.email.clone(),
        ..Newcomer::default()
    };
    newcomer::make(conn, cx, player, &newcomer, now).await?;
    Ok(player)
}
