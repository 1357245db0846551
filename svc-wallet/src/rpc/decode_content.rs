//! Decoding the manifests of operators.

use proto::wallet::v1::{PaymentMethodManifest, SubscriptionPackageManifest, WalletContentKind};
use types::{InvalidContent, LocalText};

use crate::{
    domain::{Method, MethodManifest, Package, PackageManifest},
    error::{Error, Refused},
};

pub(super) fn package(manifest: SubscriptionPackageManifest) -> Result<PackageManifest, Error> {
    let package = Package::parse(&manifest.key).map_err(Refused::from)?;
    let amount = proto::money(manifest.amount, "amount")
        .map_err(|_| Refused::from(InvalidContent::new("amount", "is missing")))?;
    let description = LocalText { en: manifest.description, sw: manifest.description_sw };
    let parsed = PackageManifest { package, description, amount };
    parsed.validate(&manifest.name).map_err(Refused::from)?;
    Ok(parsed)
}

pub(super) fn method(manifest: PaymentMethodManifest) -> Result<MethodManifest, Error> {
    let parsed = MethodManifest {
        method: Method::of_key(&manifest.key).ok_or_else(|| unknown_method(&manifest.key))?,
        name: LocalText { en: manifest.name, sw: manifest.name_sw },
        position: i32::try_from(manifest.position).unwrap_or(i32::MAX),
        is_enabled: manifest.enabled,
    };
    parsed.validate().map_err(Refused::from)?;
    Ok(parsed)
}

/// Decodes the package to remove.
pub(super) fn removable(kind: WalletContentKind, key: &str) -> Result<Package, Error> {
    match kind {
        WalletContentKind::SubscriptionPackage => Ok(Package::parse(key).map_err(Refused::from)?),
        WalletContentKind::PaymentMethod => {
            let problem = "PaymentMethod cannot be removed, but switched off with enabled: false";
            Err(Refused::from(InvalidContent::new("kind", problem)).into())
        }
        WalletContentKind::Unspecified => {
            Err(Refused::from(InvalidContent::new("kind", "is missing")).into())
        }
    }
}

fn unknown_method(key: &str) -> Refused {
    let problem = format!("is mpesa, card, wallet, safaricom-credit or paypal, not {key}");
    InvalidContent::new("id", problem).into()
}
