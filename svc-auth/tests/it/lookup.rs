//! The lookup of players for other services.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::Fault;
use proto::auth::v1::{
    BatchLookUpPlayersRequest, ErasedPlayer, ListErasedPlayersRequest, ListOpenSessionsRequest,
    PlayerNames, Session, UpdateProfileRequest, erasure_service_client::ErasureServiceClient,
    player_lookup_service_client::PlayerLookupServiceClient,
};
use tonic::Code;

use crate::{
    deletion::delete,
    harness::{PASSWORD, Service, connect, days, fault},
};

async fn look_up_as(
    auth: &Service,
    caller: &'static str,
    usernames: &[&str],
    ids: Vec<String>,
) -> Result<Vec<PlayerNames>, Fault> {
    let usernames = usernames.iter().map(|&username| username.to_owned()).collect();
    let mut client = PlayerLookupServiceClient::new(auth.connect_service(caller));
    let request = BatchLookUpPlayersRequest { usernames, ids };
    let reply = client.batch_look_up_players(request).await.map_err(fault)?;
    let mut players = reply.into_inner().players;
    players.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(players)
}

async fn look_up(
    auth: &Service,
    usernames: &[&str],
    ids: Vec<String>,
) -> Result<Vec<PlayerNames>, Fault> {
    look_up_as(auth, "svc-chat", usernames, ids).await
}

/// A player with a username.
async fn named(auth: &Service, username: &str) -> Session {
    let session = auth.player(username).await;
    let username = Some(username.to_owned());
    auth.update(&session, UpdateProfileRequest { username, ..Default::default() }).await.unwrap();
    session
}

#[tokio::test]
async fn players_are_found_by_username_and_by_id_once_each() {
    let auth = Service::start().await;
    let (amina, juma) = (named(&auth, "amina").await, named(&auth, "juma").await);
    let nameless = auth.player("kamau").await;
    let name = UpdateProfileRequest { name: Some("Kamau".into()), ..Default::default() };
    auth.update(&nameless, name).await.unwrap();

    let usernames = ["Amina", "juma", "nobody", "no such name", "%"];
    let ids = vec![nameless.uid.clone(), amina.uid.clone(), "not an id".into()];
    let found = look_up(&auth, &usernames, ids).await.unwrap();

    let of = |session: &Session, username: &str| PlayerNames {
        id: session.uid.clone(),
        username: Some(username.to_owned()),
        name: None,
    };
    let kamau = PlayerNames { id: nameless.uid, username: None, name: Some("Kamau".into()) };
    let mut expected = vec![of(&amina, "amina"), of(&juma, "juma"), kamau];
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(found, expected);
    assert_eq!(look_up(&auth, &[], vec![]).await.unwrap(), vec![]);
}

#[tokio::test]
async fn a_leaving_player_is_not_found() {
    let auth = Service::start().await;
    let session = named(&auth, "amina").await;
    delete(&auth, &session).await.unwrap();
    assert_eq!(look_up(&auth, &["amina"], vec![session.uid]).await.unwrap(), vec![]);
}

#[tokio::test]
async fn only_svc_chat_looks_players_up_and_at_most_a_hundred() {
    let auth = Service::start().await;
    for caller in ["gateway", "svc-wallet", "svc-games", "svc-tournament"] {
        let refused = look_up_as(&auth, caller, &["amina"], vec![]).await.unwrap_err();
        assert_eq!(refused.code, Code::PermissionDenied, "{caller}");
    }
    let ids = |count| vec!["01939a3c-0000-7000-8000-000000000000".to_owned(); count];
    assert_eq!(look_up(&auth, &["amina"; 60], ids(40)).await.unwrap(), vec![]);
    let fault = look_up(&auth, &["amina"; 60], ids(41)).await.unwrap_err();
    assert_eq!((fault.code, &*fault.fields[0].name), (Code::InvalidArgument, "usernames"));
}

/// The id of a session, as services read it in its access token.
fn id_of(session: &Session) -> String {
    let claims = session.access_token.split('.').nth(1).unwrap();
    let claims: serde_json::Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    claims["sid"].as_str().unwrap().to_owned()
}

async fn open_among(auth: &Service, session_ids: Vec<String>) -> Result<Vec<String>, Fault> {
    let mut client = PlayerLookupServiceClient::new(auth.connect_service("svc-chat"));
    let reply = client.list_open_sessions(ListOpenSessionsRequest { session_ids }).await;
    Ok(reply.map_err(fault)?.into_inner().session_ids)
}

#[tokio::test]
async fn a_session_is_open_until_it_is_ended_or_expires() {
    let auth = Service::start().await;
    let phone = auth.player("wanjiru").await;
    let laptop = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    let asked = vec![id_of(&phone), id_of(&laptop), "no id".into(), phone.uid.clone()];
    let mut open = open_among(&auth, asked.clone()).await.unwrap();
    open.sort();
    let mut both = asked[..2].to_vec();
    both.sort();
    assert_eq!(open, both);

    auth.sign_out(&phone.access_token, &phone.refresh_token).await.unwrap();
    assert_eq!(open_among(&auth, asked.clone()).await.unwrap(), [id_of(&laptop)]);
    auth.clock.advance(days(31));
    assert_eq!(open_among(&auth, asked).await.unwrap(), Vec::<String>::new());
    let refused = open_among(&auth, vec![phone.uid; 101]).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidArgument);
}

async fn erased_after(
    auth: &Service,
    after: Option<ErasedPlayer>,
) -> Result<Vec<ErasedPlayer>, Fault> {
    let mut client = ErasureServiceClient::new(auth.connect_service("svc-chat"));
    let reply = client.list_erased_players(ListErasedPlayersRequest { after }).await;
    Ok(reply.map_err(fault)?.into_inner().players)
}

/// Inserts players without names who were erased `minutes` ago.
async fn insert_erased(auth: &Service, count: i32, minutes: u64) {
    sqlx::query(
        "INSERT INTO player (id, referral_code, deletion_due_at, erased_at, created_at, updated_at)
         SELECT gen_random_uuid(), upper(substr(md5(n::text || $2), 1, 8)), $2, $2, $2, $2
         FROM generate_series(1, $1) AS n",
    )
    .bind(count)
    .bind(auth.clock.now() - Duration::from_mins(minutes))
    .execute(&mut connect(&auth.database).await)
    .await
    .unwrap();
}

#[tokio::test]
async fn erased_players_are_listed_in_their_order_once_they_are_an_hour_old() {
    let auth = Service::start().await;
    let leaving = auth.player("wanjiru").await;
    delete(&auth, &leaving).await.unwrap();
    insert_erased(&auth, 120, 90).await;
    insert_erased(&auth, 3, 61).await;
    insert_erased(&auth, 5, 59).await;

    let mut all = Vec::new();
    loop {
        let page = erased_after(&auth, all.last().cloned()).await.unwrap();
        assert!(page.len() <= 100);
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    assert_eq!(all.len(), 123, "neither one who is leaving nor the newest");
    let order = |player: &ErasedPlayer| (player.erased_at.unwrap().seconds, player.id.clone());
    assert!(all.is_sorted_by_key(order), "the oldest first");
    auth.clock.advance(Duration::from_mins(1));
    assert_eq!(erased_after(&auth, all.pop()).await.unwrap().len(), 5);

    let no_one = ErasedPlayer { id: "no id".into(), ..ErasedPlayer::default() };
    let refused = erased_after(&auth, Some(no_one)).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidArgument);
}
