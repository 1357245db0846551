//! The details that PlayOn stores with a line of the ledger, in English, and the texts that players
//! read for them.

use types::{Money, Text};

use super::TaxRate;

pub(crate) const MPESA_REFUND: &str = "Refund to M-Pesa";
pub(crate) const MPESA_REFUND_FAILED: &str = "Refund to M-Pesa failed";
pub(crate) const CARD_REFUND: &str = "Refund to your card";
pub(crate) const CARD_REFUND_FAILED: &str = "Refund to your card failed";
pub(crate) const CARD_DISPUTE_LOST: &str = "Given back to your card";
pub(crate) const DUTY_RETURNED: &str = "Excise duty returned";
pub(crate) const GIFT: &str = "From PlayOn";
pub(crate) const CORRECTION: &str = "Put right by PlayOn";
pub(crate) const FORMER_ACCOUNT: &str = "Your former account";

/// The details without parameters, each with the key of its text.
const KEYS: [(&str, &str); 9] = [
    (MPESA_REFUND, "TRANSACTION_MPESA_REFUND"),
    (MPESA_REFUND_FAILED, "TRANSACTION_MPESA_REFUND_FAILED"),
    (CARD_REFUND, "TRANSACTION_CARD_REFUND"),
    (CARD_REFUND_FAILED, "TRANSACTION_CARD_REFUND_FAILED"),
    (CARD_DISPUTE_LOST, "TRANSACTION_CARD_DISPUTE_LOST"),
    (DUTY_RETURNED, "TRANSACTION_DUTY_RETURNED"),
    (GIFT, "TRANSACTION_GIFT"),
    (CORRECTION, "TRANSACTION_CORRECTION"),
    (FORMER_ACCOUNT, "TRANSACTION_FORMER_ACCOUNT"),
];

const PACKAGE: &str = " package";
/// svc-tournament writes the detail of an award: `Friday Dash, place 1`.
const PLACE: &str = ", place ";

/// The detail of a tax: `5% of KES 100.00`.
const TAX: &str = "% of ";

/// The detail of a tax, by its rate and the amount that it is taken of.
pub(crate) fn of_tax(rate: TaxRate, amount: Money) -> String {
    format!("{rate} of {amount}")
}

/// The detail of a package, by its name.
pub(crate) fn of_package(name: &str) -> String {
    format!("{name}{PACKAGE}")
}

/// Returns the text of a stored detail; `None` for words that are PlayOn's in no language.
pub(crate) fn text_of(detail: &str) -> Option<Text> {
    if let Some((_, key)) = KEYS.iter().find(|(stored, _)| *stored == detail) {
        return Some(Text::new(key));
    }
    if let Some(package) = detail.strip_suffix(PACKAGE) {
        return Some(Text::new("TRANSACTION_PACKAGE").with("package", package));
    }
    if let Some((percent, amount)) = detail.split_once(TAX)
        && amount.starts_with("KES ")
    {
        return Some(Text::new("TRANSACTION_TAX").with("percent", percent).with("amount", amount));
    }
    let (tournament, place) = detail.rsplit_once(PLACE)?;
    let place: u32 = place.parse().ok()?;
    Some(Text::new("TRANSACTION_PLACE").with("tournament", tournament).with("place", place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_playon_stores_has_a_text() {
        assert_eq!(text_of(MPESA_REFUND), Some(Text::new("TRANSACTION_MPESA_REFUND")));
        let gold = Text::new("TRANSACTION_PACKAGE").with("package", "Gold");
        assert_eq!(text_of(&of_package("Gold")), Some(gold));
        let tax = Text::new("TRANSACTION_TAX").with("percent", "2.5").with("amount", "KES 100.00");
        assert_eq!(text_of("2.5% of KES 100.00"), Some(tax));
        let place = Text::new("TRANSACTION_PLACE").with("tournament", "50% of the crown");
        assert_eq!(text_of("50% of the crown, place 1"), Some(place.with("place", 1)));
        let text =
            Text::new("TRANSACTION_PLACE").with("tournament", "Dash, late").with("place", 12);
        assert_eq!(text_of("Dash, late, place 12"), Some(text));
    }

    #[test]
    fn other_words_stay_as_they_are() {
        for detail in ["", "Friday Dash · place 1", "Dash, place first", "Gold"] {
            assert_eq!(text_of(detail), None, "{detail}");
        }
    }
}
