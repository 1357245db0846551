//! The services that own content, and documents to apply to them.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use mesh::{
    App, Base, Running,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use playonctl::{Catalogue, Mode, PerService, apply, read};
use testkit::{Database, Tokens};
use types::{Clock, Money, Rng};

/// A URL where nothing listens: content needs no provider, and few upstreams.
const NOWHERE: &str = "https://127.0.0.1:1";

/// The running services, and a folder for the documents.
pub(crate) struct Services {
    pub(crate) catalogue: Catalogue,
    databases: PerService<Database>,
    pub(crate) folder: PathBuf,
    clock: Clock,
    _running: [Running; 4],
}

impl Services {
    pub(crate) async fn start() -> Self {
        let auth_url = Tokens::new(&testkit::base("svc-games").clock).serve_keys().await;
        let auth = || AuthArgs { auth_url: auth_url.clone() };
        let databases = PerService {
            games: testkit::database("svc-games").await,
            tournament: testkit::database("svc-tournament").await,
            chat: testkit::database("svc-chat").await,
            wallet: testkit::database("svc-wallet").await,
        };
        let base = testkit::base("svc-games");
        let of = |name| Base { clock: base.clock.clone(), ..testkit::base(name) };
        let games = start(of("svc-games"), |base| {
            svc_games::build(base, games_args(&databases.games, auth()))
        })
        .await;
        let games_url = format!("https://{}", games.addr);
        let wallet = start(of("svc-wallet"), |base| {
            svc_wallet::build(base, wallet_args(&databases.wallet, auth()))
        })
        .await;
        fund_prizes(&databases.wallet).await;
        let wallet_url = format!("https://{}", wallet.addr);
        let tournament = start(of("svc-tournament"), |base| {
            svc_tournament::build(
                base,
                tournament_args(&databases.tournament, auth(), [games_url, wallet_url]),
            )
        })
        .await;
        let chat =
            start(of("svc-chat"), |base| svc_chat::build(base, chat_args(&databases.chat, auth())))
                .await;
        let catalogue = Catalogue::of(PerService {
            games: connect("svc-games", &games),
            tournament: connect("svc-tournament", &tournament),
            chat: connect("svc-chat", &chat),
            wallet: connect("svc-wallet", &wallet),
        });
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = std::env::temp_dir().join(format!("playonctl-it-{id}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("counter.wasm"), counter()).unwrap();
        let running = [games, tournament, chat, wallet];
        Self { catalogue, databases, folder, clock: base.clock, _running: running }
    }

    /// Applies the documents of a text; returns what is printed.
    pub(crate) async fn run(&self, text: &str, mode: Mode) -> anyhow::Result<String> {
        self.run_file(&self.write(text), mode).await
    }

    /// Applies the documents of a text; returns what is printed, and the outcome.
    pub(crate) async fn try_run(&self, text: &str, mode: Mode) -> (String, anyhow::Result<()>) {
        let documents = read(&[self.write(text)]).unwrap();
        let mut out = Vec::new();
        let outcome = apply(&self.catalogue, &documents, mode, self.clock.now(), &mut out).await;
        (String::from_utf8(out).unwrap(), outcome)
    }

    /// Applies the documents of a file or a folder; returns what is printed.
    pub(crate) async fn run_file(&self, path: &Path, mode: Mode) -> anyhow::Result<String> {
        let documents = read(&[path.to_owned()])?;
        // Each run is an hour later: relative times must not move.
        self.clock.advance(Duration::from_hours(1));
        let mut out = Vec::new();
        apply(&self.catalogue, &documents, mode, self.clock.now(), &mut out).await?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn write(&self, text: &str) -> PathBuf {
        let file = self.folder.join("content.yaml");
        fs::write(&file, text).unwrap();
        file
    }

    /// The number of changes that the services audited.
    pub(crate) async fn changes(&self) -> i64 {
        let PerService { games, tournament, chat, wallet } = &self.databases;
        let mut changes = 0;
        for database in [games, tournament, chat, wallet] {
            let query = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM content_change");
            changes += query.fetch_one(&database.pool).await.unwrap();
        }
        changes
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

async fn start<Fut>(base: Base, build: impl FnOnce(Base) -> Fut) -> Running
where
    Fut: Future<Output = anyhow::Result<App>>,
{
    let app = build(base.clone()).await.unwrap();
    testkit::start(&base, app).await
}

/// Puts KES 1,000,000 into the promotions account, which tournaments with cash need.
async fn fund_prizes(wallet: &Database) {
    let fund = "SELECT ledger_post(gen_random_uuid(), 'FUNDING', gen_random_uuid(), now(),
        house_account('MPESA_UTILITY'), house_account('PROMOTIONS'), 100000000, NULL, NULL, NULL)";
    sqlx::query(fund).execute(&wallet.pool).await.unwrap();
}

fn connect(service: &'static str, running: &Running) -> Outgoing {
    testkit::upstream("playonctl", service, running.addr)
}

fn games_args(database: &Database, auth: AuthArgs) -> svc_games::Args {
    svc_games::Args {
        mesh: testkit::args(),
        database_url: database.url.clone(),
        owner_database_url: Some(database.owner_url.clone()),
        database: DatabaseArgs::default(),
        auth,
        tournament_url: NOWHERE.to_owned(),
    }
}

fn tournament_args(
    database: &Database,
    auth: AuthArgs,
    [games_url, wallet_url]: [String; 2],
) -> svc_tournament::Args {
    svc_tournament::Args {
        mesh: testkit::args(),
        database_url: database.url.clone(),
        owner_database_url: Some(database.owner_url.clone()),
        database: DatabaseArgs::default(),
        auth,
        games_url,
        wallet_url,
        chat_url: NOWHERE.to_owned(),
        redis_url: testkit::redis_url(),
        board_entries: 1_000,
        award_hold: std::time::Duration::ZERO,
        cash_confirmed_over: 10_000,
        cash_alone_a_day: 50_000,
    }
}

fn chat_args(database: &Database, auth: AuthArgs) -> svc_chat::Args {
    svc_chat::Args {
        mesh: testkit::args(),
        database_url: database.url.clone(),
        owner_database_url: Some(database.owner_url.clone()),
        database: DatabaseArgs::default(),
        auth,
        redis_url: testkit::redis_url(),
        notification_retention: Duration::from_hours(24),
        message_retention: Duration::from_hours(24),
        messages_per_room: 10,
        mentions_per_hour: 60,
        messages_per_player: 20,
        presence_interval: Duration::from_secs(20),
        support: svc_chat::SupportArgs::default(),
        push: svc_chat::PushArgs {
            vapid_private_key: None,
            vapid_subject: "mailto:support@playon.example".into(),
            push_services: Vec::new(),
            push_sandbox_url: None,
            push_max_age: Duration::from_hours(1),
            push_subscription_retention: Duration::from_hours(24),
        },
    }
}

fn wallet_args(database: &Database, auth: AuthArgs) -> svc_wallet::Args {
    svc_wallet::Args {
        mesh: testkit::args(),
        database_url: database.url.clone(),
        owner_database_url: Some(database.owner_url.clone()),
        database: DatabaseArgs::default(),
        auth,
        chat_url: NOWHERE.to_owned(),
        redis_url: testkit::redis_url(),
        daraja: svc_wallet::DarajaArgs {
            daraja_base_url: NOWHERE.to_owned(),
            daraja_consumer_key: String::new().into(),
            daraja_consumer_secret: String::new().into(),
            daraja_short_code: String::new(),
            daraja_passkey: String::new().into(),
            daraja_payout_short_code: None,
            daraja_initiator_name: String::new(),
            daraja_initiator_password: String::new().into(),
            daraja_certificate: svc_wallet::CertificateSource::Url(NOWHERE.to_owned()),
            callback_base_url: NOWHERE.to_owned(),
            daraja_timeout: Duration::from_secs(1),
            daraja_queries_per_second: 1,
        },
        paystack: svc_wallet::PaystackArgs {
            paystack_base_url: NOWHERE.to_owned(),
            paystack_secret_key: String::new().into(),
            paystack_live: false,
            paystack_email_domain: "players.example".to_owned(),
            paystack_return_url: NOWHERE.to_owned(),
            paystack_timeout: Duration::from_secs(1),
            card_payment_expiry: Duration::from_mins(30),
        },
        carrier: svc_wallet::CarrierArgs {
            carrier_base_url: NOWHERE.to_owned(),
            carrier_username: String::new(),
            carrier_password: String::new().into(),
            carrier_cp_id: String::new().into(),
            carrier_offer_code: String::new(),
            carrier_notify_secret: String::new().into(),
            carrier_timeout: Duration::from_secs(1),
        },
        payment_expiry: Duration::from_mins(3),
        confirm_from: Money::ZERO,
        prompt_limit: svc_wallet::PromptLimitArgs {
            unpaid_prompts_per_hour: 1,
            unpaid_prompts_per_day: 1,
        },
        withdrawals: svc_wallet::WithdrawalArgs::default(),
        taxes: "".parse().unwrap(),
        awards_an_hour: Money::from_shillings(100_000),
        balance_tolerance: Money::from_shillings(1_000),
        inbox_retention: Duration::from_hours(24),
        phone_retention: Duration::from_hours(24),
    }
}

/// A small rules module, whose runs are live.
pub(crate) fn counter() -> Vec<u8> {
    wat::parse_str(include_str!("../../../../svc-games/tests/it/live_counter.wat")).unwrap()
}
