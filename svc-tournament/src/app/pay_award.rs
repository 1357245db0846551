//! Pays awards of money. The end of the hold, or an approval, writes an outbox row, which is delivered
//! until svc-wallet has paid.

use mesh::instrument;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

use super::Cx;
use crate::{clients::wallets::CashAward, error::Error};

/// The outbox topic of awards to pay.
pub(crate) const AWARD_TOPIC: &str = "wallet.award";

/// The payload of an outbox row of [`AWARD_TOPIC`]: a player won money.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CashWon {
    /// The id of the row of `award_given`.
    pub(super) award: Uuid,
    pub(super) player: PlayerId,
    pub(super) amount: Money,
    /// The line on the player's receipt.
    pub(super) detail: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) at: OffsetDateTime,
    /// The reservation that the award is paid from; `None` for a late award, and in a row of an
    /// earlier build.
    #[serde(default)]
    pub(super) reservation: Option<Uuid>,
}

/// Pays an award. A repeat moves nothing at svc-wallet.
#[instrument(name = "tournament.pay_award", skip_all, fields(award.id = %won.award))]
pub(crate) async fn pay_award(cx: &Cx, won: &CashWon) -> Result<(), Error> {
    let award = CashAward {
        id: won.award,
        player: won.player,
        amount: won.amount,
        detail: &won.detail,
        awarded_at: won.at,
        reservation: won.reservation,
    };
    Ok(cx.wallets.pay(award).await?)
}
