//! Secrets of one mesh, generated at its first start. No service has a default
//! secret, so every development mesh has its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::files;

/// Random bytes in a secret.
const STRENGTH: usize = 32;

/// A file of KEY=VALUE lines that only its owner can read.
#[derive(Debug)]
pub(crate) struct Secrets {
    path: PathBuf,
    values: BTreeMap<String, String>,
}

impl Secrets {
    /// Reads the file; a missing one is empty.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(fault) if fault.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let values = pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        Ok(Self { path: path.to_path_buf(), values: values.collect() })
    }

    /// The secret of that name: 32 random bytes in base64url, generated and saved
    /// at the first call.
    pub(crate) fn get(&mut self, name: &str) -> Result<String> {
        if let Some(secret) = self.values.get(name) {
            return Ok(secret.clone());
        }
        let secret = generate()?;
        self.values.insert(name.to_owned(), secret.clone());
        let lines = self.values.iter().map(|(name, value)| format!("{name}={value}\n"));
        files::replace(&self.path, 0o600, &lines.collect::<String>())?;
        Ok(secret)
    }
}

/// Generates a secret in base64url, so that a URL, a shell and SQL accept it unquoted.
fn generate() -> Result<String> {
    let mut bytes = [0_u8; STRENGTH];
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context("cannot read /dev/urandom")?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_secret_is_generated_once_saved_and_readable_by_its_owner_alone() {
        let path = std::env::temp_dir().join(format!("xtask-secrets-{}", std::process::id()));
        let first = Secrets::load(&path).unwrap().get("SEED").unwrap();
        assert_eq!(first.len(), 43);
        let mut again = Secrets::load(&path).unwrap();
        assert_eq!(again.get("SEED").unwrap(), first);
        assert_ne!(again.get("OTHER").unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&path).unwrap();
    }
}
