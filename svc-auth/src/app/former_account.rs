//! Erased accounts whose player comes back: a sign-up with the phone of one gets its money.

use mesh::{
    instrument,
    outbox::{self, Delivery, Event},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};

use super::Cx;
use crate::{domain::REST, error::Error, store};

/// The money of an erased account is to be moved.
pub(crate) const FORMER_MONEY_TOPIC: &str = "wallet.former_money";

/// The payload of an outbox row of [`FORMER_MONEY_TOPIC`].
#[derive(Serialize, Deserialize)]
struct FormerMoney {
    former: PlayerId,
    player: PlayerId,
    #[serde(with = "time::serde::rfc3339")]
    proven_at: OffsetDateTime,
}

/// Remembers the phone of a locked player who is being erased, if the player signed in with one. The
/// phone is the player's until no device that money may leave by was in use for [`REST`]: carriers
/// give an unused number to another person. Call it before the devices are deleted.
pub(super) async fn remember_phone(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(phone) = store::phone::find_of(conn, player).await? else { return Ok(()) };
    let seen_at = store::device::find_confirmable(conn, player).await?.seen_at;
    if let Some(expires_at) = seen_at.map(|seen| seen + REST).filter(|expires_at| *expires_at > now)
    {
        let key = cx.messaging.codes.former_key(&phone);
        store::former_account::insert(conn, player, key, expires_at).await?;
    }
    Ok(())
}

/// Enqueues that the money of the erased accounts of a phone is moved to its new player, whose break
/// lasts as long as theirs.
pub(super) async fn take_over_former_accounts(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let key = cx.messaging.codes.former_key(phone);
    for former in store::former_account::take(conn, key, now).await? {
        if let Some(until) = store::player::find_break(conn, former).await? {
            store::player::start_break(conn, player, until).await?;
        }
        let money = FormerMoney { former, player, proven_at: now };
        outbox::put(conn, &cx.clock, &cx.rng, FORMER_MONEY_TOPIC, &money).await?;
    }
    Ok(())
}

/// Moves the money of an outbox row. svc-wallet moves it once, however often it is asked.
#[instrument(name = "auth.move_former_money", skip_all)]
pub(crate) async fn move_former_money(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let FormerMoney { former, player, proven_at } = event.payload()?;
    cx.wallets.move_former_money(former, player, proven_at).await?;
    Ok(Delivery::Done)
}
