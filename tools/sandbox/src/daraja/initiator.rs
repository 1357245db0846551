//! The operator of payouts and queries, and the decryption of `SecurityCredential`.

use std::sync::LazyLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey};

use super::refusal::Refusal;
use super::validate::Fields;
use crate::config::Merchant;

/// The certificate with whose key clients encrypt the operator's password. The pair is
/// the sandbox's own and not secret.
pub(crate) const CERTIFICATE: &str = include_str!("keys/certificate.pem");

static KEY: LazyLock<Option<RsaPrivateKey>> =
    LazyLock::new(|| RsaPrivateKey::from_pkcs8_der(include_bytes!("keys/initiator.der")).ok());

/// Whether the request carries the operator's name and password. Daraja accepts the request first
/// and reports wrong credentials in the result. `name` is the field of the name, which differs
/// between calls.
pub(super) fn is_known(
    fields: &Fields,
    name: &'static str,
    merchant: &Merchant,
) -> Result<bool, Refusal> {
    let given = fields.text(name)?;
    let credential =
        fields.parse_field("SecurityCredential", |text| BASE64_STANDARD.decode(text).ok())?;
    let password = KEY.as_ref().and_then(|key| key.decrypt(Pkcs1v15Encrypt, &credential).ok());
    Ok(given == merchant.initiator_name
        && password.is_some_and(|password| password == merchant.initiator_password.as_bytes()))
}
