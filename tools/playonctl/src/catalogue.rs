//! The admin RPCs of the services that own the content.

use std::path::Path;

use anyhow::Context as _;
use mesh::{
    edges::OPERATORS,
    grpc::client::{Outgoing, connect_untraced},
    tls::Certificates,
};
use proto::games::v1::{
    ApplyEventRequest, ApplyGameRequest, ApplyTvItemRequest, Change, DeleteContentRequest,
    ListContentRequest, catalogue_admin_service_client::CatalogueAdminServiceClient,
};
use tonic::{Code, Status};
use types::Rng;

use crate::manifest::{Item, Kind};

/// 1,000 of each kind, with their longest descriptions.
const LARGEST_LIST: usize = 32 << 20;

/// What operators published, over a connection in an operator's name.
#[derive(Clone)]
pub struct Catalogue {
    games: CatalogueAdminServiceClient<Outgoing>,
}

impl Catalogue {
    /// Connects to svc-games with the operator's certificate in a folder.
    pub fn connect(games_url: &str, tls_dir: &Path) -> anyhow::Result<Self> {
        let certificates = Certificates::load(tls_dir, OPERATORS).with_context(|| {
            format!("no certificate of an operator in {} (--tls-dir)", tls_dir.display())
        })?;
        let games = connect_untraced(games_url, "svc-games", certificates, Rng::system())
            .context("the URL of svc-games (--games-url)")?;
        Ok(Self::of(games))
    }

    /// Over a connection that exists.
    pub fn of(games: Outgoing) -> Self {
        let games = CatalogueAdminServiceClient::new(games);
        Self { games: games.max_decoding_message_size(LARGEST_LIST) }
    }

    /// All items, by kind and id.
    pub async fn items(&self) -> anyhow::Result<Vec<Item>> {
        let listed = self.games.clone().list_content(ListContentRequest {}).await;
        let content = listed.map_err(|status| failure(&status))?.into_inner();
        let games = content.games.into_iter().map(Item::Game);
        let events = content.events.into_iter().map(Item::Event);
        let items = content.items.into_iter().map(Item::TvItem);
        Ok(games.chain(events).chain(items).collect())
    }

    /// Creates or changes an item. An empty `rules` keeps the module that the item names.
    pub(crate) async fn apply(
        &self,
        item: Item,
        rules: Vec<u8>,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let mut games = self.games.clone();
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
        })
    }

    /// Removes an item; false when there was none.
    pub async fn delete(&self, kind: Kind, id: &str, dry_run: bool) -> anyhow::Result<bool> {
        let request = DeleteContentRequest {
            kind: proto::games::v1::ContentKind::from(kind).into(),
            key: id.to_owned(),
            dry_run,
        };
        let deleted = self.games.clone().delete_content(request).await;
        let change = deleted.map_err(|status| failure(&status))?.into_inner().change();
        Ok(change == Change::Deleted)
    }
}

/// A failure that is not about one document.
pub(crate) fn failure(status: &Status) -> anyhow::Error {
    match status.code() {
        Code::Unavailable | Code::DeadlineExceeded => anyhow::anyhow!(
            "svc-games cannot be reached: is it up at --games-url, and is the certificate in \
             --tls-dir from its authority?"
        ),
        Code::PermissionDenied => anyhow::anyhow!("the certificate in --tls-dir names no operator"),
        code => anyhow::anyhow!("svc-games: {code}: {}", status.message()),
    }
}
