//! The route table against the contract, and the gateway against the table.

use gateway::routes::{Access, ROUTES, RateClass, Upstream};

use crate::world::{NOWHERE, PICTURE, World, read};

/// The HTTP contract. `G` guest, `B` bearer, `P` public (the token is not verified), `A` the
/// same from every origin, `S` a play session, `H` a provider's callback.
const CONTRACT: &str = "
G HEAD /api/auth/login
B GET /api/auth/login
G GET /api/auth/providers
G GET /api/auth/captcha
G POST /api/auth/sign-up
G POST /api/auth/sign-in
G POST /api/auth/refresh
B POST /api/auth/sign-out
B POST /api/auth/sign-out-everywhere
G POST /api/auth/phone/start
G POST /api/auth/phone/verify
G GET /api/auth/oauth/{provider}/start
G GET /api/auth/oauth/{provider}/callback
G POST /api/auth/oauth/exchange
G POST /api/auth/oauth/join
G POST /api/auth/oauth/join/confirm
G POST /api/auth/password/reset
G POST /api/auth/password/reset/confirm
B PUT /api/auth/password
G POST /api/auth/email/confirm
G POST /api/auth/email/reject
G POST /api/auth/device
B POST /api/auth/device/start
B POST /api/auth/device/confirm
P GET /.well-known/jwks.json
B PUT /api/profile/{uid}
B DELETE /api/profile/{uid}
B POST /api/profile/break
B POST /api/profile/data-copy
B GET /api/profile/data-copy
B GET /api/profile/data-copy/file
B POST /api/upload
P GET /media/{shelf}/{owner}/{file}
G GET /api/countries/list
G GET /api/currencies/list
B GET /api/users/public
B GET /api/users/public/{id}
B GET /api/users/get/{id}
B GET /api/users/username/{username}
B GET /api/referrals
B POST /api/referrals
B GET /api/payout-phones
B POST /api/payout-phones/start
B POST /api/payout-phones/confirm
G GET /api/payment-methods/list
B GET /api/wallets/balance
B GET /api/wallets/list
B GET /api/wallets/transactions/{id}
B GET /api/wallets/statement
B GET /api/wallets/withdraw-charges/{paymentMethodId}
B POST /api/wallets/withdraw
B GET /api/spending
B PUT /api/spending/limit
B POST /api/payments/top-up
B POST /api/payments/subscribe
B GET /api/payments/{id}
G GET /api/subscription-packages/list
B GET /api/subscriptions/list
H POST /hooks/stk/{secret}
H POST /hooks/b2c/{secret}
H POST /hooks/timeout/{secret}
H POST /hooks/status/{secret}
H POST /hooks/reversal/{secret}
H POST /hooks/airtime/{secret}
H POST /hooks/paystack
G GET /api/games/list
G GET /api/games/get/{id}
B GET /api/profile/recent-games
B POST /api/games/{id}/sessions
S POST /api/runs
S POST /api/runs/pieces
S POST /api/scores
B GET /api/games/{id}/best-run
B GET /api/tournaments/{id}/runs-left
B GET /api/tournaments/{id}/runs/{userId}
G GET /api/events
G GET /api/playon-tv/list
G GET /api/tournaments
G GET /api/tournaments/{id}
A GET /api/tournaments/{id}/proof
B POST /api/tournament-leaderboards/{id}
G GET /api/tournament-awards/tournament/{id}
G GET /api/hall-of-fame
B GET /api/chat-rooms/list
B GET /api/profile/chatrooms
B GET /api/profile/chatroom-join/{chatRoomUid}
B GET /api/profile/chatroom-leave/{chatRoomUid}
B POST /api/chats/list
B POST /api/chats/send
B POST /api/chats/read
B DELETE /api/chats/{id}
B POST /api/chats/{id}/report
B GET /api/chat-rooms/{chatRoomUid}/sending
B GET /api/profile/blocked-players
B POST /api/profile/blocked-players
B DELETE /api/profile/blocked-players/{id}
B GET /api/profile/notifications
B GET /api/profile/notifications/unread
B POST /api/profile/notifications/read
G GET /api/contact-us/list
G POST /api/contact-us/feedback
G GET /api/profile/push-key
B POST /api/profile/device-token
B POST /api/profile/device-token/remove
B GET /api/profile/notification-settings
B POST /api/profile/notification-settings
B POST /playon.live.v1.LiveService/Subscribe
P GET /healthz
P GET /readyz
P GET /statusz
G GET /api/openapi.json
G POST /api/rum
";

#[test]
fn the_table_is_the_contract() {
    let table: Vec<_> = ROUTES
        .iter()
        .map(|route| {
            let access = match route.access {
                Access::Guest => 'G',
                Access::Bearer => 'B',
                Access::Public => 'P',
                Access::Session => 'S',
                Access::Hook => 'H',
                Access::Anywhere => 'A',
            };
            format!("{access} {} {}", route.method, route.path)
        })
        .collect();
    assert_eq!(table, CONTRACT.trim().lines().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_route_for_players_refuses_guests() {
    let world = World::new().await;
    let rows = ROUTES.iter().filter(|route| route.access == Access::Bearer);
    for route in rows.filter(|route| route.class != RateClass::Live) {
        let answer = read(world.call(route.method.as_str(), &example(route.path))).await;
        let expected = (401, "UNAUTHENTICATED".to_owned());
        assert_eq!(answer.refusal(), expected, "{}", route.path);
    }
}

#[tokio::test]
async fn every_route_is_served_with_and_without_a_trailing_slash() {
    let world = World::new().await;
    for route in ROUTES.iter().filter(|route| route.class != RateClass::Live) {
        let method = route.method.as_str();
        let plain = read(world.call(method, &example(route.path))).await;
        let slashed = read(world.call(method, &format!("{}/", example(route.path)))).await;
        assert_ne!(plain.status, 404, "{}", route.path);
        assert_eq!(plain.status, slashed.status, "{}", route.path);
        assert_eq!(plain.body, slashed.body, "{}", route.path);
    }
}

#[tokio::test]
async fn no_route_takes_another_method() {
    let world = World::new().await;
    for route in ROUTES.iter().filter(|route| route.class != RateClass::Live) {
        let answer = read(world.call("PATCH", &example(route.path))).await;
        let expected = (405, "HTTP_METHOD_NOT_ALLOWED".to_owned());
        assert_eq!(answer.refusal(), expected, "{}", route.path);
        let allow = answer.header("allow").expect("what is allowed");
        assert!(
            allow.split(',').any(|method| method == route.method.as_str()),
            "{} allows {allow}",
            route.path
        );
    }
}

#[tokio::test]
async fn a_route_needs_its_own_service_and_no_other() {
    for alive in [Upstream::Wallet, Upstream::Games, Upstream::Tournament, Upstream::Chat] {
        // svc-auth always runs, because players' tokens need its keys.
        let world = World::with(|args| {
            let services = &mut args.upstreams;
            for (upstream, url) in [
                (Upstream::Wallet, &mut services.wallet_url),
                (Upstream::Games, &mut services.games_url),
                (Upstream::Tournament, &mut services.tournament_url),
                (Upstream::Chat, &mut services.chat_url),
            ] {
                if upstream != alive {
                    *url = NOWHERE.to_owned();
                }
            }
        })
        .await;
        let rows = ROUTES.iter().filter(|route| route.path != "/statusz");
        for route in rows.filter(|route| route.class != RateClass::Live) {
            let json = r#"{"amount":1,"points":1,"seq":1,"index":1}"#;
            let path = format!("{}{}", example(route.path), query(route.path));
            let call = world.send_signed_in(route.method.as_str(), &path, json);
            let call = call.header("idempotency-key", "attempt-1");
            let call = call.header("x-paystack-signature", "0f".repeat(64));
            let answered = read(call).await.status != 503;
            let needed = [alive, Upstream::Auth, Upstream::Local];
            assert_eq!(answered, needed.contains(&route.upstream), "{}", route.path);
        }
    }
}

pub(crate) fn example(path: &str) -> String {
    path.replace("/media/{shelf}/{owner}/{file}", PICTURE)
        .replace("{provider}", "google")
        .replace("{uid}", "u-1")
        .replace("{chatRoomUid}", "lobby")
        .replace("{id}", "u-1")
        .replace("{username}", "amina")
        .replace("{paymentMethodId}", "m-1")
        .replace("{secret}", "0123456789abcdef0123456789abcdef")
}

/// The query that a route cannot do without.
pub(crate) fn query(path: &str) -> &'static str {
    match path {
        "/api/users/public" => "?ids=u-1",
        "/api/wallets/withdraw-charges/{paymentMethodId}" => "?amount=1",
        _ => "",
    }
}
