//! Who may call which route: all routes of the contract, by every kind of caller.
//!
//! Services and operators identify themselves by client certificates between processes, which the
//! public port does not request. `every_rpc_refuses_callers_off_its_edges` (crates/mesh) tests
//! those.

use std::collections::BTreeSet;

use journeys::{Mesh, Operator, Player, RawReply, Reply, eventually};
use reqwest::Method;
use serde_json::{Value, json};

const CONTRACT: &str = include_str!("../../../gateway/openapi.json");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Bearers are not read.
    Public,
    /// A bearer is optional.
    Guest,
    /// A bearer is needed.
    Player,
}

#[derive(Debug)]
struct Route {
    method: Method,
    /// The path, with `{…}` for its parameters.
    template: String,
    access: Access,
}

/// All routes but the live stream, which refuses in its trailers (live.rs).
fn routes() -> Vec<Route> {
    let contract: Value = serde_json::from_str(CONTRACT).unwrap();
    let mut routes = Vec::new();
    for (template, operations) in contract["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let access = match operation["security"].as_array() {
                None => Access::Public,
                Some(ways) if ways.contains(&json!({})) => Access::Guest,
                Some(_) => Access::Player,
            };
            let method = method.to_uppercase().parse().unwrap();
            routes.push(Route { method, template: template.clone(), access });
        }
    }
    routes.retain(|route| !route.template.starts_with("/playon.live."));
    assert!(routes.len() > 80, "the contract has {} routes", routes.len());
    routes
}

impl Route {
    /// A path whose parameters name nothing that exists.
    fn path(&self, mesh: &Mesh) -> String {
        let filled = self.template.split('/').map(|part| match part {
            "{provider}" => "google".to_owned(),
            "{secret}" => "0".repeat(32),
            "{username}" => "no_such_player".to_owned(),
            part if part.starts_with('{') => mesh.unique_id(),
            part => part.to_owned(),
        });
        filled.collect::<Vec<_>>().join("/")
    }

    async fn call(&self, mesh: &Mesh, path: &str, bearer: Option<&str>) -> RawReply {
        let call = mesh.call(self.method.clone(), path).header("idempotency-key", mesh.unique_id());
        let call = if self.method == Method::GET { call } else { call.json(&json!({})) };
        RawReply::to(match bearer {
            Some(bearer) => call.bearer_auth(bearer),
            None => call,
        })
        .await
    }
}

/// The token with an invalid signature.
fn forged(token: &str) -> String {
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let turned: String = signature.chars().rev().collect();
    format!("{signed}.{turned}")
}

async fn revoked(mesh: &Mesh) -> Player {
    let player = mesh.new_player().await;
    player.post("/auth/sign-out", &json!({"refreshToken": player.refresh_token})).await.ok();
    player.until_signed_out().await;
    player
}

#[tokio::test]
async fn a_route_that_needs_a_player_refuses_all_others_and_the_rest_ignore_a_bad_token() {
    let mesh = Mesh::from_env();
    let (player, revoked) = (mesh.new_player().await, revoked(&mesh).await);
    let forged = forged(&player.access_token);
    let tokens = ["", "nonsense", &forged, &revoked.access_token];
    for route in routes() {
        let path = route.path(&mesh);
        let guest = route.call(&mesh, &path, None).await;
        if route.access == Access::Player {
            assert_eq!(guest.status, 401, "{route:?} for a guest");
        }
        for token in tokens {
            let reply = route.call(&mesh, &path, Some(token)).await;
            assert_eq!(reply.status, guest.status, "{route:?} with {token:?}");
        }
    }
}

#[tokio::test]
async fn a_player_is_refused_by_no_route_for_lack_of_a_session() {
    let mesh = Mesh::from_env();
    for route in routes().iter().filter(|route| route.access == Access::Player) {
        // A new player for each route, because some routes end the session.
        let player = mesh.new_player().await;
        let reply = route.call(&mesh, &route.path(&mesh), Some(&player.access_token)).await;
        // A refused code also has the status 401.
        let has_session = reply.status != 401 || reply.text().contains("BAD_CODE");
        assert!(has_session && reply.status < 500, "{route:?}: {}", reply.status);
    }
}

/// Routes whose parameter names nothing that belongs to one player.
const SHARED: [&str; 14] = [
    // This route shows the room's rules, and the caller's own pause.
    "GET /api/chat-rooms/{chatRoomUid}/sending",
    "GET /api/games/get/{id}",
    "GET /api/games/{id}/best-run",
    "POST /api/games/{id}/sessions",
    "GET /api/profile/chatroom-join/{chatRoomUid}",
    "GET /api/profile/chatroom-leave/{chatRoomUid}",
    "GET /api/tournament-awards/tournament/{id}",
    "POST /api/tournament-leaderboards/{id}",
    "GET /api/tournaments/{id}",
    // The reply is about the caller's own runs.
    "GET /api/tournaments/{id}/runs-left",
    // Runs that won a place can be watched by all.
    "GET /api/tournaments/{id}/runs/{userId}",
    "GET /api/users/get/{id}",
    "GET /api/users/public/{id}",
    "GET /api/users/username/{username}",
];

/// Routes whose parameter only affects the caller: a payment method, a player to unblock.
const OWN: [&str; 2] = [
    "GET /api/wallets/withdraw-charges/{paymentMethodId}",
    "DELETE /api/profile/blocked-players/{id}",
];

/// Things of one player that others may not read or change.
struct Owned {
    owner: Player,
    payment: String,
    transaction: String,
    room: String,
    message: String,
    notification: String,
}

async fn owned(mesh: &Mesh) -> Owned {
    let owner = mesh.new_player().await;
    owner.set_handset(json!({"stk": "approve"})).await;
    let payment = owner.top_up(100).await;
    owner.until_final(&payment).await;
    let transaction = owner.transactions().await[0]["id"].as_str().unwrap().to_owned();
    let notification = eventually("the notification of the top-up", || async {
        let list = owner.get("/profile/notifications").await.ok();
        list[0]["id"].as_str().map(str::to_owned)
    })
    .await;
    let room = format!("r-{}", mesh.unique_id());
    Operator::of(mesh).apply_room(&room).await;
    owner.get(&format!("/profile/chatroom-join/{room}")).await.ok();
    let message = json!({
        "chatRoomId": room, "clientMessageId": mesh.unique_id(), "chatType": "TEXT",
        "message": "Habari",
    });
    let message = owner.post("/chats/send", &message).await.ok();
    let message = message["id"].as_str().unwrap().to_owned();
    Owned { owner, payment, transaction, room, message, notification }
}

#[tokio::test]
async fn what_is_one_players_is_refused_to_another() {
    let mesh = Mesh::from_env();
    let (owned, stranger) = (owned(&mesh).await, mesh.new_player().await);
    let Owned { owner, payment, transaction, room, message, notification } = &owned;
    let refused = [
        ("PUT /api/profile/{uid}", &owner.uid, json!({"name": "Mallory"}), 403),
        ("DELETE /api/profile/{uid}", &owner.uid, json!({"confirm": "DELETE"}), 403),
        ("GET /api/payments/{id}", payment, Value::Null, 404),
        ("GET /api/wallets/transactions/{id}", transaction, Value::Null, 404),
        ("DELETE /api/chats/{id}", message, Value::Null, 404),
        ("POST /api/chats/{id}/report", message, json!({"reason": "SPAM"}), 404),
    ];
    let known: BTreeSet<&str> =
        refused.iter().map(|(route, ..)| *route).chain(SHARED).chain(OWN).collect();
    let of_players = routes().into_iter().filter(|route| {
        let is_callback = route.template.starts_with("/hooks") || route.template.contains("oauth");
        route.template.contains('{') && !is_callback && route.access != Access::Public
    });
    for route in of_players {
        let name = format!("{} {}", route.method, route.template);
        assert!(known.contains(&*name), "{name}: say here whose things it names");
    }

    for (route, id, body, status) in &refused {
        let (method, template) = route.split_once(' ').unwrap();
        let path = template.split('/').map(|part| if part.starts_with('{') { id } else { part });
        let path = path.collect::<Vec<_>>().join("/");
        let call = mesh.call(method.parse().unwrap(), &path).bearer_auth(&stranger.access_token);
        let call = if body.is_null() { call } else { call.json(body) };
        let reply = Reply::to(call).await;
        assert_eq!(reply.status, *status, "{route}: {reply:?}");
    }
    for (path, body) in [
        ("/chats/list", json!({"chatRoomId": room})),
        ("/chats/read", json!({"chatRoomId": room, "seq": 1})),
        (
            "/chats/send",
            json!({
                "chatRoomId": room, "clientMessageId": mesh.unique_id(), "chatType": "TEXT",
                "message": "Habari",
            }),
        ),
    ] {
        assert_eq!(stranger.post(path, &body).await.refusal(), (403, "NOT_A_MEMBER"), "{path}");
    }
    let marked =
        stranger.post("/profile/notifications/read", &json!({"ids": [notification]})).await;
    assert_eq!(marked.refusal(), (404, "NOTIFICATION_NOT_FOUND"));
    assert_eq!(owner.get("/profile/notifications/unread").await.ok(), json!({"unread": 1}));
    assert_eq!(owner.profile().await["name"], Value::Null);
    assert_eq!(owner.get(&format!("/wallets/transactions/{transaction}")).await.status, 200);
}
