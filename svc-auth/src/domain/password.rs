//! Passwords as players enter them.

use types::{ExposeSecret, SecretString};

/// A password of acceptable length. Its memory is zeroed on drop.
#[derive(Debug, Clone)]
pub(crate) struct Password(SecretString);

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordError {
    /// The text is empty.
    Empty,
    /// Shorter than the specification allows.
    TooShort,
    /// So long that hashing it would only cost CPU.
    TooLong,
}

impl Password {
    /// Characters (specification, section 9).
    const MIN_CHARS: usize = 6;
    const MAX_CHARS: usize = 128;

    /// Parses a password that is to be set.
    pub(crate) fn parse_new(text: String) -> Result<Self, PasswordError> {
        if text.chars().count() < Self::MIN_CHARS {
            return Err(PasswordError::TooShort);
        }
        Self::parse(text)
    }

    /// Parses a password that is to be compared with the stored one. It may be shorter
    /// than the minimum, so that it costs the same work as any other wrong password.
    pub(crate) fn parse(text: String) -> Result<Self, PasswordError> {
        match text.chars().count() {
            0 => Err(PasswordError::Empty),
            count if count > Self::MAX_CHARS => Err(PasswordError::TooLong),
            _ => Ok(Self(text.into())),
        }
    }

    /// The bytes to hash.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_6_to_128_characters_of_any_alphabet() {
        for (text, error) in [
            ("", Some(PasswordError::TooShort)),
            ("12345", Some(PasswordError::TooShort)),
            ("ñandú", Some(PasswordError::TooShort)),
            ("123456", None),
            ("ñandúñ", None),
        ] {
            assert_eq!(Password::parse_new(text.to_owned()).err(), error, "{text}");
        }
        assert!(Password::parse_new("é".repeat(128)).is_ok());
        assert_eq!(Password::parse_new("é".repeat(129)).err(), Some(PasswordError::TooLong));
    }

    #[test]
    fn a_password_to_compare_may_be_short_but_not_empty() {
        assert!(Password::parse("123".to_owned()).is_ok());
        assert_eq!(Password::parse(String::new()).err(), Some(PasswordError::Empty));
    }

    #[test]
    fn debug_output_hides_the_password() {
        let password = Password::parse_new("correct horse".to_owned()).unwrap();
        assert!(!format!("{password:?}").contains("horse"));
    }
}
