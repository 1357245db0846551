//! A running svc-auth and the calls that tests make.

use std::time::Duration;

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Parser as _;
use mesh::{Base, Fault, Running, grpc::client::Outgoing};
use proto::auth::v1::{
    CreateCaptchaRequest, GetProfileRequest, GetProfileResponse, Profile, RefreshRequest, Session,
    SignInRequest, SignOutRequest, SignUpRequest, UpdateProfileRequest,
    auth_service_client::AuthServiceClient, directory_service_client::DirectoryServiceClient,
    key_service_client::KeyServiceClient, picture_service_client::PictureServiceClient,
    player_service_client::PlayerServiceClient,
};
use sqlx::PgConnection;
use testkit::{Database, Notifications};
use tonic::{Request, Status};
use types::Clock;

use crate::data_copy::DataSources;

pub(crate) const PASSWORD: &str = "jambo-kenya";

/// A running service. Each test has its own.
pub(crate) struct Service {
    pub(crate) clock: Clock,
    pub(crate) database: Database,
    pub(crate) auth: AuthServiceClient<Outgoing>,
    pub(crate) players: PlayerServiceClient<Outgoing>,
    pub(crate) directory: DirectoryServiceClient<Outgoing>,
    pub(crate) keys: KeyServiceClient<Outgoing>,
    pub(crate) pictures: PictureServiceClient<Outgoing>,
    /// The stub of svc-chat.
    pub(crate) notifications: Notifications,
    /// The stubs of the other services, which store data about players.
    pub(crate) data_sources: DataSources,
    running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::start_on(testkit::database("svc-auth").await, &[], testkit::base("svc-auth")).await
    }

    /// Starts on a database that may have been used before, with other arguments.
    pub(crate) async fn start_on(database: Database, changed: &[&str], base: Base) -> Self {
        let notifications = Notifications::default();
        let data_sources = DataSources::default();
        let urls = data_sources.serve(&notifications).await;
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let changed = [changed, &urls].concat();
        let app = svc_auth::build(base.clone(), args(&database, &changed)).await.unwrap();
        let running = testkit::start(&base, app).await;
        let channel = testkit::upstream("gateway", "svc-auth", running.addr);
        Self {
            clock: base.clock,
            database,
            notifications,
            data_sources,
            auth: AuthServiceClient::new(channel.clone()),
            players: PlayerServiceClient::new(channel.clone()),
            directory: DirectoryServiceClient::new(channel.clone()),
            keys: KeyServiceClient::new(channel.clone()),
            pictures: PictureServiceClient::new(channel),
            running,
        }
    }

    pub(crate) fn connect_gateway(&self) -> Outgoing {
        testkit::upstream("gateway", "svc-auth", self.running.addr)
    }

    /// A connection of another service of the mesh.
    pub(crate) fn connect_service(&self, name: &'static str) -> Outgoing {
        testkit::upstream(name, "svc-auth", self.running.addr)
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{}", self.running.addr)
    }

    /// A connection of `playonctl` with an operator's certificate.
    pub(crate) fn connect_operator(&self, operator: &str) -> Outgoing {
        testkit::operator(operator, "svc-auth", self.running.addr)
    }

    /// A solved challenge.
    pub(crate) async fn solved(&self) -> Payload {
        let reply = self.auth.clone().create_captcha(CreateCaptchaRequest {}).await.unwrap();
        let challenge: Challenge =
            serde_json::from_str(&reply.into_inner().challenge_json).unwrap();
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).unwrap().unwrap();
        Payload { challenge, solution }
    }

    pub(crate) async fn captcha(&self) -> String {
        encode(&self.solved().await)
    }

    /// Signs up with a new captcha.
    pub(crate) async fn sign_up(&self, email: &str, password: &str) -> Result<Session, Fault> {
        let captcha = self.captcha().await;
        self.sign_up_with(email, password, captcha).await
    }

    pub(crate) async fn sign_up_with(
        &self,
        email: &str,
        password: &str,
        captcha: String,
    ) -> Result<Session, Fault> {
        let request = SignUpRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            captcha,
            ..Default::default()
        };
        let reply = self.auth.clone().sign_up(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    /// Signs a new player up.
    pub(crate) async fn player(&self, name: &str) -> Session {
        self.sign_up(&format!("{name}@example.com"), PASSWORD).await.unwrap()
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Result<Session, Fault> {
        let request = SignInRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            ..Default::default()
        };
        let reply = self.auth.clone().sign_in(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<Session, Fault> {
        self.refresh_in_browser(token, "", None).await
    }

    /// Refreshes with the token of a window and that of the browser's cookie.
    pub(crate) async fn refresh_in_browser(
        &self,
        window: &str,
        cookie: &str,
        stay_signed_in: Option<bool>,
    ) -> Result<Session, Fault> {
        let request = RefreshRequest {
            refresh_token: window.to_owned(),
            cookie_token: cookie.to_owned(),
            stay_signed_in,
            ..Default::default()
        };
        let reply = self.auth.clone().refresh(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    pub(crate) async fn sign_out(&self, bearer: &str, token: &str) -> Result<(), Fault> {
        let request = SignOutRequest { refresh_token: token.to_owned() };
        self.auth.clone().sign_out(with_bearer(request, bearer)).await.map_err(fault)?;
        Ok(())
    }

    pub(crate) async fn profile(&self, bearer: &str) -> Result<GetProfileResponse, Fault> {
        let request = with_bearer(GetProfileRequest {}, bearer);
        Ok(self.players.clone().get_profile(request).await.map_err(fault)?.into_inner())
    }

    /// Changes a player's own profile.
    pub(crate) async fn update(
        &self,
        session: &Session,
        change: UpdateProfileRequest,
    ) -> Result<Profile, Fault> {
        let request = UpdateProfileRequest { uid: session.uid.clone(), ..change };
        self.update_any(&session.access_token, request).await
    }

    pub(crate) async fn update_any(
        &self,
        bearer: &str,
        request: UpdateProfileRequest,
    ) -> Result<Profile, Fault> {
        let reply = self
            .players
            .clone()
            .update_profile(with_bearer(request, bearer))
            .await
            .map_err(fault)?;
        Ok(reply.into_inner().profile.unwrap())
    }
}

/// Arguments with cheap hashes and captchas.
fn args(database: &Database, changed: &[&str]) -> svc_auth::Args {
    const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    let mut flags = vec![
        "svc-auth".to_owned(),
        "--listen=127.0.0.1:0".to_owned(),
        "--metrics-listen=127.0.0.1:0".to_owned(),
        // A test's certificates are in its base.
        "--tls-dir=/nowhere".to_owned(),
        format!("--database-url={}", database.url.expose()),
        format!("--owner-database-url={}", database.owner_url.expose()),
        "--db-connections=5".to_owned(),
        // Longer than a test holds a lock, so that only broken code times out.
        "--db-lock-timeout=1m".to_owned(),
        "--db-statement-timeout=1m".to_owned(),
        "--db-acquire-timeout=1m".to_owned(),
        format!("--refresh-secret={SECRET}"),
        format!("--device-secret={SECRET}"),
        format!("--captcha-secret={SECRET}"),
        format!("--code-secret={SECRET}"),
        format!("--oauth-secret={SECRET}"),
        "--public-url=https://playon.example".to_owned(),
        // Nothing listens there; tests of mails start a server.
        "--mail-url=smtp://127.0.0.1:9".to_owned(),
        "--mail-from=PlayOn <no-reply@playon.example>".to_owned(),
        "--captcha-iterations=2".to_owned(),
        "--captcha-tries=8".to_owned(),
        "--first-operators=wanjiru,otieno,achieng".to_owned(),
        "--argon2-memory-kib=8".to_owned(),
        "--argon2-passes=1".to_owned(),
        format!("--signing-keys={SECRET}"),
    ];
    let name = |flag: &str| flag.split('=').next().map(str::to_owned);
    flags.retain(|flag| changed.iter().all(|other| name(other) != name(flag)));
    flags.extend(changed.iter().map(|&flag| flag.to_owned()));
    svc_auth::Args::try_parse_from(flags).unwrap()
}

/// A connection to the database, as the superuser.
pub(crate) async fn connect(database: &Database) -> PgConnection {
    database.pool.acquire().await.unwrap().detach()
}

/// Postpones all mails by an hour, once none is being delivered: a delivery locks the player, which
/// would disturb tests of locks.
pub(crate) async fn postpone_mails(auth: &Service) {
    testkit::eventually("all mails are postponed", || async {
        let mut conn = connect(&auth.database).await;
        let postpone = "UPDATE outbox SET due_at = now() + interval '1 hour' WHERE NOT leased";
        sqlx::query(postpone).execute(&mut conn).await.unwrap();
        let leased = "SELECT count(*) FROM outbox WHERE leased";
        let leased: i64 = sqlx::query_scalar(leased).fetch_one(&mut conn).await.unwrap();
        (leased == 0).then_some(())
    })
    .await;
}

/// Waits until each mail was tried and failed, and lets its pause pass.
pub(crate) async fn retry_mails(auth: &Service) {
    testkit::eventually("each mail has failed", || async {
        let untried = "SELECT count(*) FROM outbox WHERE leased OR attempts = 0";
        let mut conn = connect(&auth.database).await;
        let untried: i64 = sqlx::query_scalar(untried).fetch_one(&mut conn).await.unwrap();
        (untried == 0).then_some(())
    })
    .await;
    auth.database.advance_outbox(Duration::from_mins(5)).await;
}

/// Waits until a statement is blocked by a lock.
pub(crate) async fn until_a_lock_is_awaited(database: &Database) {
    testkit::eventually("a blocked statement", || async {
        let waits: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock')",
        )
        .fetch_one(&database.pool)
        .await
        .unwrap();
        waits.then_some(())
    })
    .await;
}

pub(crate) fn encode(payload: &Payload) -> String {
    STANDARD.encode(serde_json::to_vec(payload).unwrap())
}

pub(crate) fn with_bearer<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

/// The fault in a status.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(crate) fn fault(status: Status) -> Fault {
    Fault::from_status(&status)
}

pub(crate) const fn days(days: u64) -> Duration {
    Duration::from_hours(24 * days)
}
