//! Documents of svc-wallet: subscription packages and payment methods.

use proto::wallet::v1::{PaymentMethodManifest, SubscriptionPackageManifest};
use serde::{Deserialize, Serialize};
use types::{LocalText, Money};

use super::{kes::Kes, kind::Kind};

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SubscriptionPackage {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: LocalText,
    /// The price of a day.
    pub(crate) amount: Kes,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PaymentMethod {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: LocalText,
    pub(crate) position: u32,
    #[serde(default = "yes")]
    pub(crate) enabled: bool,
}

const fn yes() -> bool {
    true
}

impl SubscriptionPackage {
    pub(super) fn item(self) -> SubscriptionPackageManifest {
        SubscriptionPackageManifest {
            key: self.id,
            name: self.name,
            description: self.description.en,
            description_sw: self.description.sw,
            amount: Some(self.amount.0.into()),
        }
    }
}

impl From<SubscriptionPackageManifest> for SubscriptionPackage {
    fn from(package: SubscriptionPackageManifest) -> Self {
        Self {
            kind: Kind::SubscriptionPackage,
            id: package.key,
            name: package.name,
            description: LocalText { en: package.description, sw: package.description_sw },
            // svc-wallet always sends the amount.
            amount: Kes(package.amount.map_or(Money::ZERO, Money::from)),
        }
    }
}

impl PaymentMethod {
    pub(super) fn item(self) -> PaymentMethodManifest {
        PaymentMethodManifest {
            key: self.id,
            name: self.name.en,
            name_sw: self.name.sw,
            position: self.position,
            enabled: self.enabled,
        }
    }
}

impl From<PaymentMethodManifest> for PaymentMethod {
    fn from(method: PaymentMethodManifest) -> Self {
        Self {
            kind: Kind::PaymentMethod,
            id: method.key,
            name: LocalText { en: method.name, sw: method.name_sw },
            position: method.position,
            enabled: method.enabled,
        }
    }
}
