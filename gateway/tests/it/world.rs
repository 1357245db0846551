//! The world of a test: the gateway, its upstreams, and a client.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use gateway::{
    Args,
    config::{GamesArgs, HttpArgs, LiveArgs, MediaArgs, Rates, UpstreamArgs},
    media::MediaUrl,
};
use mesh::{
    Base,
    auth::{DeviceTokens, MacKey},
    http_server::Networks,
};
use proto::{
    auth::v1::{
        auth_service_server::AuthServiceServer, directory_service_server::DirectoryServiceServer,
        key_service_server::KeyServiceServer, picture_service_server::PictureServiceServer,
        player_service_server::PlayerServiceServer,
    },
    chat::v1::{
        chat_media_service_server::ChatMediaServiceServer, chat_service_server::ChatServiceServer,
        player_notification_service_server::PlayerNotificationServiceServer,
        push_service_server::PushServiceServer, safety_service_server::SafetyServiceServer,
        support_service_server::SupportServiceServer,
    },
    games::v1::{games_service_server::GamesServiceServer, play_service_server::PlayServiceServer},
    tournament::v1::tournament_service_server::TournamentServiceServer,
    wallet::v1::{
        callback_service_server::CallbackServiceServer, payout_service_server::PayoutServiceServer,
        spending_service_server::SpendingServiceServer,
        subscription_service_server::SubscriptionServiceServer,
        wallet_service_server::WalletServiceServer,
    },
};
use reqwest::RequestBuilder;
use testkit::{BEGINNING, Tokens};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic::service::Routes;
use tonic_health::pb::health_server::HealthServer;
use types::{Clock, Rng, uuid::Uuid};

pub(crate) use crate::client::{Answer, Connection, read};
use crate::stub::Stub;

/// 32 bytes in base64url.
const DEVICE_SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/// The cookie of a device.
pub(crate) fn device_cookie(device: u128) -> String {
    let key = MacKey::parse("DEVICE_SECRET", &DEVICE_SECRET.into()).unwrap();
    let token = DeviceTokens::new(key).issue(Uuid::from_u128(device));
    format!("__Host-playon-device={token}")
}

/// A URL where nothing listens.
pub(crate) const NOWHERE: &str = "https://127.0.0.1:1";

pub(crate) struct World {
    pub(crate) base: Base,
    pub(crate) tokens: Tokens,
    pub(crate) stub: Stub,
    pub(crate) http: reqwest::Client,
    pub(crate) upstreams: UpstreamArgs,
    /// The folder of stored media.
    pub(crate) media: PathBuf,
    url: String,
    running: Option<mesh::Running>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts the gateway with changed arguments.
    pub(crate) async fn with(change: impl FnOnce(&mut Args)) -> Self {
        let base = testkit::base("gateway");
        let tokens = Tokens::new(&base.clock);
        let stub = Stub::default();
        let media = folder();
        let mut args = args(upstreams(&tokens, &stub).await, &media);
        change(&mut args);
        let upstreams = args.upstreams.clone();
        let app = gateway::build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        Self {
            url: format!("http://{}", running.addr),
            running: Some(running),
            // The timeout is longer than every limit of the gateway, so that it ends no call of a
            // passing test.
            http: mesh::http::client(Duration::from_mins(2)).unwrap(),
            base,
            tokens,
            stub,
            upstreams,
            media,
        }
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> RequestBuilder {
        let method = method.parse().unwrap();
        self.http.request(method, format!("{}{path}", self.url))
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.call("GET", path)
    }

    /// Ajua's origin, if the gateway serves the games.
    pub(crate) fn get_game(&self, path: &str) -> RequestBuilder {
        self.get_game_at("ajua.playon-games.example", path)
    }

    /// The origin of a game at a host.
    pub(crate) fn get_game_at(&self, host: &str, path: &str) -> RequestBuilder {
        let addr = self.running.as_ref().unwrap().other_addr.unwrap();
        self.http.get(format!("http://{addr}{path}")).header("host", host)
    }

    /// A call with a JSON body, sent as it is.
    pub(crate) fn send(&self, method: &str, path: &str, json: &str) -> RequestBuilder {
        self.call(method, path).header("content-type", "application/json").body(json.to_owned())
    }

    /// Sends a path unchanged, and returns the whole reply as text.
    pub(crate) async fn raw_get(&self, path: &str) -> String {
        let authority = self.url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(authority).await.unwrap();
        let call = format!("GET {path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
        stream.write_all(call.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A connection to the gateway.
    pub(crate) async fn connect(&self) -> Connection {
        let authority = self.url.strip_prefix("http://").unwrap();
        Connection(TcpStream::connect(authority).await.unwrap())
    }

    /// A player's call without a body.
    pub(crate) fn get_signed_in(&self, path: &str) -> RequestBuilder {
        self.get(path).bearer_auth(self.tokens.player().1)
    }

    /// A player's call with a body.
    pub(crate) fn send_signed_in(&self, method: &str, path: &str, json: &str) -> RequestBuilder {
        let (_, token) = self.tokens.player();
        self.send(method, path, json).bearer_auth(token)
    }

    pub(crate) async fn stop(&mut self) -> bool {
        let running = self.running.take().unwrap();
        running.stop().await
    }

    /// Waits until the gateway has svc-auth's keys and revoked sessions, so that a test with
    /// a short limit does not measure the first dial.
    pub(crate) async fn await_keys(&self) {
        testkit::eventually("tokens are verified", async || {
            let answer = read(self.get_signed_in("/api/wallets/balance")).await;
            (answer.status == 200).then_some(())
        })
        .await;
    }

    /// Signals the stop, without waiting for it.
    pub(crate) fn begin_stop(&self) {
        self.base.shutdown.stop();
    }
}

fn routes(tokens: &Tokens, stub: &Stub) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(HealthServer::new(stub.clone()))
        .add_service(KeyServiceServer::new(tokens.clone()))
        .add_service(AuthServiceServer::new(stub.clone()))
        .add_service(DirectoryServiceServer::new(stub.clone()))
        .add_service(PictureServiceServer::new(stub.clone()))
        .add_service(PlayerServiceServer::new(stub.clone()))
        .add_service(WalletServiceServer::new(stub.clone()))
        .add_service(PayoutServiceServer::new(stub.clone()))
        .add_service(SpendingServiceServer::new(stub.clone()))
        .add_service(SubscriptionServiceServer::new(stub.clone()))
        .add_service(CallbackServiceServer::new(stub.clone()))
        .add_service(GamesServiceServer::new(stub.clone()))
        .add_service(PlayServiceServer::new(stub.clone()))
        .add_service(TournamentServiceServer::new(stub.clone()))
        .add_service(ChatServiceServer::new(stub.clone()))
        .add_service(ChatMediaServiceServer::new(stub.clone()))
        .add_service(SupportServiceServer::new(stub.clone()))
        .add_service(SafetyServiceServer::new(stub.clone()))
        .add_service(PlayerNotificationServiceServer::new(stub.clone()))
        .add_service(PushServiceServer::new(stub.clone()));
    routes.routes()
}

/// A picture that every world has stored.
pub(crate) const PICTURE: &str =
    "/media/profile/01234567-89ab-7def-8123-456789abcdef/0123456789abcdef0123456789abcdef.jpg";

/// A folder of this test, with one picture in it.
fn folder() -> PathBuf {
    let id = Rng::system().uuid_v7(Clock::system().now());
    let folder = std::env::temp_dir().join(format!("playon-media-{id}"));
    let picture = folder.join(PICTURE.strip_prefix("/media/").unwrap());
    store(&picture, "0123456789", BEGINNING.into());
    folder
}

/// Writes a file with a modification time, which it has from the first moment.
pub(crate) fn store(file: &Path, content: &str, modified_at: SystemTime) {
    let aside = std::env::temp_dir()
        .join(format!("playon-{}", Rng::system().uuid_v7(Clock::system().now())));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&aside, content).unwrap();
    File::options().append(true).open(&aside).unwrap().set_modified(modified_at).unwrap();
    fs::rename(aside, file).unwrap();
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.media);
    }
}

/// A stub for each service.
async fn upstreams(tokens: &Tokens, stub: &Stub) -> UpstreamArgs {
    let serve = |name| testkit::serve(name, routes(tokens, stub));
    UpstreamArgs {
        auth_url: serve("svc-auth").await,
        wallet_url: serve("svc-wallet").await,
        games_url: serve("svc-games").await,
        tournament_url: serve("svc-tournament").await,
        chat_url: serve("svc-chat").await,
    }
}

fn args(upstreams: UpstreamArgs, media: &Path) -> Args {
    Args {
        mesh: testkit::args(),
        upstreams,
        public_url: "https://playon.example".parse().unwrap(),
        device_secret: DEVICE_SECRET.into(),
        redis_url: None,
        // Only broken code reaches this limit, after which a replica counts its own calls.
        redis_limit: Duration::from_mins(1),
        games: GamesArgs {
            origin: "https://{slug}.playon-games.example".parse().unwrap(),
            listen: None,
            root: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games")),
        },
        web_root: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web")),
        web_root_limit: 1024 * 1024,
        trusted_proxies: Networks::default(),
        body_limit: 64 * 1024,
        call_limit: Duration::from_secs(15),
        hsts_max_age: None,
        serve_openapi: true,
        http: HttpArgs {
            connections: 25_000,
            connections_per_address: 2_500,
            calls: 8_192,
            calls_per_address: 1_024,
            password_calls: 128,
            password_calls_per_address: 16,
        },
        rates: Rates {
            guest: "600/1m".parse().unwrap(),
            sign_in: "600/1m".parse().unwrap(),
            code: "600/1m".parse().unwrap(),
            message: "120/1m".parse().unwrap(),
            reset: "120/1m".parse().unwrap(),
            strange_code: "200/1h".parse().unwrap(),
            feedback: "120/1h".parse().unwrap(),
            upload: "30/1m".parse().unwrap(),
            media: "12000/1m".parse().unwrap(),
            read: "1200/1m".parse().unwrap(),
            write: "240/1m".parse().unwrap(),
            score: "20/10s".parse().unwrap(),
            money: "60/1m".parse().unwrap(),
            live: "120/1m".parse().unwrap(),
            hook: "6000/1m".parse().unwrap(),
            hook_networks: Networks::default(),
            failures: "300/15m".parse().unwrap(),
        },
        live: LiveArgs {
            live_heartbeat: Duration::from_secs(15),
            live_max_age: Duration::from_mins(15),
            live_streams_per_player: 10,
            live_streams: 20_000,
        },
        media: MediaArgs {
            media_url: MediaUrl::Folder(media.to_owned()),
            upload_limit: Duration::from_mins(1),
            uploads: 16,
            uploads_per_player: 2,
            media_sweep: Duration::from_hours(24),
        },
    }
}
