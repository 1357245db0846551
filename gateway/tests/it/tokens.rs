//! Verifying tokens.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::stream::{self, Pending};
use mesh::auth::Claims;
use proto::{
    auth::v1::{
        GetKeySetRequest, GetKeySetResponse, WatchRevokedSessionsRequest,
        WatchRevokedSessionsResponse,
        key_service_server::{KeyService, KeyServiceServer},
    },
    wallet::v1::GetBalanceRequest,
};
use testkit::Tokens;
use tokio::net::TcpListener;
use tonic::{Request, Response, Status, service::Routes};
use types::Clock;

use crate::world::{NOWHERE, World, read};

const BALANCE: &str = "/api/wallets/balance";
const GAMES: &str = "/api/games/list";

#[tokio::test]
async fn a_players_token_is_passed_to_the_service() {
    let world = World::new().await;
    let (_, token) = world.tokens.player();
    let answer = read(world.get(BALANCE).bearer_auth(&token)).await;
    assert_eq!(answer.status, 200);
    let received = world.stub.received::<GetBalanceRequest>();
    let authorization = received[0].0.get("authorization").unwrap();
    assert_eq!(authorization.to_str().unwrap(), format!("Bearer {token}"));
}

#[tokio::test]
async fn an_invalid_token_is_a_401_on_routes_for_players_and_a_guest_elsewhere() {
    let world = World::new().await;
    for (what, authorization) in invalid_tokens(&world) {
        let answer = read(world.get(BALANCE).header("authorization", &authorization)).await;
        assert_eq!(answer.refusal(), (401, "UNAUTHENTICATED".into()), "{what}");
        let answer = read(world.get(GAMES).header("authorization", &authorization)).await;
        assert_eq!(answer.status, 200, "{what}");
    }
    assert!(world.stub.received::<GetBalanceRequest>().is_empty());
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let world = World::new().await;
    let (_, token) = world.tokens.player();
    assert_eq!(read(world.get(BALANCE).bearer_auth(&token)).await.status, 200);
    world.base.clock.advance(Duration::from_mins(15));
    let answer = read(world.get(BALANCE).bearer_auth(&token)).await;
    assert_eq!(answer.refusal(), (401, "UNAUTHENTICATED".into()));
}

#[tokio::test]
async fn without_keys_a_token_is_unavailable_and_not_invalid() {
    let world = World::with(|args| args.upstreams.auth_url = NOWHERE.into()).await;
    let answer = read(world.get_signed_in(BALANCE)).await;
    assert_eq!(answer.refusal(), (503, "SESSION_UNVERIFIED".into()));
    // Routes for guests are served.
    assert_eq!(read(world.get_signed_in(GAMES)).await.status, 200);
}

/// An svc-auth with keys that never sends the list of revoked sessions.
#[derive(Clone)]
struct WithoutRevocations(Tokens);

#[tonic::async_trait]
impl KeyService for WithoutRevocations {
    async fn get_key_set(
        &self,
        request: Request<GetKeySetRequest>,
    ) -> Result<Response<GetKeySetResponse>, Status> {
        self.0.get_key_set(request).await
    }

    type WatchRevokedSessionsStream = Pending<Result<WatchRevokedSessionsResponse, Status>>;

    async fn watch_revoked_sessions(
        &self,
        _: Request<WatchRevokedSessionsRequest>,
    ) -> Result<Response<Self::WatchRevokedSessionsStream>, Status> {
        Ok(Response::new(stream::pending()))
    }
}

#[tokio::test]
async fn no_player_is_accepted_before_the_revoked_sessions_are_known() {
    let keys = Tokens::new(&Clock::system());
    let (_, token) = keys.player();
    let url =
        testkit::serve("svc-auth", Routes::new(KeyServiceServer::new(WithoutRevocations(keys))))
            .await;
    let world = World::with(|args| args.upstreams.auth_url = url).await;
    let answer = read(world.get(BALANCE).bearer_auth(&token)).await;
    assert_eq!(answer.refusal(), (503, "SESSION_UNVERIFIED".into()));
    assert_eq!(read(world.get(GAMES).bearer_auth(&token)).await.status, 200);
    assert!(world.stub.received::<GetBalanceRequest>().is_empty());
}

#[tokio::test]
async fn waiting_for_the_keys_counts_towards_the_deadline() {
    // This listener accepts connections, and never replies.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", silent.local_addr().unwrap());
    let world = World::with(|args| {
        args.upstreams.auth_url = url;
        args.call_limit = Duration::from_millis(300);
    })
    .await;
    let answer = read(world.get_signed_in(BALANCE)).await;
    // Without a deadline the keys would fail after 15 s: a 503.
    assert_eq!(answer.refusal(), (504, "DEADLINE_EXCEEDED".into()));
}

fn invalid_tokens(world: &World) -> Vec<(&'static str, String)> {
    let (player, good) = world.tokens.player();
    let claims = world.tokens.claims(player);
    let bent = |bend: fn(&mut Claims)| {
        let mut claims = claims.clone();
        bend(&mut claims);
        world.tokens.sign(&claims)
    };
    let (head, body, signature) = parts(&good);
    let other_body = URL_SAFE_NO_PAD
        .encode(serde_json::to_vec(&world.tokens.claims(world.tokens.player().0)).unwrap());
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    let hmac = hmac_with_the_public_key(world, &claims);
    [
        ("nothing", String::new()),
        ("no token", "Bearer ".to_owned()),
        ("another scheme", format!("Basic {good}")),
        ("no scheme", good.clone()),
        ("no token at all", "Bearer nonsense".to_owned()),
        ("too long", format!("Bearer {}", "x".repeat(5_000))),
        ("a stranger's key", format!("Bearer {}", Tokens::new(&world.base.clock).token(player))),
        ("another body", format!("Bearer {head}.{other_body}.{signature}")),
        ("no signature", format!("Bearer {head}.{body}.")),
        ("alg none", format!("Bearer {none}.{body}.")),
        ("alg none, signed", format!("Bearer {none}.{body}.{signature}")),
        ("the public key as a secret", format!("Bearer {hmac}")),
        ("expired", format!("Bearer {}", bent(|claims| claims.exp = claims.iat - 1))),
        ("for others", format!("Bearer {}", bent(|claims| claims.aud = "else".into()))),
        ("by others", format!("Bearer {}", bent(|claims| claims.iss = "else".into()))),
    ]
    .into()
}

fn parts(token: &str) -> (&str, &str, &str) {
    let mut parts = token.split('.');
    let mut next = || parts.next().unwrap();
    (next(), next(), next())
}

/// Algorithm confusion: a verifier that lets the token choose the algorithm would use the
/// published key as a shared secret.
fn hmac_with_the_public_key(world: &World, claims: &Claims) -> String {
    use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
    let set: serde_json::Value = serde_json::from_str(world.tokens.jwks_json()).unwrap();
    let key = &set["keys"][0];
    let header =
        Header { kid: key["kid"].as_str().map(str::to_owned), ..Header::new(Algorithm::HS256) };
    let public = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    encode(&header, claims, &EncodingKey::from_secret(&public)).unwrap()
}
