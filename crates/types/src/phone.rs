//! Kenyan mobile numbers.

use std::fmt;

use thiserror::Error;

use crate::writing;

/// A Kenyan mobile number, kept as the twelve digits M-Pesa wants:
/// `2547XXXXXXXX` or `2541XXXXXXXX` (the 01 range opened in 2020).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Msisdn(String);

/// A text that is not a Kenyan mobile number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a Kenyan mobile number")]
pub struct PhoneError;

impl Msisdn {
    /// Parses every spelling in use: `0712…`, `712…`, `254712…`, `+254712…`, and the same
    /// with 01. The parser ignores brackets, spaces and dashes of any kind, and invisible
    /// characters.
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        // The longest valid spelling has some twenty characters that are seen.
        if text.chars().count() > 48 {
            return Err(PhoneError);
        }
        let plain: String = text.chars().filter(|char| !is_between_digits(*char)).collect();
        let national = plain
            .strip_prefix("+254")
            .or_else(|| plain.strip_prefix("254"))
            .or_else(|| plain.strip_prefix('0'))
            .unwrap_or(&plain);
        // Some phone books write `+254 (0)712…`.
        let national = national.strip_prefix('0').unwrap_or(national);
        let known = national.len() == 9
            && national.starts_with(['7', '1'])
            && national.bytes().all(|b| b.is_ascii_digit());
        if known { Ok(Self(format!("254{national}"))) } else { Err(PhoneError) }
    }

    /// Twelve digits without a plus, as Daraja expects them.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// `+254…` (E.164), as profiles and text messages use it.
    pub fn e164(&self) -> String {
        format!("+{}", self.0)
    }

    /// `0712 … 678`: its owner recognises it, others cannot call it.
    pub fn masked(&self) -> String {
        format!("0{} … {}", &self.0[3..6], &self.0[9..])
    }
}

/// Whether a character may stand between the digits of a number, or around them.
fn is_between_digits(char: char) -> bool {
    char.is_whitespace()
        || writing::is_invisible(char)
        || matches!(char, '-' | '(' | ')' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Prints the masked number, because debug output goes to logs.
impl fmt::Debug for Msisdn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Msisdn({})", self.masked())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_parses_to_one_number() {
        for text in [
            "0712345678",
            "712345678",
            "254712345678",
            "+254712345678",
            "+254 712 345 678",
            "0712-345-678",
            "+254 (0)712345678",
            "\u{202a}+254 712 345 678\u{202c}",
            "\u{feff}0712\u{200b}345\u{200e}678",
            "0712\u{a0}345\u{202f}678",
            "0712\u{2011}345\u{2013}678",
        ] {
            assert_eq!(Msisdn::parse(text).unwrap().digits(), "254712345678", "{text}");
        }
        assert_eq!(Msisdn::parse("0110123456").unwrap().e164(), "+254110123456");
    }

    #[test]
    fn other_numbers_are_refused() {
        for text in
            ["", "12345", "0812345678", "+255712345678", "07123456789", "071234567x", "٠٧١٢٣٤٥٦٧٨"]
        {
            assert_eq!(Msisdn::parse(text), Err(PhoneError), "{text}");
        }
    }

    #[test]
    fn debug_output_is_masked() {
        let phone = Msisdn::parse("0712345678").unwrap();
        assert_eq!(format!("{phone:?}"), "Msisdn(0712 … 678)");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = Msisdn::parse(&text);
        }
    }
}
