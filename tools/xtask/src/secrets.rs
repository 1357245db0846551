//! Secrets of one mesh, made up at its first start. No service has a default
//! secret, so development gets real ones that nobody else has.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Bytes of chance in a secret.
const STRENGTH: usize = 32;

/// A file of KEY=VALUE lines that only its owner can read.
#[derive(Debug)]
pub(crate) struct Secrets {
    path: PathBuf,
    known: BTreeMap<String, String>,
}

impl Secrets {
    /// Reads the file; a missing one is empty.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        Ok(Self { path: path.to_path_buf(), known: parse(&text) })
    }

    /// The secret of that name: 32 bytes in base64url, made and kept when it is
    /// asked for the first time.
    pub(crate) fn get(&mut self, name: &str) -> Result<String> {
        if let Some(secret) = self.known.get(name) {
            return Ok(secret.clone());
        }
        let secret = chance()?;
        self.known.insert(name.to_owned(), secret.clone());
        self.save()?;
        Ok(secret)
    }

    fn save(&self) -> Result<()> {
        let draft = self.path.with_extension("draft");
        let text = self.known.iter().map(|(name, value)| format!("{name}={value}\n"));
        fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)
            .and_then(|mut file| file.write_all(text.collect::<String>().as_bytes()))
            .and_then(|()| fs::rename(&draft, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn parse(text: &str) -> BTreeMap<String, String> {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

fn chance() -> Result<String> {
    let mut bytes = [0_u8; STRENGTH];
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context("cannot read /dev/urandom")?;
    Ok(base64url(&bytes))
}

/// RFC 4648, section 5, without padding: fit for a URL, a shell and SQL.
fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        // Three bytes are four characters; one byte two, two bytes three.
        for place in 0..=group.len() {
            let six = bits >> (18 - 6 * place) & 0x3f;
            text.extend(ALPHABET.get(six as usize).map(|c| char::from(*c)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_secret_is_made_once_kept_and_readable_by_its_owner_alone() {
        let path = std::env::temp_dir().join(format!("xtask-secrets-{}", std::process::id()));
        let made = Secrets::load(&path).unwrap().get("SEED").unwrap();
        assert_eq!(made.len(), 43);
        let mut again = Secrets::load(&path).unwrap();
        assert_eq!(again.get("SEED").unwrap(), made);
        assert_ne!(again.get("OTHER").unwrap(), made);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn base64url_is_that_of_the_rfc() {
        for (plain, text) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg")]
        {
            assert_eq!(base64url(plain.as_bytes()), text);
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }
}
