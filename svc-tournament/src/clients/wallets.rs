//! The client of svc-wallet, which pays awards and has the players' packages.

use std::collections::HashMap;

use mesh::{Fault, grpc::client::Upstream};
use proto::{
    timestamp,
    wallet::v1::{
        HeldPackage, ListHeldPackagesRequest, PayAwardRequest, PlayerAt, ReserveAwardsRequest,
        Tier as WireTier, award_service_client::AwardServiceClient,
        entitlement_service_client::EntitlementServiceClient,
    },
};
use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

use crate::{domain::Package, error::Error};

/// A client of svc-wallet's internal RPCs.
#[derive(Clone)]
pub(crate) struct Wallets {
    awards: AwardServiceClient<Upstream>,
    entitlements: EntitlementServiceClient<Upstream>,
}

/// An award of money. svc-wallet pays one for each id, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct CashAward<'a> {
    pub(crate) id: Uuid,
    pub(crate) player: PlayerId,
    pub(crate) amount: Money,
    /// The line on the player's receipt.
    pub(crate) detail: &'a str,
    pub(crate) awarded_at: OffsetDateTime,
    /// The reservation of the tournament.
    pub(crate) reservation: Option<Uuid>,
}

/// Money that the awards of a tournament may cost.
#[derive(Debug, Clone)]
pub(crate) struct CashReservation<'a> {
    pub(crate) id: Uuid,
    /// All that is reserved, with the awards that are paid.
    pub(crate) amount: Money,
    /// The tournament, for operators.
    pub(crate) purpose: &'a str,
    /// From this time on the money is reserved no longer.
    pub(crate) until: OffsetDateTime,
}

impl Wallets {
    /// A client on a channel to svc-wallet.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self {
            awards: AwardServiceClient::new(upstream.clone()),
            entitlements: EntitlementServiceClient::new(upstream),
        }
    }

    /// Reserves money in place of what the reservation had before. svc-wallet refuses more than it
    /// has free for promotions.
    pub(crate) async fn reserve(&self, reservation: CashReservation<'_>) -> Result<(), Error> {
        let request = ReserveAwardsRequest {
            reservation_id: reservation.id.to_string(),
            amount: Some(reservation.amount.into()),
            purpose: reservation.purpose.to_owned(),
            until: Some(timestamp(reservation.until)),
        };
        let reply = self.awards.clone().reserve_awards(request).await;
        reply.map_err(|status| Fault::from_status(&status))?;
        Ok(())
    }

    /// Pays an award; returns once the money is in the player's wallet.
    pub(crate) async fn pay(&self, award: CashAward<'_>) -> anyhow::Result<()> {
        let request = PayAwardRequest {
            award_id: award.id.to_string(),
            player_id: award.player.to_string(),
            amount: Some(award.amount.into()),
            detail: award.detail.to_owned(),
            awarded_at: Some(timestamp(award.awarded_at)),
            reservation_id: award.reservation.map(|id| id.to_string()),
        };
        self.awards.clone().pay_award(request).await?;
        Ok(())
    }

    /// The best package that each of at most 100 players held at a time of their own, without those
    /// who held none.
    pub(crate) async fn held_packages(
        &self,
        players: &[(PlayerId, OffsetDateTime)],
    ) -> Result<HashMap<PlayerId, Package>, Error> {
        let players = players.iter().map(|(player, at)| PlayerAt {
            player_id: player.to_string(),
            at: Some(timestamp(*at)),
        });
        let request = ListHeldPackagesRequest {
            players: players.collect(),
            ..ListHeldPackagesRequest::default()
        };
        let reply = self.entitlements.clone().list_held_packages(request).await;
        let held = reply.map_err(|status| Fault::from_status(&status))?.into_inner().held;
        held.into_iter().map(decode).collect()
    }
}

fn decode(held: HeldPackage) -> Result<(PlayerId, Package), Error> {
    let player = PlayerId::parse(&held.player_id).map_err(anyhow::Error::from)?;
    let package = match held.tier() {
        WireTier::Bronze => Package::Bronze,
        WireTier::Silver => Package::Silver,
        WireTier::Gold => Package::Gold,
        WireTier::Platinum => Package::Platinum,
        WireTier::Unspecified => return Err(anyhow::anyhow!("a package without a tier").into()),
    };
    Ok((player, package))
}
