//! Public profiles.

use mesh::Fault;
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, FindByUsernameRequest, PublicPlayer, UpdateProfileRequest,
};
use tonic::Code;

use crate::harness::{Service, fault, with_bearer};

async fn batch(auth: &Service, bearer: &str, ids: Vec<String>) -> Result<Vec<PublicPlayer>, Fault> {
    let request = with_bearer(BatchGetPublicPlayersRequest { ids }, bearer);
    let reply = auth.directory.clone().batch_get_public_players(request).await.map_err(fault)?;
    Ok(reply.into_inner().players)
}

async fn find(auth: &Service, bearer: &str, username: &str) -> Result<String, Fault> {
    let request = with_bearer(FindByUsernameRequest { username: username.to_owned() }, bearer);
    let reply = auth.directory.clone().find_by_username(request).await.map_err(fault)?;
    Ok(reply.into_inner().id)
}

#[tokio::test]
async fn a_public_player_has_a_name_and_nothing_private() {
    let auth = Service::start().await;
    let (named, nameless) = (auth.player("wanjiru").await, auth.player("kamau").await);
    let name = UpdateProfileRequest { name: Some("Wanjirũ".to_owned()), ..Default::default() };
    auth.update(&named, name).await.unwrap();

    let unknown = "01939a3c-0000-7000-8000-000000000000".to_owned();
    let ids = vec![named.uid.clone(), nameless.uid.clone(), unknown, "not an id".to_owned()];
    let mut players = batch(&auth, &nameless.access_token, ids).await.unwrap();
    players.sort_by(|a, b| a.id.cmp(&b.id));
    let mut expected = [
        PublicPlayer {
            id: named.uid,
            username: Some("Wanjirũ".to_owned()),
            name: Some("Wanjirũ".to_owned()),
            profile_pic: None,
        },
        PublicPlayer { id: nameless.uid, username: None, name: None, profile_pic: None },
    ];
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(players, expected);
}

#[tokio::test]
async fn more_than_a_hundred_players_and_guests_are_refused() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let ids = |count| vec![session.uid.clone(); count];
    assert_eq!(batch(&auth, &session.access_token, ids(100)).await.unwrap().len(), 1);
    let fault = batch(&auth, &session.access_token, ids(101)).await.unwrap_err();
    assert_eq!((fault.code, &*fault.fields[0].name), (Code::InvalidArgument, "ids"));
    assert_eq!(batch(&auth, "", ids(1)).await.unwrap_err().code, Code::Unauthenticated);
}

#[tokio::test]
async fn a_player_is_found_by_username_without_regard_to_case() {
    let auth = Service::start().await;
    let (friend, caller) = (auth.player("wanjiru").await, auth.player("kamau").await);
    let username =
        UpdateProfileRequest { username: Some("simba".to_owned()), ..Default::default() };
    auth.update(&friend, username).await.unwrap();
    assert_eq!(find(&auth, &caller.access_token, "Simba").await.unwrap(), friend.uid);
    for unknown in ["chui", "", "no such name", "%"] {
        let fault = find(&auth, &caller.access_token, unknown).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::NotFound, "USER_NOT_FOUND"));
        assert_eq!(fault.message, "User not found");
    }
    assert_eq!(find(&auth, "", "simba").await.unwrap_err().code, Code::Unauthenticated);
}
