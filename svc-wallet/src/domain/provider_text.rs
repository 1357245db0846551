//! Texts for players that differ from M-Pesa's while a card or airtime payment is under way, or
//! when it got no answer.

use super::{method::Method, state::State};

/// Returns the key of a state's text that differs from M-Pesa's; `None` if it does not differ.
pub(super) const fn provider_text_key(method: Method, state: State) -> Option<&'static str> {
    match (method, state) {
        (Method::Card, State::Created | State::Submitting) => Some("PAYMENT_CARD_OPENING"),
        (Method::Card, State::Submitted) => Some("PAYMENT_CARD_PAGE"),
        (Method::Card, State::Expired) => Some("PAYMENT_EXPIRED_CARD"),
        (Method::SafaricomCredit, State::Created | State::Submitting | State::Submitted) => {
            Some("PAYMENT_AIRTIME_CHARGING")
        }
        (Method::SafaricomCredit, State::Expired) => Some("PAYMENT_EXPIRED_AIRTIME"),
        (Method::Card | Method::SafaricomCredit, State::Conflicted) => Some("PAYMENT_CONFLICTED"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Failure;

    #[test]
    fn no_card_or_airtime_payment_speaks_of_mpesa() {
        let states = [
            State::Created,
            State::Submitting,
            State::Submitted,
            State::Expired,
            State::Conflicted,
        ];
        for method in [Method::Card, Method::SafaricomCredit] {
            for state in states {
                let key = provider_text_key(method, state).unwrap();
                assert!(!key.contains("MPESA"), "{key}");
            }
            assert_eq!(provider_text_key(method, State::Succeeded), None);
            assert_eq!(provider_text_key(method, State::Failed(Failure::CardDeclined)), None);
        }
        assert_eq!(provider_text_key(Method::Mpesa, State::Expired), None);
    }
}
