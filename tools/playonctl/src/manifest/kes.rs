//! Amounts in documents.

use serde::{Deserialize, Serialize, Serializer};
use types::{Money, MoneyError};

/// An amount in KES, as a number with at most two decimals: `500`, `12.50`. It is read from
/// the digits, never from a floating-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Kes(pub(crate) Money);

impl TryFrom<String> for Kes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Money::parse(&text).map(Self).map_err(|error| match error {
            MoneyError::TooFine => format!("{text} has more than two decimals"),
            MoneyError::NotANumber | MoneyError::TooLarge => {
                format!("{text} is no amount in KES, like 500 or 12.50")
            }
        })
    }
}

impl Serialize for Kes {
    /// Writes whole shillings as a number, and other amounts as a text, which is read like a
    /// number: a number with decimals would have to be a floating-point number here.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.whole_shillings() {
            Some(shillings) => serializer.serialize_i64(shillings),
            None => serializer.serialize_str(&self.0.to_json_literal()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Document {
        cash: Kes,
    }

    #[test]
    fn an_amount_is_read_by_its_digits_and_written_to_be_read_again() {
        for (text, cents) in
            [("500", 50_000), ("0.29", 29), ("90071992547409.93", 9_007_199_254_740_993)]
        {
            let document: Document = serde_saphyr::from_str(&format!("cash: {text}")).unwrap();
            assert_eq!(document.cash.0, Money::from_cents(cents), "{text}");
            let written = serde_saphyr::to_string(&document).unwrap();
            assert_eq!(
                serde_saphyr::from_str::<Document>(&written).unwrap(),
                document,
                "{written}"
            );
        }
    }

    #[test]
    fn other_amounts_are_refused() {
        for text in ["1.005", "1e3", "KES 5", "five", "true", "0x10", "1_000", ".5"] {
            assert!(
                serde_saphyr::from_str::<Document>(&format!("cash: {text}")).is_err(),
                "{text}"
            );
        }
    }
}
