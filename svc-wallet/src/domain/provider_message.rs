//! What a player reads while a card or airtime payment is under way, or when it got no
//! answer. The other texts are those of every payment.

use super::{method::Method, state::State};

/// The text of a state that differs from M-Pesa's; `None` where it does not.
pub(super) const fn provider_message(method: Method, state: State) -> Option<&'static str> {
    match (method, state) {
        (Method::Card, State::Created | State::Submitting) => Some("We are opening the card page."),
        (Method::Card, State::Submitted) => Some("Finish paying on the card page."),
        (Method::Card, State::Expired) => Some(
            "Your card payment was not finished in time. If money left your card, it will still \
             reach PlayOn.",
        ),
        (Method::SafaricomCredit, State::Created | State::Submitting | State::Submitted) => {
            Some("Safaricom is charging your airtime.")
        }
        (Method::SafaricomCredit, State::Expired) => Some(
            "Safaricom has not confirmed your payment yet. If airtime was taken, your package \
             will still start.",
        ),
        (Method::Card | Method::SafaricomCredit, State::Conflicted) => Some(
            "We got a different amount from yours. We are looking into it and will put it right.",
        ),
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
                let text = provider_message(method, state).unwrap();
                assert!(!text.contains("M-Pesa"), "{text}");
            }
            assert_eq!(provider_message(method, State::Succeeded), None);
            assert_eq!(provider_message(method, State::Failed(Failure::CardDeclined)), None);
        }
        assert_eq!(provider_message(Method::Mpesa, State::Expired), None);
    }
}
