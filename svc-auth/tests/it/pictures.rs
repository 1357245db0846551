//! Profile pictures.

use mesh::Fault;
use proto::auth::v1::{
    FindUnusedPicturesRequest, Session, SetProfilePictureRequest, SetProfilePictureResponse,
};
use tonic::Code;

use crate::harness::{Service, fault, with_bearer};

async fn set(
    auth: &Service,
    session: &Session,
    url: &str,
) -> Result<SetProfilePictureResponse, Fault> {
    let request = SetProfilePictureRequest { url: url.to_owned() };
    let request = with_bearer(request, &session.access_token);
    Ok(auth.players.clone().set_profile_picture(request).await.map_err(fault)?.into_inner())
}

async fn unused(auth: &Service, urls: Vec<String>) -> Result<Vec<String>, Fault> {
    let request = FindUnusedPicturesRequest { urls };
    let reply = auth.pictures.clone().find_unused_pictures(request).await.map_err(fault)?;
    Ok(reply.into_inner().urls)
}

/// A path as the media store makes it.
fn picture(session: &Session, template: &str) -> String {
    format!("/media/profile/{}/{}.jpg", session.uid, template.repeat(22))
}

#[tokio::test]
async fn a_new_picture_replaces_the_old_one() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let (first, second) = (picture(&session, "a"), picture(&session, "b"));
    let reply = set(&auth, &session, &first).await.unwrap();
    assert_eq!(reply.replaced_url, None);
    assert_eq!(reply.profile.unwrap().profile_pic.as_ref(), Some(&first));
    let reply = set(&auth, &session, &second).await.unwrap();
    assert_eq!(reply.replaced_url, Some(first));
    let read = auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    assert_eq!(read.profile_pic, Some(second));
}

/// The gateway deletes the replaced picture, so it must never be the current one.
#[tokio::test]
async fn setting_the_same_picture_again_replaces_none() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let url = picture(&session, "a");
    for _ in 0..2 {
        assert_eq!(set(&auth, &session, &url).await.unwrap().replaced_url, None);
    }
}

#[tokio::test]
async fn a_picture_of_another_upload_is_refused() {
    let auth = Service::start().await;
    let (session, other) = (auth.player("wanjiru").await, auth.player("kamau").await);
    for url in [
        picture(&other, "a"),
        format!("https://tracker.example{}", picture(&session, "a")),
        picture(&session, "a").replace(".jpg", ".svg"),
        format!("/media/profile/{}/../{}/{}.jpg", session.uid, other.uid, "a".repeat(22)),
        "javascript:alert(1)".to_owned(),
        String::new(),
    ] {
        let fault = set(&auth, &session, &url).await.unwrap_err();
        assert_eq!((fault.code, &*fault.fields[0].name), (Code::InvalidArgument, "url"));
    }
    let guest = set(&auth, &Session::default(), &picture(&session, "a")).await;
    assert_eq!(guest.unwrap_err().code, Code::Unauthenticated);
    let read = auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    assert_eq!(read.profile_pic, None);
}

#[tokio::test]
async fn unused_pictures_are_found() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let [left, worn, never] = ["a", "b", "c"].map(|letter| picture(&session, letter));
    set(&auth, &session, &left).await.unwrap();
    set(&auth, &session, &worn).await.unwrap();
    let mut found = unused(&auth, vec![left.clone(), worn, never.clone()]).await.unwrap();
    found.sort();
    assert_eq!(found, [left, never]);
    assert_eq!(unused(&auth, vec![]).await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn more_than_a_thousand_pictures_are_refused() {
    let auth = Service::start().await;
    let urls = |count| vec!["/media/profile/x.jpg".to_owned(); count];
    assert_eq!(unused(&auth, urls(1_000)).await.unwrap().len(), 1_000);
    let fault = unused(&auth, urls(1_001)).await.unwrap_err();
    assert_eq!((fault.code, &*fault.fields[0].name), (Code::InvalidArgument, "urls"));
}
