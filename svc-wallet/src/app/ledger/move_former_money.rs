//! Money that an erased account left, for the player who proved to have its phone.

use mesh::{instrument, outbox};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use crate::{
    app::Cx,
    clients::notifications::{Notification, NotificationKind},
    domain::{Entry, JournalKind, Posted, Side, stored_detail},
    error::Error,
    store,
};

/// The outbox topic of the notification.
pub(crate) const FORMER_MONEY_TOPIC: &str = "chat.former_money";

/// An erased account, and the new account of the player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormerAccount {
    pub(crate) former: PlayerId,
    pub(crate) player: PlayerId,
    /// When the player proved to have the phone.
    pub(crate) proven_at: OffsetDateTime,
}

/// The payload of an outbox row of [`FORMER_MONEY_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FormerMoney {
    former: PlayerId,
    player: PlayerId,
    /// The amount as players read it.
    amount: String,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Moves all that an erased account can spend to the player's wallet, once for an erased account,
/// and notifies the player. Money that is held for a withdrawal stays where it is.
#[instrument(name = "wallet.move_former_money", skip_all, fields(player.id = %moved.player))]
pub(crate) async fn move_former_money(cx: &Cx, moved: FormerAccount) -> Result<(), Error> {
    let FormerAccount { former, player, proven_at } = moved;
    let mut tx = cx.db.begin().await?;
    let (posted, held) = store::wallet::balance(&mut tx, former).await?;
    let amount = posted.checked_sub(held).filter(|amount| *amount > Money::ZERO);
    let Some(amount) = amount else { return Ok(()) };
    let entry = Entry::new(
        JournalKind::Former,
        former.uuid(),
        Side::wallet(former),
        Side::Wallet { player, detail: Some(stored_detail::FORMER_ACCOUNT.to_owned()) },
        amount,
    );
    let id = cx.rng.uuid_v7(cx.clock.now());
    match store::ledger::post(&mut tx, id, proven_at, &entry).await? {
        Posted::Done => {}
        Posted::Repeated => return Ok(()),
        // Another call changed the balance since it was read.
        Posted::InsufficientFunds => return Err(Error::Conflict),
    }
    notify_later(&mut tx, cx, moved, amount.to_string()).await?;
    tx.commit().await?;
    cx.outbox.notify(FORMER_MONEY_TOPIC);
    Ok(())
}

async fn notify_later(
    conn: &mut PgConnection,
    cx: &Cx,
    FormerAccount { former, player, proven_at: at }: FormerAccount,
    amount: String,
) -> sqlx::Result<()> {
    let money = FormerMoney { former, player, amount, at };
    outbox::put(conn, &cx.clock, &cx.rng, FORMER_MONEY_TOPIC, &money).await
}

/// Sends the notification. A repeat changes nothing at svc-chat.
#[instrument(name = "wallet.notify_former_money", skip_all, fields(player.id = %money.player))]
pub(crate) async fn notify_former_money(cx: &Cx, money: &FormerMoney) -> Result<(), Error> {
    let notification = Notification {
        source: format!("former/{}", money.former),
        player: money.player,
        kind: NotificationKind::MoneyReturned { amount: &money.amount },
        occurred_at: money.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
