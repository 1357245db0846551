//! What a service stores about a player: the records that svc-auth collects for the player's copy.

use anyhow::Context as _;
use futures_util::{
    TryStreamExt as _,
    future::BoxFuture,
    stream::{self, BoxStream, StreamExt as _},
};
use proto::privacy::v1::{
    ListPlayerDataRequest, ListPlayerDataResponse,
    player_data_service_client::PlayerDataServiceClient,
    player_data_service_server::{PlayerDataService, PlayerDataServiceServer},
};
use tonic::{Request, Response, Status};
use types::PlayerId;

use crate::{Fault, grpc::client::Upstream};

/// A record about a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRecord {
    /// The name of the records of one kind, such as `messages`.
    pub section: String,
    /// A JSON object.
    pub record: String,
}

/// The records of a service, one section after the other.
pub type ListedRecords<'a> = BoxFuture<'a, Result<Vec<PlayerRecord>, Status>>;

/// The RPC service `PlayerDataService` of a service of the mesh, whose use cases have the
/// dependencies `Cx`.
pub struct PlayerData<Cx> {
    cx: Cx,
    list: for<'a> fn(&'a Cx, PlayerId) -> ListedRecords<'a>,
}

impl<Cx: Send + Sync + 'static> PlayerData<Cx> {
    /// Serves the records that a use case reads.
    pub fn server(
        cx: Cx,
        list: for<'a> fn(&'a Cx, PlayerId) -> ListedRecords<'a>,
    ) -> PlayerDataServiceServer<Self> {
        PlayerDataServiceServer::new(Self { cx, list })
    }
}

#[tonic::async_trait]
impl<Cx: Send + Sync + 'static> PlayerDataService for PlayerData<Cx> {
    type ListPlayerDataStream = BoxStream<'static, Result<ListPlayerDataResponse, Status>>;

    async fn list_player_data(
        &self,
        request: Request<ListPlayerDataRequest>,
    ) -> Result<Response<Self::ListPlayerDataStream>, Status> {
        let player = PlayerId::parse(&request.into_inner().player_id)
            .map_err(|_| Fault::invalid_field("player_id", "PLAYER_ID_MALFORMED"))?;
        let records = (self.list)(&self.cx, player).await?;
        let replies = records
            .into_iter()
            .map(|PlayerRecord { section, record }| Ok(ListPlayerDataResponse { section, record }));
        Ok(Response::new(stream::iter(replies).boxed()))
    }
}

/// Reads a service's records about a player.
///
/// # Errors
///
/// The service's error.
pub async fn list_player_data(
    service: Upstream,
    player: PlayerId,
) -> anyhow::Result<Vec<PlayerRecord>> {
    let request = ListPlayerDataRequest { player_id: player.to_string() };
    let replies = PlayerDataServiceClient::new(service).list_player_data(request).await?;
    let records = replies
        .into_inner()
        .map_ok(|ListPlayerDataResponse { section, record }| PlayerRecord { section, record });
    records.try_collect().await.context("the records about a player")
}
