//! An svc-auth and the calls that tests make of it.

use std::time::Duration;

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Parser as _;
use mesh::{Base, Fault, Running, args::SecretUrl};
use proto::auth::v1::{
    CreateCaptchaRequest, GetProfileRequest, GetProfileResponse, Profile, RefreshRequest, Session,
    SignInRequest, SignOutRequest, SignUpRequest, UpdateProfileRequest,
    auth_service_client::AuthServiceClient, directory_service_client::DirectoryServiceClient,
    key_service_client::KeyServiceClient, player_service_client::PlayerServiceClient,
};
use sqlx::{Connection as _, PgConnection, PgPool};
use time::OffsetDateTime;
use tonic::{Request, Status, transport::Channel};
use types::Clock;

pub(crate) const PASSWORD: &str = "jambo-kenya";

/// A running service. Parallel tests share nothing: each has its own.
pub(crate) struct Service {
    pub(crate) clock: Clock,
    pub(crate) database: SecretUrl,
    pub(crate) auth: AuthServiceClient<Channel>,
    pub(crate) players: PlayerServiceClient<Channel>,
    pub(crate) directory: DirectoryServiceClient<Channel>,
    pub(crate) keys: KeyServiceClient<Channel>,
    _running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::start_on(testkit::database("svc-auth").await, &[], testkit::base("svc-auth")).await
    }

    /// On a database that may have been used before, with other arguments.
    pub(crate) async fn start_on(database: SecretUrl, changed: &[&str], base: Base) -> Self {
        let app = svc_auth::build(base.clone(), args(&database, changed)).await.unwrap();
        let running = testkit::start(&base, app).await;
        let url = format!("http://{}", running.addr);
        let channel = Channel::from_shared(url).unwrap().connect().await.unwrap();
        Self {
            clock: base.clock,
            database,
            auth: AuthServiceClient::new(channel.clone()),
            players: PlayerServiceClient::new(channel.clone()),
            directory: DirectoryServiceClient::new(channel.clone()),
            keys: KeyServiceClient::new(channel),
            _running: running,
        }
    }

    /// A challenge, solved as the widget solves it.
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

    /// Signs up with a captcha of its own.
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
        let request =
            SignUpRequest { email: email.to_owned(), password: password.to_owned(), captcha };
        let reply = self.auth.clone().sign_up(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    /// A player who has just signed up.
    pub(crate) async fn player(&self, name: &str) -> Session {
        self.sign_up(&format!("{name}@example.com"), PASSWORD).await.unwrap()
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Result<Session, Fault> {
        let request = SignInRequest { email: email.to_owned(), password: password.to_owned() };
        let reply = self.auth.clone().sign_in(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<Session, Fault> {
        let request = RefreshRequest { refresh_token: token.to_owned() };
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

/// Arguments by which nothing takes long.
fn args(database: &SecretUrl, changed: &[&str]) -> svc_auth::Args {
    const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    let mut flags = vec![
        "svc-auth".to_owned(),
        "--listen=127.0.0.1:0".to_owned(),
        "--metrics-listen=127.0.0.1:0".to_owned(),
        format!("--database-url={}", database.expose()),
        "--db-connections=5".to_owned(),
        // For broken code: what waits for a test's transaction waits for the test.
        "--db-lock-timeout=1m".to_owned(),
        "--db-statement-timeout=1m".to_owned(),
        format!("--refresh-secret={SECRET}"),
        format!("--captcha-secret={SECRET}"),
        format!("--code-secret={SECRET}"),
        format!("--oauth-secret={SECRET}"),
        "--public-url=https://playon.example".to_owned(),
        // Nobody is there; who wants mail brings a server.
        "--mail-url=smtp://127.0.0.1:9".to_owned(),
        "--mail-from=PlayOn <no-reply@playon.example>".to_owned(),
        "--captcha-iterations=2".to_owned(),
        "--captcha-tries=8".to_owned(),
        "--argon2-memory-kib=8".to_owned(),
        "--argon2-passes=1".to_owned(),
        format!("--signing-keys={SECRET}"),
    ];
    let name = |flag: &str| flag.split('=').next().map(str::to_owned);
    flags.retain(|flag| changed.iter().all(|other| name(other) != name(flag)));
    flags.extend(changed.iter().map(|&flag| flag.to_owned()));
    svc_auth::Args::try_parse_from(flags).unwrap()
}

/// Past the service, into its database.
pub(crate) async fn connect(database: &SecretUrl) -> PgConnection {
    PgConnection::connect(database.expose()).await.unwrap()
}

/// Waits until no mail is in hand and all that are owed are put off; says until when. A
/// clock that is moved on earlier may end the lease of one that is, which is then sent
/// twice, or have it put off from the later time on.
pub(crate) async fn put_off(auth: &Service) -> OffsetDateTime {
    // What is in hand is due again when its lease is over, later than after a few tries.
    const LEASE: Duration = Duration::from_secs(45);
    let now = auth.clock.now();
    testkit::eventually("all mails are put off", || async {
        let due: Vec<OffsetDateTime> = sqlx::query_scalar("SELECT due_at FROM outbox")
            .fetch_all(&mut connect(&auth.database).await)
            .await
            .unwrap();
        let later = due.iter().all(|&due| due > now && due < now + LEASE);
        due.into_iter().max().filter(|_| later)
    })
    .await
}

/// Until somebody waits for a lock that another transaction holds.
pub(crate) async fn until_someone_waits(database: &SecretUrl) {
    let pool = PgPool::connect(database.expose()).await.unwrap();
    testkit::eventually("somebody waits", || async {
        let waits: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock')",
        )
        .fetch_one(&pool)
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

/// What a client reads out of a refusal.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(crate) fn fault(status: Status) -> Fault {
    Fault::from_status(&status)
}

pub(crate) const fn days(days: u64) -> Duration {
    Duration::from_hours(24 * days)
}
