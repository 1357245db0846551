//! Every write can be sent twice.
//!
//! A caller names its attempt with a [`RequestId`]. The row that the attempt
//! makes keeps the name under a UNIQUE constraint, and a [`Fingerprint`] of what
//! was asked: the same name with the same content is the same attempt, with
//! other content a mistake.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use tonic::Code;

use crate::Fault;

/// A caller's own name for an attempt: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// Reads the name; refused when empty, longer, or not plain.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let plain =
            !text.is_empty() && text.len() <= 255 && text.bytes().all(|b| b.is_ascii_graphic());
        if plain {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::new(
                Code::InvalidArgument,
                "INVALID_IDEMPOTENCY_KEY",
                "The Idempotency-Key must be 1 to 255 visible characters.",
            ))
        }
    }

    /// What a database column holds.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A digest of what was asked, to tell a repeat from a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The digest of the parts that matter, in order.
    pub fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // The length keeps ["ab", "c"] and ["a", "bc"] apart.
            hash.update(part.len().to_be_bytes());
            hash.update(part.as_bytes());
        }
        let mut hex = String::with_capacity(64);
        for byte in hash.finalize() {
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }

    /// What a database column holds.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Refuses a repeat whose content is not the first one's.
    pub fn matches(&self, first: &str) -> Result<(), Fault> {
        if self.0 == first {
            Ok(())
        } else {
            Err(Fault::new(
                Code::FailedPrecondition,
                "IDEMPOTENCY_KEY_REUSED",
                "That request was already made with other details.",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_matches_and_other_content_does_not() {
        let first = Fingerprint::of(&["MPESA", "100"]);
        assert_eq!(Fingerprint::of(&["MPESA", "100"]).matches(first.as_str()), Ok(()));
        let other = Fingerprint::of(&["MPESA1", "00"]).matches(first.as_str()).unwrap_err();
        assert_eq!(other.reason, "IDEMPOTENCY_KEY_REUSED");
    }

    #[test]
    fn a_name_is_plain_and_not_endless() {
        assert!(RequestId::parse("0190-7c3e").is_ok());
        for bad in [String::new(), "a b".into(), "é".into(), "x".repeat(256)] {
            assert!(RequestId::parse(&bad).is_err(), "{bad}");
        }
    }
}
