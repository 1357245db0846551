//! The content that operators write: subscription packages, and how payment methods are shown.

use strum::{Display, EnumString, IntoStaticStr};
use types::{InvalidContent, LocalText, Money, content_id};

use super::Method;

types::id! {
    /// Identifies a subscription package.
    pub(crate) PackageId: "subscription package"
}

/// The kind of a manifest. The texts are the values of the column `content_change.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
pub(crate) enum ContentKind {
    SubscriptionPackage,
    PaymentMethod,
}

/// A subscription package, from the lowest tier to the highest. The texts are the operators'
/// keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Package {
    Bronze,
    Silver,
    Gold,
    Platinum,
}

/// A subscription package, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackageManifest {
    pub(crate) package: Package,
    pub(crate) description: LocalText,
    /// The price of a day.
    pub(crate) amount: Money,
}

/// A payment method, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MethodManifest {
    pub(crate) method: Method,
    /// The name that players read: `M-Pesa`.
    pub(crate) name: LocalText,
    /// The position in the list, from 1.
    pub(crate) position: i32,
    /// Whether the method is listed and can be used.
    pub(crate) is_enabled: bool,
}

/// The highest price of a day: the largest amount that M-Pesa moves at once.
const AMOUNT_MAX: Money = Money::from_shillings(250_000);
/// The last position in the list of methods.
const POSITION_MAX: i32 = 100;

impl Package {
    pub(crate) fn parse(key: &str) -> Result<Self, InvalidContent> {
        let keys = "is bronze, silver, gold or platinum";
        key.parse().map_err(|_| InvalidContent::new("id", keys))
    }

    /// Returns the id by which players buy the package.
    pub(crate) fn id(self) -> PackageId {
        content_id(ContentKind::SubscriptionPackage.into(), self.key()).into()
    }

    /// Returns the key by which operators name the package.
    pub(crate) fn key(self) -> &'static str {
        self.into()
    }

    /// Returns the name that players read, by which awards are grouped.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bronze => "Bronze",
            Self::Silver => "Silver",
            Self::Gold => "Gold",
            Self::Platinum => "Platinum",
        }
    }
}

impl PackageManifest {
    /// Checks the manifest. `name` is the manifest's name, which must match the key.
    pub(crate) fn validate(&self, name: &str) -> Result<(), InvalidContent> {
        if name != self.package.name() {
            return Err(InvalidContent::new("name", format!("is {}", self.package.name())));
        }
        self.description.check_length("description", 1..=500)?;
        let is_payable = self.amount.whole_shillings().is_some()
            && self.amount > Money::ZERO
            && self.amount <= AMOUNT_MAX;
        if is_payable {
            return Ok(());
        }
        let problem = format!("is above zero, in whole shillings, and at most {AMOUNT_MAX}");
        Err(InvalidContent::new("amount", problem))
    }
}

impl MethodManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        self.name.check_length("name", 1..=40)?;
        if (1..=POSITION_MAX).contains(&self.position) {
            return Ok(());
        }
        Err(InvalidContent::new("position", format!("is 1 to {POSITION_MAX}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_the_name_of_its_tier_and_a_price_that_mpesa_can_move() {
        let package = |cents| PackageManifest {
            package: Package::Gold,
            description: "All awards.".into(),
            amount: Money::from_cents(cents),
        };
        assert_eq!(package(5_000).validate("Gold"), Ok(()));
        assert_eq!(package(5_000).validate("Dhahabu").unwrap_err().field, "name");
        for cents in [-100, 0, 5_050, 25_000_100] {
            assert_eq!(package(cents).validate("Gold").unwrap_err().field, "amount", "{cents}");
        }
        let silent = PackageManifest { description: LocalText::default(), ..package(5_000) };
        assert_eq!(silent.validate("Gold").unwrap_err().field, "description");
    }

    #[test]
    fn the_texts_of_a_package_are_its_keys() {
        for key in ["bronze", "silver", "gold", "platinum"] {
            assert_eq!(Package::parse(key).map(Package::key), Ok(key));
        }
        assert_eq!(Package::parse("Gold").unwrap_err().field, "id");
    }
}
