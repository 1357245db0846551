//! The names of outages: while a service is out of reach, the route's row says which part of PlayOn
//! the caller reads is missing.

use axum::response::{IntoResponse as _, Response};
use mesh::Fault;
use tonic::Code;

use crate::{
    envelope::{Outage, Refusal},
    routes::{Access, RateClass, Route, Upstream},
};

/// The REASON of each service's outage. A service without a row, such as one that was just
/// generated, has the general REASON.
const REASONS: [(Upstream, &str); 5] = [
    (Upstream::Auth, "ACCOUNT_UNAVAILABLE"),
    (Upstream::Wallet, "WALLET_UNAVAILABLE"),
    (Upstream::Games, "GAMES_UNAVAILABLE"),
    (Upstream::Tournament, "TOURNAMENTS_UNAVAILABLE"),
    (Upstream::Chat, "CHAT_UNAVAILABLE"),
];
/// The REASON of a write of money whose outcome is not known.
const OUTCOME_UNKNOWN: &str = "OUTCOME_UNKNOWN";

/// How the outages of one route are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutageNames {
    /// The REASON of the missing part; `None` for the general one.
    part: Option<&'static str>,
    moves_money: bool,
}

impl OutageNames {
    pub(crate) fn of(route: Option<&Route>) -> Self {
        Self {
            part: route.and_then(part),
            moves_money: route.is_some_and(|route| route.class == RateClass::Money),
        }
    }

    /// Every code that an outage of the route has.
    pub(crate) fn codes(self) -> impl Iterator<Item = &'static str> {
        let unknown = self.moves_money.then_some(OUTCOME_UNKNOWN);
        [Some(self.part.unwrap_or("UNAVAILABLE")), unknown].into_iter().flatten()
    }

    /// Names the missing part in the reply to a call that failed by an outage.
    pub(crate) fn apply(self, response: Response) -> Response {
        let Some(outage) = response.extensions().get::<Outage>() else {
            return response;
        };
        let reason =
            if self.moves_money && outage.was_sent { Some(OUTCOME_UNKNOWN) } else { self.part };
        match reason {
            Some(reason) => Refusal::from(Fault::new(outage.code, reason)).into_response(),
            None => response,
        }
    }

    /// The fault of a call that the gateway itself ended at its deadline.
    pub(crate) fn overdue(self) -> Fault {
        if self.moves_money {
            Fault::new(Code::DeadlineExceeded, OUTCOME_UNKNOWN)
        } else {
            Fault::deadline_exceeded()
        }
    }
}

/// The REASON for a route's service. svc-auth has two parts that players know: signing in, and
/// their account.
fn part(route: &Route) -> Option<&'static str> {
    match (route.upstream, route.access) {
        // A provider's callback has no reader.
        (_, Access::Hook) => None,
        // This route is called for a player who is signed in.
        (Upstream::Auth, Access::Guest) if route.path == "/api/auth/refresh" => {
            Some("SESSION_UNVERIFIED")
        }
        (Upstream::Auth, Access::Guest) if route.path.starts_with("/api/auth/") => {
            Some("SIGN_IN_UNAVAILABLE")
        }
        (upstream, _) => {
            REASONS.iter().find(|(known, _)| *known == upstream).map(|(_, reason)| *reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ROUTES;

    #[test]
    fn players_read_which_part_is_missing() {
        let names = |method: &str, path: &str| {
            let route = ROUTES.iter().find(|row| row.method == *method && row.path == path);
            OutageNames::of(Some(route.unwrap())).part
        };
        for (method, path, reason) in [
            ("POST", "/api/auth/sign-in", "SIGN_IN_UNAVAILABLE"),
            ("GET", "/api/auth/providers", "SIGN_IN_UNAVAILABLE"),
            ("POST", "/api/auth/refresh", "SESSION_UNVERIFIED"),
            ("GET", "/api/auth/login", "ACCOUNT_UNAVAILABLE"),
            ("PUT", "/api/profile/{uid}", "ACCOUNT_UNAVAILABLE"),
            ("GET", "/api/countries/list", "ACCOUNT_UNAVAILABLE"),
            ("GET", "/api/wallets/balance", "WALLET_UNAVAILABLE"),
            ("GET", "/api/games/list", "GAMES_UNAVAILABLE"),
            ("GET", "/api/tournaments", "TOURNAMENTS_UNAVAILABLE"),
            ("GET", "/api/chat-rooms/list", "CHAT_UNAVAILABLE"),
        ] {
            assert_eq!(names(method, path), Some(reason), "{method} {path}");
        }
        assert_eq!(names("POST", "/hooks/stk/{secret}"), None);
        assert_eq!(names("GET", "/healthz"), None);
    }

    #[test]
    fn each_reason_has_a_text_of_its_own() {
        let general = Fault::unavailable().message;
        let others = ["SIGN_IN_UNAVAILABLE", "SESSION_UNVERIFIED", OUTCOME_UNKNOWN];
        for reason in REASONS.iter().map(|(_, reason)| *reason).chain(others) {
            let text = Fault::new(Code::Unavailable, reason).message;
            assert_ne!(text, general, "{reason}");
            assert_ne!(text, "Something happened.", "{reason}");
        }
    }
}
