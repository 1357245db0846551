//! An operator, who publishes games, tournaments and packages with the certificate of `playonctl`.

use std::path::Path;

use mesh::{grpc::client::Upstream, tls::Certificates};
use proto::{
    chat::v1::{
        ApplyChatRoomRequest, ChatRoomManifest, chat_admin_service_client::ChatAdminServiceClient,
    },
    games::v1::{
        ApplyGameRequest, GameManifest, PrizeClass,
        catalogue_admin_service_client::CatalogueAdminServiceClient,
    },
    tournament::v1::{
        ApplyTournamentRequest, TournamentManifest,
        tournament_admin_service_client::TournamentAdminServiceClient,
    },
    types::v1::Money as Cents,
    wallet::v1::{
        ApplySubscriptionPackageRequest, Break, GetPromotionsRequest, ListBreaksRequest,
        ResolveBreakRequest, ResumePayoutsRequest, SubscriptionPackageManifest,
        money_operations_service_client::MoneyOperationsServiceClient,
        wallet_admin_service_client::WalletAdminServiceClient,
    },
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use types::Money;

use crate::{Mesh, Process};

/// A game of two pieces of ten ticks, each of which scores when its input is 1, and as its seed has it.
const COUNTER: &str = include_str!("../../svc-games/tests/it/live_counter.wat");
/// What the seed adds to a point.
const LUCK: &str = "(i32.and (i32.wrap_i64 (local.get $seed)) (i32.const 1))";

/// Publishes the games, tournaments, rooms and packages of a journey.
pub struct Operator<'a> {
    mesh: &'a Mesh,
    certificates: Certificates,
}

impl<'a> Operator<'a> {
    /// The operator of the running mesh.
    pub fn of(mesh: &'a Mesh) -> Self {
        Self::with_certificate_in(mesh, mesh::edges::OPERATORS)
    }

    /// Another operator of the running mesh.
    pub fn colleague_of(mesh: &'a Mesh) -> Self {
        Self::with_certificate_in(mesh, "colleague")
    }

    fn with_certificate_in(mesh: &'a Mesh, name: &str) -> Self {
        let folder = Process::find(mesh, "gateway").environment("TLS_DIR");
        let folder = folder.expect("a process of the mesh");
        let own = Path::new(&folder).with_file_name(name);
        let certificates = Certificates::load(&own, mesh::edges::OPERATORS);
        Self { mesh, certificates: certificates.expect("an operator's certificate") }
    }

    /// Applies a game under this key whose runs are live: each tick with input 1 scores a point. Returns
    /// its id.
    pub async fn apply_counter_game(&self, key: &str) -> String {
        self.apply_game(key, &COUNTER.replace(LUCK, "(i32.const 0)")).await
    }

    /// Applies a game under this key whose pieces last ten seconds, with a tick a second. Returns its id.
    pub async fn apply_slow_game(&self, key: &str) -> String {
        self.apply_game(key, &COUNTER.replace("i32.const 60)", "i32.const 1)")).await
    }

    async fn apply_game(&self, key: &str, rules: &str) -> String {
        let rules = wat::parse_str(rules).expect("a module");
        let game = GameManifest {
            key: key.to_owned(),
            name: key.to_owned(),
            package_id: format!("co.playon.{key}"),
            description: "Twenty ticks".to_owned(),
            game_icon: "/mark.svg".to_owned(),
            levels: 1,
            prize_class: PrizeClass::Reflex.into(),
            rules_sha256: hex::encode(Sha256::digest(&rules)),
            ..GameManifest::default()
        };
        let games = Process::find(self.mesh, "svc-games");
        let mut client =
            CatalogueAdminServiceClient::new(games.upstream_with("svc-games", &self.certificates));
        let request = ApplyGameRequest { game: Some(game), rules, dry_run: false };
        client.apply_game(request).await.expect("a game that is applied");
        id_of(&self.mesh.get("/games/list").await.ok(), key)
    }

    /// Applies a tournament; returns its id.
    pub async fn apply_tournament(&self, tournament: TournamentManifest) -> String {
        let service = Process::find(self.mesh, "svc-tournament");
        let mut client = TournamentAdminServiceClient::new(
            service.upstream_with("svc-tournament", &self.certificates),
        );
        let name = tournament.name.clone();
        let request = ApplyTournamentRequest { tournament: Some(tournament), dry_run: false };
        client.apply_tournament(request).await.expect("a tournament that is applied");
        id_of(&self.mesh.get("/tournaments").await.ok(), &name)
    }

    /// The money that is reserved for the awards of a tournament, and not paid yet; `None` once there
    /// is none.
    pub async fn reserved(&self, key: &str) -> Option<Money> {
        let reply = self.money().get_promotions(GetPromotionsRequest {}).await;
        let open = reply.expect("the promotions account").into_inner().reservations;
        let open = open.into_iter().find(|one| one.purpose == key)?;
        Money::from(open.amount?).checked_sub(open.paid?.into())
    }

    /// The open break of a payment that the database has lost; `None` while there is none, or
    /// svc-wallet does not answer.
    pub async fn lost_payment(&self) -> Option<Break> {
        let reply = self.money().list_breaks(ListBreaksRequest::default()).await.ok()?;
        reply.into_inner().breaks.into_iter().find(|one| one.kind == "LOST")
    }

    /// Notes how a break was resolved.
    pub async fn resolve_break(&self, id: &str, resolution: &str) {
        let (break_id, resolution) = (id.to_owned(), resolution.to_owned());
        let reply = self.money().resolve_break(ResolveBreakRequest { break_id, resolution }).await;
        reply.expect("a break that is resolved");
    }

    /// Requests that payouts are resumed; returns why they are still paused.
    pub async fn resume_payouts(&self, reason: &str) -> Vec<String> {
        let request = ResumePayoutsRequest { reason: reason.to_owned() };
        let reply = self.money().resume_payouts(request).await;
        reply.expect("no lost payment").into_inner().pause.expect("the pause").causes
    }

    fn money(&self) -> MoneyOperationsServiceClient<Upstream> {
        let wallet = Process::find(self.mesh, "svc-wallet");
        MoneyOperationsServiceClient::new(wallet.upstream_with("svc-wallet", &self.certificates))
    }

    /// Opens a chat room under this `chatRoomUid`.
    pub async fn apply_room(&self, uid: &str) {
        let service = Process::find(self.mesh, "svc-chat");
        let mut client =
            ChatAdminServiceClient::new(service.upstream_with("svc-chat", &self.certificates));
        let room = ChatRoomManifest {
            key: uid.to_owned(),
            name: uid.to_owned(),
            icon: "/mark.svg".to_owned(),
            game: String::new(),
        };
        let request = ApplyChatRoomRequest { room: Some(room), dry_run: false };
        client.apply_chat_room(request).await.expect("a room that is applied");
    }

    /// Applies a package for a day, such as `Bronze`; returns its id.
    pub async fn apply_package(&self, name: &str, shillings: i64) -> String {
        let service = Process::find(self.mesh, "svc-wallet");
        let mut client =
            WalletAdminServiceClient::new(service.upstream_with("svc-wallet", &self.certificates));
        let package = SubscriptionPackageManifest {
            key: name.to_lowercase(),
            name: name.to_owned(),
            description: format!("A day of {name}"),
            amount: Some(Cents { cents: shillings * 100 }),
            ..SubscriptionPackageManifest::default()
        };
        let request = ApplySubscriptionPackageRequest { package: Some(package), dry_run: false };
        client.apply_subscription_package(request).await.expect("a package that is applied");
        id_of(&self.mesh.get("/subscription-packages/list").await.ok(), name)
    }
}

/// The id of the list's item with this name.
fn id_of(list: &Value, name: &str) -> String {
    let list = list.as_array().expect("a list");
    let found = list.iter().find(|each| each["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {list:?}"));
    found["id"].as_str().expect("an id").to_owned()
}
