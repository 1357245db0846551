//! What a service stores about a player: the records that svc-auth collects for the player's copy.

use std::future::{Future, ready};

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
use tokio::sync::mpsc;
use tonic::{Request, Response, Status};
use types::PlayerId;

use crate::{
    Fault,
    db::{Pool, Transaction},
    grpc::client::Upstream,
};

/// Records that are read ahead of the reader.
const AHEAD: usize = 100;

/// A record about a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRecord {
    /// The name of the records of one kind, such as `messages`.
    pub section: String,
    /// A JSON object.
    pub record: String,
}

/// Where a statement sends the records that it reads, one section after the other.
pub type Records = mpsc::Sender<PlayerRecord>;

/// Begins a transaction in which a statement may take as long as its reader: PostgreSQL counts the
/// time in which it waits for the reader, too.
///
/// # Errors
///
/// The database's error.
pub async fn begin(db: &Pool) -> sqlx::Result<Transaction> {
    let mut tx = db.begin().await?;
    sqlx::query("SELECT set_config('statement_timeout', '30s', true)").execute(&mut *tx).await?;
    Ok(tx)
}

/// Sends the rows of a statement, until the receiver is gone.
pub async fn send_rows(
    mut rows: BoxStream<'_, sqlx::Result<PlayerRecord>>,
    records: &Records,
) -> sqlx::Result<()> {
    while let Some(record) = rows.try_next().await? {
        if records.send(record).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// Returns the records that `read` sends, and its error at the end. A slow reader holds `read` up,
/// so few records are in memory.
pub fn stream_records<F, E>(
    read: impl FnOnce(Records) -> F,
) -> BoxStream<'static, Result<PlayerRecord, E>>
where
    F: Future<Output = Result<(), E>> + Send + 'static,
    E: Send + 'static,
{
    let (sender, receiver) = mpsc::channel(AHEAD);
    let records = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|record| (Ok(record), receiver))
    });
    let failure = stream::once(read(sender)).filter_map(|read| ready(read.err().map(Err)));
    stream::select(records, failure).boxed()
}

/// The RPC service `PlayerDataService` of a service of the mesh, whose use cases have the
/// dependencies `Cx`.
pub struct PlayerData<Cx> {
    cx: Cx,
    list: ListRecords<Cx>,
}

/// A use case that sends the records about a player.
type ListRecords<Cx> = fn(Cx, PlayerId, Records) -> BoxFuture<'static, Result<(), Status>>;

impl<Cx: Clone + Send + Sync + 'static> PlayerData<Cx> {
    /// Serves the records that a use case sends.
    pub fn server(cx: Cx, list: ListRecords<Cx>) -> PlayerDataServiceServer<Self> {
        PlayerDataServiceServer::new(Self { cx, list })
    }
}

#[tonic::async_trait]
impl<Cx: Clone + Send + Sync + 'static> PlayerDataService for PlayerData<Cx> {
    type ListPlayerDataStream = BoxStream<'static, Result<ListPlayerDataResponse, Status>>;

    async fn list_player_data(
        &self,
        request: Request<ListPlayerDataRequest>,
    ) -> Result<Response<Self::ListPlayerDataStream>, Status> {
        let player = PlayerId::parse(&request.into_inner().player_id)
            .map_err(|_| Fault::invalid_field("player_id", "PLAYER_ID_MALFORMED"))?;
        let records = stream_records(|records| (self.list)(self.cx.clone(), player, records));
        let replies = records
            .map_ok(|PlayerRecord { section, record }| ListPlayerDataResponse { section, record });
        Ok(Response::new(replies.boxed()))
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
) -> anyhow::Result<BoxStream<'static, anyhow::Result<PlayerRecord>>> {
    let request = ListPlayerDataRequest { player_id: player.to_string() };
    let replies = PlayerDataServiceClient::new(service).list_player_data(request).await?;
    let records = replies.into_inner().map(|reply| {
        let ListPlayerDataResponse { section, record } =
            reply.context("the records about a player")?;
        Ok(PlayerRecord { section, record })
    });
    Ok(records.boxed())
}
