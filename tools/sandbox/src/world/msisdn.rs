//! Kenyan mobile numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A Kenyan mobile number as M-Pesa writes it: `2547XXXXXXXX` or `2541XXXXXXXX`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Msisdn(String);

impl Msisdn {
    /// Parses the provider's own format and nothing else.
    pub(crate) fn strict(text: &str) -> Option<Self> {
        let subscriber = text.strip_prefix("254")?;
        let valid = subscriber.len() == 9
            && subscriber.starts_with(['7', '1'])
            && subscriber.bytes().all(|b| b.is_ascii_digit());
        valid.then(|| Self(text.to_owned()))
    }

    /// Parses a number as people write it: also `07…`, `7…` and `+2547…`, with
    /// spaces.
    pub(crate) fn lenient(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|c| *c != ' ').collect();
        let digits = digits.strip_prefix('+').unwrap_or(&digits);
        let subscriber =
            digits.strip_prefix("254").or_else(|| digits.strip_prefix('0')).unwrap_or(digits);
        Self::strict(&format!("254{subscriber}"))
    }

    /// The nine digits after the country code.
    pub(crate) fn subscriber(&self) -> &str {
        &self.0[3..]
    }
}

impl fmt::Display for Msisdn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Msisdn> for String {
    fn from(msisdn: Msisdn) -> Self {
        msisdn.0
    }
}

impl TryFrom<String> for Msisdn {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::strict(&text).ok_or("a number is 2547XXXXXXXX or 2541XXXXXXXX")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_takes_one_format_and_lenient_takes_what_people_write() {
        for good in ["254712345678", "254112345678"] {
            assert!(Msisdn::strict(good).is_some(), "{good}");
        }
        for bad in ["+254712345678", "0712345678", "254212345678", "25471234567", "2547123456789"] {
            assert!(Msisdn::strict(bad).is_none(), "{bad}");
        }
        for good in ["0712 345 678", "+254712345678", "712345678", "254712345678"] {
            let number = Msisdn::lenient(good).map(String::from);
            assert_eq!(number.as_deref(), Some("254712345678"), "{good}");
        }
        for bad in ["", "12", "++254712345678", "2547123456é"] {
            assert!(Msisdn::lenient(bad).is_none(), "{bad}");
        }
    }
}
