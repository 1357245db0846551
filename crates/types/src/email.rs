//! Email addresses.

use std::fmt;

/// A normalised address: trimmed, in lower case.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// Why a text is not an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailError {
    /// The text is empty.
    Empty,
    /// The text is not of the form `name@example.com`.
    Malformed,
}

impl Email {
    /// Most bytes in all, and before the `@` (RFC 5321, section 4.5.3.1).
    const MAX_LENGTH: usize = 254;
    const MAX_LOCAL: usize = 64;

    /// Parses an address. ASCII only: look-alike letters of two alphabets would make two
    /// accounts that people cannot distinguish, and Postgres and Rust agree on lower case
    /// only there.
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(EmailError::Empty);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(EmailError::Malformed)?;
        if text.len() <= Self::MAX_LENGTH && is_local(local) && is_domain(domain) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(EmailError::Malformed)
        }
    }

    /// The value of a database column.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address with all letters before the `@` left out but the first, for a player who
    /// looks for the right mailbox.
    pub fn hint(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or_default();
        let first = local.get(..1).unwrap_or_default();
        format!("{first}•••@{domain}")
    }
}

/// Hides the address, because debug output goes to logs.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

/// Whether a text is a dot-atom of RFC 5322. Quoted local parts are legal but not in use.
fn is_local(text: &str) -> bool {
    let atom = |atom: &str| {
        !atom.is_empty()
            && atom
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    };
    text.len() <= Email::MAX_LOCAL && text.split('.').all(atom)
}

fn is_domain(text: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    text.contains('.') && text.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_normalised() {
        let email = Email::parse("  Wanjiru.K+play@Example.CO.KE ").unwrap();
        assert_eq!(email.as_str(), "wanjiru.k+play@example.co.ke");
    }

    #[test]
    fn a_hint_has_the_first_letter_and_the_domain() {
        assert_eq!(Email::parse("wanjiru@example.com").unwrap().hint(), "w•••@example.com");
        assert_eq!(Email::parse("w@example.com").unwrap().hint(), "w•••@example.com");
    }

    #[test]
    fn malformed_addresses_are_refused() {
        assert_eq!(Email::parse(" \t"), Err(EmailError::Empty));
        let long = format!("{}@example.com", "a".repeat(65));
        for text in [
            "wanjiru",
            "@example.com",
            "wanjiru@",
            "wanjiru@localhost",
            "a b@example.com",
            "a@b@example.com",
            ".a@example.com",
            "a..b@example.com",
            "a@-example.com",
            "a@example..com",
            "a@example.com\r\nBcc: b@example.com",
            "wаnjiru@example.com", // a Cyrillic а
            &long,
        ] {
            assert_eq!(Email::parse(text), Err(EmailError::Malformed), "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_address() {
        let email = Email::parse("wanjiru@example.com").unwrap();
        assert_eq!(format!("{email:?}"), "Email(…)");
    }
}
