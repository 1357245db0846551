//! The codes that a route refuses with, beyond those that its row and its extractors say. The
//! contract's comments list them by RPC.

/// A refusal: an HTTP status and a code.
pub(super) type Known = (u16, &'static str);

const WEAK: Known = (400, "WEAK_PASSWORD");
const GUESSABLE: Known = (400, "GUESSABLE_PASSWORD");
const LOCKED: Known = (403, "PASSWORD_LOCKED");
const CAPTCHA: Known = (400, "CAPTCHA_EXPIRED");
const REVOKED: Known = (401, "SESSION_REVOKED");
const FOREIGN: Known = (403, "PERMISSION_DENIED");
const STRANGER: Known = (403, "NOT_A_MEMBER");
const UNKNOWN_ROOM: Known = (404, "ROOM_NOT_FOUND");
const UNCONFIRMED: Known = (403, "DEVICE_NOT_CONFIRMED");
const TOO_NEW: Known = (403, "DEVICE_TOO_NEW");
const MANY_PHONES: Known = (422, "TOO_MANY_PAYOUT_PHONES");
const DAY_LIMIT: Known = (422, "SPENDING_LIMIT_DAY");
const WEEK_LIMIT: Known = (422, "SPENDING_LIMIT_WEEK");
const MONTH_LIMIT: Known = (422, "SPENDING_LIMIT_MONTH");
const ON_A_BREAK: Known = (403, "ON_A_BREAK");
const UNKNOWN_PLAYER: Known = (404, "USER_NOT_FOUND");

/// The known refusals, by method and path.
#[rustfmt::skip]
const REFUSALS: &[(&str, &[Known])] = &[
    ("POST /api/auth/sign-up",               &[WEAK, GUESSABLE, CAPTCHA, (409, "EMAIL_TAKEN")]),
    ("POST /api/auth/sign-in",               &[(401, "BAD_CREDENTIALS"), LOCKED]),
    ("POST /api/auth/device",                &[CAPTCHA]),
    ("POST /api/auth/refresh",               &[REVOKED]),
    ("POST /api/auth/sign-out",              &[FOREIGN]),
    ("POST /api/auth/phone/start",           &[CAPTCHA, (400, "SMS_REFUSED"), (503, "SMS_PAUSED")]),
    ("POST /api/auth/phone/verify",          &[(401, "BAD_CODE"), (410, "CODE_EXPIRED")]),
    ("GET /api/auth/oauth/{provider}/start", &[(400, "INVALID_ARGUMENT"), (404, "NOT_FOUND")]),
    ("GET /api/auth/oauth/{provider}/callback", &[(404, "NOT_FOUND")]),
    ("POST /api/auth/oauth/exchange",        &[(410, "OAUTH_EXPIRED"), (422, "EMAIL_CODE_NEEDED")]),
    ("POST /api/auth/oauth/join",            &[(410, "OAUTH_EXPIRED")]),
    ("POST /api/auth/oauth/join/confirm",    &[(401, "BAD_CODE"), (410, "CODE_EXPIRED"), (410, "OAUTH_EXPIRED")]),
    ("POST /api/auth/password/reset/confirm", &[WEAK, GUESSABLE, (410, "RESET_EXPIRED")]),
    ("PUT /api/auth/password",               &[WEAK, GUESSABLE, (401, "REAUTH_FAILED"), LOCKED, (422, "NO_PASSWORD_LOGIN")]),
    ("POST /api/auth/email/confirm",         &[(401, "BAD_CREDENTIALS"), LOCKED, (403, "PASSWORD_NEEDED"), (410, "LINK_EXPIRED")]),
    ("POST /api/auth/email/reject",          &[(410, "LINK_EXPIRED")]),
    ("POST /api/auth/device/start",          &[(422, "NO_CONFIRMATION_ADDRESS")]),
    ("POST /api/auth/device/confirm",        &[(401, "BAD_CODE"), (410, "CODE_EXPIRED")]),
    ("PUT /api/profile/{uid}",               &[FOREIGN, (400, "NOTHING_TO_CHANGE"), (409, "USERNAME_TAKEN")]),
    ("DELETE /api/profile/{uid}",            &[FOREIGN]),
    ("POST /api/profile/data-copy",          &[UNCONFIRMED, TOO_NEW]),
    ("GET /api/profile/data-copy/file",      &[UNCONFIRMED, TOO_NEW, (404, "DATA_COPY_NOT_FOUND")]),
    ("POST /api/upload",                     &[FOREIGN, (429, "TOO_MANY_UPLOADS")]),
    ("GET /media/{shelf}/{owner}/{file}",    &[(404, "NOT_FOUND")]),
    ("GET /api/users/public/{id}",           &[UNKNOWN_PLAYER]),
    ("GET /api/users/get/{id}",              &[UNKNOWN_PLAYER]),
    ("GET /api/users/username/{username}",   &[UNKNOWN_PLAYER]),
    ("POST /api/referrals",                  &[(404, "REFERRAL_NOT_FOUND"), (409, "REFERRAL_ALREADY_USED"), (422, "OWN_REFERRAL")]),
    ("POST /api/payout-phones/start",        &[
        (400, "SMS_REFUSED"), UNCONFIRMED, TOO_NEW, MANY_PHONES, (503, "SMS_PAUSED"),
    ]),
    ("POST /api/payout-phones/confirm",      &[
        (401, "BAD_CODE"), UNCONFIRMED, TOO_NEW, (410, "CODE_EXPIRED"), MANY_PHONES,
    ]),
    ("GET /api/wallets/transactions/{id}",   &[(404, "TRANSACTION_NOT_FOUND")]),
    ("GET /api/wallets/statement",           &[(422, "STATEMENT_TOO_LONG")]),
    ("PUT /api/spending/limit",              &[(400, "AMOUNT_OUT_OF_RANGE")]),
    ("GET /api/wallets/withdraw-charges/{paymentMethodId}", &[
        (400, "UNKNOWN_METHOD"), (400, "METHOD_NOT_ALLOWED"), (400, "METHOD_COMING_SOON"),
        (400, "AMOUNT_OUT_OF_RANGE"), (400, "WHOLE_SHILLINGS_ONLY"),
    ]),
    ("POST /api/wallets/withdraw",           &[
        (400, "UNKNOWN_METHOD"), (400, "METHOD_NOT_ALLOWED"), (400, "METHOD_COMING_SOON"),
        (400, "AMOUNT_OUT_OF_RANGE"), (400, "WHOLE_SHILLINGS_ONLY"), (400, "DAILY_LIMIT"),
        (400, "INVALID_PHONE"), UNCONFIRMED, TOO_NEW,
        (403, "PAYOUT_PHONE_NOT_PROVEN"), (403, "PAYOUT_PHONE_RESTS"), (422, "INSUFFICIENT_FUNDS"),
        (422, "WITHDRAWALS_PAUSED"),
    ]),
    ("POST /api/payments/subscribe",         &[
        ON_A_BREAK,
        (400, "UNKNOWN_METHOD"), (400, "METHOD_NOT_ALLOWED"), (400, "METHOD_COMING_SOON"), (400, "DAILY_LIMIT"),
        (400, "INVALID_PHONE"), (400, "PHONE_NEEDED"), (404, "UNKNOWN_PACKAGE"), (422, "AIRTIME_BRONZE_ONLY"),
        (422, "INSUFFICIENT_FUNDS"), DAY_LIMIT, WEEK_LIMIT, MONTH_LIMIT, (429, "PHONE_RATE_LIMITED"),
    ]),
    ("POST /api/payments/top-up",            &[
        ON_A_BREAK,
        (400, "UNKNOWN_METHOD"), (400, "METHOD_NOT_ALLOWED"), (400, "METHOD_COMING_SOON"),
        (400, "AMOUNT_OUT_OF_RANGE"), (400, "WHOLE_SHILLINGS_ONLY"), (400, "DAILY_LIMIT"),
        (400, "INVALID_PHONE"), UNCONFIRMED, TOO_NEW, UNKNOWN_PLAYER, (422, "INSUFFICIENT_FUNDS"), (429, "PHONE_RATE_LIMITED"),
        DAY_LIMIT, WEEK_LIMIT, MONTH_LIMIT,
    ]),
    ("GET /api/payments/{id}",               &[(400, "INVALID_ARGUMENT"), (404, "PAYMENT_NOT_FOUND")]),
    ("POST /hooks/stk/{secret}",              &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/b2c/{secret}",              &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/timeout/{secret}",          &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/status/{secret}",           &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/reversal/{secret}",         &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/airtime/{secret}",          &[(404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("POST /hooks/paystack",                  &[(401, "UNAUTHENTICATED"), (404, "NOT_FOUND"), (413, "BODY_TOO_LARGE")]),
    ("GET /api/games/get/{id}",              &[(404, "GAME_NOT_FOUND")]),
    ("POST /api/games/{id}/sessions",        &[
        ON_A_BREAK,
        (400, "INVALID_LEVEL"), (404, "GAME_NOT_FOUND"), (404, "TOURNAMENT_NOT_FOUND"), (422, "GAME_NOT_PLAYABLE"),
        (422, "TOURNAMENT_NOT_ON"), (422, "NO_RUNS_LEFT"),
    ]),
    ("POST /api/runs",                       &[
        (404, "SESSION_NOT_FOUND"), (404, "TOURNAMENT_NOT_FOUND"), (409, "SESSION_USED"), (410, "SESSION_EXPIRED"),
        (422, "TOURNAMENT_NOT_ON"), (422, "NO_RUNS_LEFT"),
    ]),
    ("POST /api/runs/pieces",                &[
        (400, "INVALID_INPUTS"), (400, "INVALID_PIECE"), (404, "SESSION_NOT_FOUND"), (409, "PIECE_TAKEN"),
        (409, "SESSION_USED"), (410, "SESSION_EXPIRED"), (413, "INPUTS_TOO_LARGE"), (422, "PIECE_TOO_EARLY"),
        (422, "RUN_NOT_BEGUN"), (422, "RUN_TOO_LATE"),
    ]),
    ("POST /api/scores",                     &[
        (400, "INVALID_INPUTS"), (404, "SESSION_NOT_FOUND"), (409, "SESSION_USED"), (410, "SESSION_EXPIRED"),
        (413, "INPUTS_TOO_LARGE"), (422, "RUN_NOT_BEGUN"), (422, "SCORE_REFUSED"),
    ]),
    ("GET /api/games/{id}/best-run",         &[(404, "RUN_NOT_FOUND")]),
    ("GET /api/tournaments/{id}/runs-left",  &[(404, "TOURNAMENT_NOT_FOUND"), (422, "TOURNAMENT_NOT_ON")]),
    ("GET /api/tournaments/{id}/runs/{userId}", &[(404, "RUN_NOT_FOUND")]),
    ("GET /api/tournaments/{id}",            &[(404, "TOURNAMENT_NOT_FOUND")]),
    ("GET /api/tournaments/{id}/proof",      &[(404, "TOURNAMENT_NOT_FOUND")]),
    ("POST /api/tournament-leaderboards/{id}", &[(404, "TOURNAMENT_NOT_FOUND")]),
    ("GET /api/tournament-awards/tournament/{id}", &[(404, "TOURNAMENT_NOT_FOUND")]),
    ("GET /api/profile/chatroom-join/{chatRoomUid}", &[ON_A_BREAK, UNKNOWN_ROOM, (409, "ALREADY_SUBSCRIBED")]),
    ("GET /api/profile/chatroom-leave/{chatRoomUid}", &[UNKNOWN_ROOM, (409, "NOT_A_MEMBER")]),
    ("POST /api/chats/list",                 &[STRANGER, UNKNOWN_ROOM]),
    ("POST /api/chats/send",                 &[
        ON_A_BREAK,
        (400, "EMPTY_MESSAGE"), (400, "MEDIA_NOT_ALLOWED"), (400, "WORD_NOT_ALLOWED"), STRANGER, (403, "MUTED"),
        (403, "ROOM_CLOSED"), UNKNOWN_ROOM, (422, "IDEMPOTENCY_KEY_REUSED"), (429, "SLOW_MODE"),
    ]),
    ("POST /api/chats/read",                 &[STRANGER, UNKNOWN_ROOM]),
    ("DELETE /api/chats/{id}",               &[(404, "MESSAGE_NOT_FOUND")]),
    ("POST /api/profile/notifications/read", &[(404, "NOTIFICATION_NOT_FOUND")]),
    ("POST /api/profile/device-token",       &[(400, "INVALID_PUSH_SUBSCRIPTION"), (422, "PUSH_NOT_OFFERED")]),
    ("POST /api/profile/device-token/remove", &[(400, "INVALID_PUSH_SUBSCRIPTION")]),
    ("POST /api/chats/{id}/report",          &[(404, "MESSAGE_NOT_FOUND")]),
    ("GET /api/chat-rooms/{chatRoomUid}/sending", &[UNKNOWN_ROOM]),
    ("POST /api/profile/blocked-players",    &[(422, "TOO_MANY_BLOCKED")]),
    ("GET /api/openapi.json",                &[(404, "NOT_FOUND")]),
];

/// The known refusals of a route.
pub(super) fn of(method: &str, path: &str) -> &'static [Known] {
    let route = format!("{method} {path}");
    REFUSALS.iter().find(|(known, _)| *known == route).map_or(&[], |(_, refusals)| refusals)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::routes::ROUTES;

    #[test]
    fn each_row_is_of_a_route() {
        let routes: BTreeSet<_> =
            ROUTES.iter().map(|route| format!("{} {}", route.method, route.path)).collect();
        for (row, _) in REFUSALS {
            assert!(routes.contains(*row), "{row}");
        }
    }
}
