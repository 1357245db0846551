//! A player's copy of what all services store about the player.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::{
    TryStreamExt as _,
    stream::{self, BoxStream, StreamExt as _},
};
use mesh::Fault;
use proto::{
    auth::v1::{
        DataCopy, DataCopyFormat, DownloadDataCopyRequest, GetDataCopyRequest, RefreshRequest,
        RequestDataCopyRequest, Session,
    },
    chat::v1::NotificationKind,
    privacy::v1::{
        ListPlayerDataRequest, ListPlayerDataResponse,
        player_data_service_server::{PlayerDataService, PlayerDataServiceServer},
    },
};
use serde_json::Value;
use testkit::Notifications;
use tonic::{Request, Response, Status, service::Routes};

use crate::{
    former_account::FormerAccounts,
    harness::{PASSWORD, Service, days, fault, with_bearer},
    world::{PHONE, World},
};

/// Stubs of the services that store data about players.
#[derive(Clone, Default)]
pub(crate) struct DataSources {
    /// The calls that fail before one succeeds.
    failures: Arc<AtomicU32>,
    calls: Arc<AtomicU32>,
    /// The stub of svc-wallet's `FormerAccountService`.
    pub(crate) former_accounts: FormerAccounts,
}

impl DataSources {
    /// Serves the stubs; returns the arguments with their URLs.
    pub(crate) async fn serve(&self, notifications: &Notifications) -> Vec<String> {
        let service = || PlayerDataServiceServer::new(self.clone());
        let chat = notifications.routes().add_service(service());
        let mut urls = vec![format!("--chat-url={}", testkit::serve("svc-chat", chat).await)];
        let wallet = Routes::new(service()).add_service(self.former_accounts.service());
        urls.push(format!("--wallet-url={}", testkit::serve("svc-wallet", wallet).await));
        for (argument, name) in [("games", "svc-games"), ("tournament", "svc-tournament")] {
            let url = testkit::serve(name, Routes::new(service())).await;
            urls.push(format!("--{argument}-url={url}"));
        }
        urls
    }
}

#[tonic::async_trait]
impl PlayerDataService for DataSources {
    type ListPlayerDataStream = BoxStream<'static, Result<ListPlayerDataResponse, Status>>;

    /// Replies with more records than are read at once.
    async fn list_player_data(
        &self,
        request: Request<ListPlayerDataRequest>,
    ) -> Result<Response<Self::ListPlayerDataStream>, Status> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let left = |left: u32| left.checked_sub(1);
        if self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left).is_ok() {
            return Err(Status::unavailable("the service is down"));
        }
        let player = request.into_inner().player_id;
        let records = (0..300).map(move |number| {
            let record = serde_json::json!({"number": number, "player": player}).to_string();
            Ok(ListPlayerDataResponse { section: "numbers".to_owned(), record })
        });
        Ok(Response::new(stream::iter(records).boxed()))
    }
}

impl Service {
    async fn request_copy(&self, session: &Session) -> Result<DataCopy, Fault> {
        let request = with_bearer(RequestDataCopyRequest {}, &session.access_token);
        let reply = self.players.clone().request_data_copy(request).await.map_err(fault)?;
        Ok(reply.into_inner().copy.unwrap())
    }

    async fn copy(&self, session: &Session) -> Option<DataCopy> {
        let request = with_bearer(GetDataCopyRequest {}, &session.access_token);
        self.players.clone().get_data_copy(request).await.unwrap().into_inner().copy
    }

    async fn complete_copy(&self, session: &Session) -> DataCopy {
        testkit::eventually("all services have replied", || async {
            self.database.advance_outbox(days(1)).await;
            self.copy(session).await.filter(|copy| copy.completed_at.is_some())
        })
        .await
    }

    async fn download(&self, session: &Session, format: DataCopyFormat) -> Result<String, Fault> {
        let request = DownloadDataCopyRequest { format: format.into() };
        let request = with_bearer(request, &session.access_token);
        let replies = self.players.clone().download_data_copy(request).await.map_err(fault)?;
        let parts: Vec<_> = replies.into_inner().try_collect().await.map_err(fault)?;
        let file = parts.into_iter().flat_map(|reply| reply.part).collect();
        Ok(String::from_utf8(file).unwrap())
    }

    async fn download_json(&self, session: &Session) -> Value {
        let file = self.download(session, DataCopyFormat::Json).await.unwrap();
        serde_json::from_str(&file).unwrap()
    }
}

/// The names of a file's sections, with the number of records of each.
fn sections(file: &Value) -> Vec<(String, usize)> {
    let sections = file["sections"].as_array().unwrap().iter();
    sections
        .map(|section| {
            let name = format!("{}/{}", section["service"], section["name"]).replace('"', "");
            (name, section["records"].as_array().unwrap().len())
        })
        .collect()
}

#[tokio::test]
async fn a_copy_has_the_records_of_all_services() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    assert_eq!(auth.copy(&player).await, None);
    let begun = auth.request_copy(&player).await.unwrap();
    assert_eq!(begun.completed_at, None);
    let complete = auth.complete_copy(&player).await;
    assert_eq!(complete.requested_at, begun.requested_at);

    let file = auth.download_json(&player).await;
    assert_eq!(file["playerId"], player.uid);
    let expected = [
        ("svc-auth/account", 1),
        ("svc-auth/sign_in_by_email", 1),
        ("svc-auth/sessions", 1),
        ("svc-auth/devices", 1),
        ("svc-wallet/numbers", 300),
        ("svc-games/numbers", 300),
        ("svc-tournament/numbers", 300),
        ("svc-chat/numbers", 300),
    ];
    let expected: Vec<_> = expected.map(|(name, records)| (name.to_owned(), records)).into();
    assert_eq!(sections(&file), expected);
    assert_eq!(file["sections"][1]["records"][0]["email"], "wanjiru@example.com");
    assert_eq!(file["sections"][7]["records"][299]["number"], 299);

    let page = auth.download(&player, DataCopyFormat::Html).await.unwrap();
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("<td>wanjiru@example.com</td>"));
    assert_eq!(page.matches("<h2>Numbers</h2>").count(), 4);
}

#[tokio::test]
async fn a_copy_has_no_secrets() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    auth.request_copy(&player).await.unwrap();
    auth.complete_copy(&player).await;
    let file = auth.download(&player, DataCopyFormat::Json).await.unwrap();
    for secret in ["argon2", "hash", &player.refresh_token, &player.device_token] {
        assert!(!file.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_player_is_notified_once_and_a_second_request_starts_nothing() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    let (one, other) = tokio::join!(auth.request_copy(&player), auth.request_copy(&player));
    assert_eq!(one.unwrap().requested_at, other.unwrap().requested_at);
    auth.complete_copy(&player).await;
    testkit::eventually("the notification is stored", || async {
        (!auth.notifications.stored().is_empty()).then_some(())
    })
    .await;
    auth.request_copy(&player).await.unwrap();
    let [notification] = &auth.notifications.stored()[..] else { panic!("one notification") };
    assert_eq!(notification.kind(), NotificationKind::DataCopyReady);
    assert_eq!(notification.player_id, player.uid);
    assert_eq!(auth.data_sources.calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn services_that_are_down_delay_a_copy_and_double_nothing() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    // The client repeats a call that failed, so that some deliveries fail and others do not.
    auth.data_sources.failures.store(20, Ordering::SeqCst);
    auth.request_copy(&player).await.unwrap();
    let early = auth.download(&player, DataCopyFormat::Json).await.unwrap_err();
    assert_eq!(early.reason, "DATA_COPY_NOT_FOUND");
    auth.complete_copy(&player).await;
    // A delivery whose end was lost comes again.
    let again = "INSERT INTO outbox (topic, id, payload, due_at, created_at)
         SELECT 'data_copy.collect', gen_random_uuid(),
             jsonb_build_object('player', $1::text, 'service', 'svc-chat'), now(), now()";
    sqlx::query(again).bind(&player.uid).execute(&auth.database.pool).await.unwrap();
    testkit::eventually("the repeat is delivered", || async {
        let waiting = "SELECT count(*) FROM outbox WHERE topic = 'data_copy.collect'";
        let waiting: i64 =
            sqlx::query_scalar(waiting).fetch_one(&auth.database.pool).await.unwrap();
        (waiting == 0).then_some(())
    })
    .await;
    let file = auth.download_json(&player).await;
    assert!(sections(&file)[4..].iter().all(|(_, records)| *records == 300), "{file}");
}

#[tokio::test]
async fn an_unconfirmed_device_gets_no_copy() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    auth.request_copy(&player).await.unwrap();
    auth.complete_copy(&player).await;
    let thief = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    for refused in [
        auth.request_copy(&thief).await.unwrap_err(),
        auth.download(&thief, DataCopyFormat::Html).await.unwrap_err(),
    ] {
        assert_eq!(refused.reason, "DEVICE_NOT_CONFIRMED");
    }
    // Another player has no copy.
    let other = auth.player("otieno").await;
    assert_eq!(auth.copy(&other).await, None);
    let refused = auth.download(&other, DataCopyFormat::Json).await.unwrap_err();
    assert_eq!(refused.reason, "DATA_COPY_NOT_FOUND");
}

#[tokio::test]
async fn a_swapped_sim_gets_no_copy_within_a_day() {
    let world = World::new().await;
    world.sign_in_with_phone(&world.auth, PHONE).await;
    world.auth.clock.advance(Duration::from_mins(5));
    let thief = world.sign_in_with_phone(&world.auth, PHONE).await;
    let refused = world.auth.request_copy(&thief).await.unwrap_err();
    assert_eq!(refused.reason, "DEVICE_TOO_NEW");
}

#[tokio::test]
async fn a_copy_is_deleted_after_a_day() {
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    auth.request_copy(&player).await.unwrap();
    auth.complete_copy(&player).await;
    auth.clock.advance(days(1));
    // The access token is older than its lifetime by now.
    let request = RefreshRequest {
        refresh_token: player.refresh_token,
        device_token: player.device_token,
        ..Default::default()
    };
    let refreshed = auth.auth.clone().refresh(request).await.unwrap();
    let player = refreshed.into_inner().session.unwrap();
    assert_eq!(auth.copy(&player).await, None);
    let refused = auth.download(&player, DataCopyFormat::Json).await.unwrap_err();
    assert_eq!(refused.reason, "DATA_COPY_NOT_FOUND");
    let another = auth.request_copy(&player).await.unwrap();
    assert_eq!(another.completed_at, None);
    auth.complete_copy(&player).await;

    // A replica sweeps when it starts.
    let later = testkit::base("svc-auth");
    later.clock.advance(days(2));
    let _replica = Service::start_on(auth.database.clone(), &[], later).await;
    testkit::eventually("no record is left", || async {
        let records = "SELECT count(*) FROM data_copy_record";
        let records: i64 =
            sqlx::query_scalar(records).fetch_one(&auth.database.pool).await.unwrap();
        (records == 0).then_some(())
    })
    .await;
}
