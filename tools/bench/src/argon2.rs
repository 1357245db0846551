//! The hash of the password that all players of the large data set have.

use anyhow::{Result, anyhow};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, Version};

use crate::{config::HashCost, session::PASSWORD};

const SALT: &[u8] = b"sixteen bytes of";

/// The PHC string of the password, as svc-auth stores it.
pub(crate) fn hash(cost: HashCost) -> Result<String> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None);
    let params =
        params.map_err(|error| anyhow!("the Argon2 parameters are not usable: {error}"))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = argon2.hash_password_with_salt(PASSWORD.as_bytes(), SALT);
    let hash = hash.map_err(|error| anyhow!("the password could not be hashed: {error}"))?;
    Ok(hash.to_string())
}
