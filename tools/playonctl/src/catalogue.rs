//! The admin RPCs of the services that own the content.

use std::path::Path;

use mesh::grpc::client::Outgoing;
use proto::{
    chat::v1::{
        ApplyChatRoomRequest, ApplyContactSettingRequest, ChatContentKind,
        DeleteChatContentRequest, ListChatContentRequest,
        chat_admin_service_client::ChatAdminServiceClient,
    },
    games::v1::{
        ApplyEventRequest, ApplyGameRequest, ApplyTvItemRequest, ContentKind, DeleteContentRequest,
        ListContentRequest, catalogue_admin_service_client::CatalogueAdminServiceClient,
    },
    tournament::v1::{
        ApplyTournamentRequest, DeleteTournamentRequest, ListTournamentManifestsRequest,
        tournament_admin_service_client::TournamentAdminServiceClient,
    },
    types::v1::Change,
    wallet::v1::{
        ApplyPaymentMethodRequest, ApplySubscriptionPackageRequest, DeleteWalletContentRequest,
        ListWalletContentRequest, WalletContentKind,
        wallet_admin_service_client::WalletAdminServiceClient,
    },
};
use strum::IntoEnumIterator as _;
use tonic::Status;

use crate::{
    manifest::{Item, Kind},
    service::{self, PerService, Service},
};

/// Largest list, in bytes: 1,000 items of each kind, with their longest descriptions.
const LARGEST_LIST: usize = 32 << 20;

/// The content that operators published, over connections in an operator's name.
#[derive(Clone)]
pub struct Catalogue {
    games: CatalogueAdminServiceClient<Outgoing>,
    tournaments: TournamentAdminServiceClient<Outgoing>,
    chat: ChatAdminServiceClient<Outgoing>,
    wallet: WalletAdminServiceClient<Outgoing>,
}

impl Catalogue {
    /// Connects to the services with the operator's certificate in a folder.
    pub fn connect(urls: &PerService<String>, tls_dir: &Path) -> anyhow::Result<Self> {
        let connect = |service: Service| {
            service::connect(service.package(), service.flag(), urls.of(service), tls_dir)
        };
        Ok(Self::of(PerService {
            games: connect(Service::Games)?,
            tournament: connect(Service::Tournament)?,
            chat: connect(Service::Chat)?,
            wallet: connect(Service::Wallet)?,
        }))
    }

    /// Creates a catalogue over existing connections.
    pub fn of(connections: PerService<Outgoing>) -> Self {
        let PerService { games, tournament, chat, wallet } = connections;
        let most = LARGEST_LIST;
        Self {
            games: CatalogueAdminServiceClient::new(games).max_decoding_message_size(most),
            tournaments: TournamentAdminServiceClient::new(tournament)
                .max_decoding_message_size(most),
            chat: ChatAdminServiceClient::new(chat).max_decoding_message_size(most),
            wallet: WalletAdminServiceClient::new(wallet).max_decoding_message_size(most),
        }
    }

    /// All items, by kind and id.
    pub async fn items(&self) -> anyhow::Result<Vec<Item>> {
        self.items_of(Service::iter()).await
    }

    /// The items of some services, by kind and id.
    pub(crate) async fn items_of(
        &self,
        services: impl IntoIterator<Item = Service>,
    ) -> anyhow::Result<Vec<Item>> {
        let mut items = Vec::new();
        for service in services {
            let listed = match service {
                Service::Games => self.games().await,
                Service::Tournament => self.tournaments().await,
                Service::Chat => self.chat().await,
                Service::Wallet => self.wallet().await,
            };
            items.extend(listed.map_err(|status| service.failure(&status))?);
        }
        Ok(items)
    }

    async fn games(&self) -> Result<Vec<Item>, Status> {
        let content = self.games.clone().list_content(ListContentRequest {}).await?.into_inner();
        let games = content.games.into_iter().map(Item::Game);
        let events = content.events.into_iter().map(Item::Event);
        Ok(games.chain(events).chain(content.items.into_iter().map(Item::TvItem)).collect())
    }

    /// All tournaments. There are many in the course of years, so they come in pages.
    async fn tournaments(&self) -> Result<Vec<Item>, Status> {
        let mut items: Vec<Item> = Vec::new();
        loop {
            let after_key = items.last().map(|item| item.id().to_owned()).unwrap_or_default();
            let request = ListTournamentManifestsRequest { page_size: 0, after_key };
            let page = self.tournaments.clone().list_tournament_manifests(request).await?;
            let page = page.into_inner().tournaments;
            if page.is_empty() {
                return Ok(items);
            }
            items.extend(page.into_iter().map(Item::Tournament));
        }
    }

    async fn chat(&self) -> Result<Vec<Item>, Status> {
        let content = self.chat.clone().list_chat_content(ListChatContentRequest {}).await?;
        let content = content.into_inner();
        let rooms = content.rooms.into_iter().map(Item::ChatRoom);
        Ok(rooms.chain(content.settings.into_iter().map(Item::ContactSetting)).collect())
    }

    async fn wallet(&self) -> Result<Vec<Item>, Status> {
        let content = self.wallet.clone().list_wallet_content(ListWalletContentRequest {}).await?;
        let content = content.into_inner();
        let packages = content.packages.into_iter().map(Item::SubscriptionPackage);
        Ok(packages.chain(content.methods.into_iter().map(Item::PaymentMethod)).collect())
    }

    /// Creates or changes an item. An empty `rules` keeps the module that the item names.
    pub(crate) async fn apply(
        &self,
        item: Item,
        rules: Vec<u8>,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let Self { mut games, mut tournaments, mut chat, mut wallet } = self.clone();
        Ok(match item {
            Item::Game(game) => {
                let request = ApplyGameRequest { game: Some(game), rules, dry_run };
                games.apply_game(request).await?.into_inner().change()
            }
            Item::Event(event) => {
                let request = ApplyEventRequest { event: Some(event), dry_run };
                games.apply_event(request).await?.into_inner().change()
            }
            Item::TvItem(item) => {
                let request = ApplyTvItemRequest { item: Some(item), dry_run };
                games.apply_tv_item(request).await?.into_inner().change()
            }
            Item::Tournament(tournament) => {
                let request = ApplyTournamentRequest { tournament: Some(tournament), dry_run };
                tournaments.apply_tournament(request).await?.into_inner().change()
            }
            Item::ChatRoom(room) => {
                let request = ApplyChatRoomRequest { room: Some(room), dry_run };
                chat.apply_chat_room(request).await?.into_inner().change()
            }
            Item::ContactSetting(setting) => {
                let request = ApplyContactSettingRequest { setting: Some(setting), dry_run };
                chat.apply_contact_setting(request).await?.into_inner().change()
            }
            Item::SubscriptionPackage(package) => {
                let request = ApplySubscriptionPackageRequest { package: Some(package), dry_run };
                wallet.apply_subscription_package(request).await?.into_inner().change()
            }
            Item::PaymentMethod(method) => {
                let request = ApplyPaymentMethodRequest { method: Some(method), dry_run };
                wallet.apply_payment_method(request).await?.into_inner().change()
            }
        })
    }

    /// Removes an item; false when there was none.
    pub async fn delete(&self, kind: Kind, id: &str, dry_run: bool) -> anyhow::Result<bool> {
        let key = id.to_owned();
        let change = match kind {
            Kind::Game => self.delete_game_content(ContentKind::Game, key, dry_run).await,
            Kind::Event => self.delete_game_content(ContentKind::Event, key, dry_run).await,
            Kind::TvItem => self.delete_game_content(ContentKind::TvItem, key, dry_run).await,
            Kind::Tournament => self.delete_tournament(key, dry_run).await,
            Kind::ChatRoom => self.delete_chat_content(ChatContentKind::Room, key, dry_run).await,
            Kind::ContactSetting => {
                self.delete_chat_content(ChatContentKind::ContactSetting, key, dry_run).await
            }
            Kind::SubscriptionPackage => {
                let kind = WalletContentKind::SubscriptionPackage;
                self.delete_wallet_content(kind, key, dry_run).await
            }
            Kind::PaymentMethod => {
                self.delete_wallet_content(WalletContentKind::PaymentMethod, key, dry_run).await
            }
        };
        Ok(change.map_err(|status| kind.service().failure(&status))? == Change::Deleted)
    }

    async fn delete_game_content(
        &self,
        kind: ContentKind,
        key: String,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let request = DeleteContentRequest { kind: kind.into(), key, dry_run };
        Ok(self.games.clone().delete_content(request).await?.into_inner().change())
    }

    async fn delete_tournament(&self, key: String, dry_run: bool) -> Result<Change, Status> {
        let request = DeleteTournamentRequest { key, dry_run };
        Ok(self.tournaments.clone().delete_tournament(request).await?.into_inner().change())
    }

    async fn delete_chat_content(
        &self,
        kind: ChatContentKind,
        key: String,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let request = DeleteChatContentRequest { kind: kind.into(), key, dry_run };
        Ok(self.chat.clone().delete_chat_content(request).await?.into_inner().change())
    }

    async fn delete_wallet_content(
        &self,
        kind: WalletContentKind,
        key: String,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let request = DeleteWalletContentRequest { kind: kind.into(), key, dry_run };
        Ok(self.wallet.clone().delete_wallet_content(request).await?.into_inner().change())
    }
}
