//! Encoding replies about packages.

use proto::{
    timestamp,
    wallet::v1::{HeldPackage, Subscription as WireSubscription, SubscriptionPackage, Tier},
};
use time::OffsetDateTime;
use types::{Language, PlayerId};

use crate::domain::{Package, PackageManifest, Subscription};

/// The position, from the cheapest, of the package that is shown as popular.
const POPULAR: usize = 1;

/// Encodes packages, the cheapest first, as a player of this language reads them.
pub(super) fn packages(
    packages: Vec<PackageManifest>,
    language: Language,
) -> Vec<SubscriptionPackage> {
    let packages = packages.into_iter().enumerate().map(|(place, offered)| SubscriptionPackage {
        id: offered.package.id().to_string(),
        name: offered.package.name().to_owned(),
        description: offered.description.in_language(language),
        amount: Some(offered.amount.into()),
        tier: tier(offered.package).into(),
        popular: place == POPULAR,
    });
    packages.collect()
}

pub(super) fn subscription(held: &Subscription, now: OffsetDateTime) -> WireSubscription {
    WireSubscription {
        id: held.id.to_string(),
        package_id: held.package.id().to_string(),
        package_name: held.package.name().to_owned(),
        starts_at: Some(timestamp(held.term.starts_at)),
        expires_at: Some(timestamp(held.term.expires_at)),
        expired: held.term.has_ended(now),
    }
}

pub(super) fn held((player, package): (PlayerId, Package)) -> HeldPackage {
    HeldPackage { player_id: player.to_string(), tier: tier(package).into() }
}

const fn tier(package: Package) -> Tier {
    match package {
        Package::Bronze => Tier::Bronze,
        Package::Silver => Tier::Silver,
        Package::Gold => Tier::Gold,
        Package::Platinum => Tier::Platinum,
    }
}
