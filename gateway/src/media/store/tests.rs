use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Method, StatusCode};
use types::{Clock, PlayerId, Rng};

use super::*;

/// The part of S3's protocol that a store needs, in memory.
#[derive(Clone, Default)]
struct S3(Arc<Mutex<BTreeMap<String, Bytes>>>);

impl S3 {
    fn objects(&self) -> MutexGuard<'_, BTreeMap<String, Bytes>> {
        self.0.lock().unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "it dies with the test's runtime")]
    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    fn list(&self, prefix: &str) -> String {
        let objects = self.objects();
        let contents = objects.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(key, body)| {
            format!(
                "<Contents><Key>{key}</Key><Size>{}</Size>\
                 <LastModified>2026-11-19T08:59:59.000Z</LastModified><ETag>\"x\"</ETag></Contents>",
                body.len()
            )
        });
        let contents: String = contents.collect();
        format!("<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>")
    }

    fn delete(&self, request: &str) -> String {
        let keys = request.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next());
        let deleted = keys.map(|key| {
            self.objects().remove(key);
            format!("<Deleted><Key>{key}</Key></Deleted>")
        });
        format!("<DeleteResult>{}</DeleteResult>", deleted.collect::<String>())
    }
}

async fn answer(State(s3): State<S3>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let authorization = head.headers.get("authorization").and_then(|line| line.to_str().ok());
    if !authorization.is_some_and(|line| line.starts_with("AWS4-HMAC-SHA256 Credential=key/")) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let key = head.uri.path().trim_start_matches("/bucket").trim_start_matches('/').to_owned();
    let query = head.uri.query().unwrap_or_default();
    let about = [("etag", "\"x\""), ("last-modified", "Thu, 19 Nov 2026 08:59:59 GMT")];
    match head.method {
        Method::GET if key.is_empty() => {
            let prefix = query.split("prefix=").nth(1).unwrap_or_default();
            s3.list(&prefix.replace("%2F", "/")).into_response()
        }
        Method::POST if key.is_empty() => {
            s3.delete(std::str::from_utf8(&body).unwrap()).into_response()
        }
        Method::PUT => {
            s3.objects().insert(key, body);
            about.into_response()
        }
        Method::DELETE => {
            s3.objects().remove(&key);
            StatusCode::NO_CONTENT.into_response()
        }
        Method::GET | Method::HEAD => match s3.objects().get(&key) {
            Some(object) => (about, part(object, &head.headers)).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        _ => StatusCode::NOT_IMPLEMENTED.into_response(),
    }
}

fn part(object: &Bytes, headers: &HeaderMap) -> Response {
    let Some(range) = headers.get("range").and_then(|range| range.to_str().ok()) else {
        return object.clone().into_response();
    };
    let (first, last) = range.trim_start_matches("bytes=").split_once('-').unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let content_range = format!("bytes {first}-{last}/{}", object.len());
    let part = object.slice(first..=last);
    (StatusCode::PARTIAL_CONTENT, [("content-range", content_range)], part).into_response()
}

async fn s3() -> (S3, MediaStore) {
    let s3 = S3::default();
    let builder = AmazonS3Builder::new()
        .with_endpoint(s3.serve().await)
        .with_allow_http(true)
        .with_region("af-south-1")
        .with_access_key_id("key")
        .with_secret_access_key("secret")
        .with_bucket_name("bucket");
    (s3, MediaStore::s3(builder, "play/on").unwrap())
}

async fn content(store: &MediaStore, path: &MediaPath, part: Option<Range<u64>>) -> Option<Bytes> {
    Some(store.read(path, part).await.unwrap()?.bytes().await.unwrap())
}

/// Checks what every kind of store does.
async fn stores_finds_lists_and_deletes(store: &MediaStore) {
    let rng = Rng::system();
    let path = MediaPath::picture(PlayerId::generate(&Clock::system(), &rng), &rng);
    assert!(store.find(&path).await.unwrap().is_none());
    assert!(store.read(&path, None).await.unwrap().is_none());
    store.put(&path, Bytes::from_static(b"0123456789")).await.unwrap();
    assert_eq!(store.find(&path).await.unwrap().unwrap().size, 10);
    assert_eq!(content(store, &path, None).await.unwrap(), "0123456789");
    assert_eq!(content(store, &path, Some(2..5)).await.unwrap(), "234");

    let other = MediaPath::generate(Shelf::Chat, path.owner, path.kind, &rng);
    store.put(&other, Bytes::from_static(b"else")).await.unwrap();
    let listed: Vec<_> = store.list(Shelf::Profile).try_collect().await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|(path, _)| path).collect();
    assert_eq!(listed, std::slice::from_ref(&path));

    store.delete(&path).await.unwrap();
    store.delete(&path).await.unwrap();
    assert!(store.find(&path).await.unwrap().is_none());
    assert!(store.find(&other).await.unwrap().is_some());
}

#[tokio::test]
async fn a_folder_stores_media() {
    let id = Rng::system().uuid_v7(Clock::system().now());
    let folder = std::env::temp_dir().join(format!("playon-store-{id}"));
    let store = MediaStore::open(&MediaUrl::Folder(folder.clone())).unwrap();
    stores_finds_lists_and_deletes(&store).await;
    fs::write(folder.join("profile-of-no-player"), "no name of ours").unwrap();
    assert_eq!(store.list(Shelf::Profile).count().await, 0);
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn an_s3_bucket_stores_media_under_its_prefix() {
    let (s3, store) = s3().await;
    stores_finds_lists_and_deletes(&store).await;
    let keys: Vec<_> = s3.objects().keys().cloned().collect();
    assert!(keys.len() == 1 && keys[0].starts_with("play/on/chat/"), "{keys:?}");
}

#[tokio::test]
async fn an_error_names_the_folder_that_cannot_be_created() {
    let url = MediaUrl::Folder("/proc/no/such/place".into());
    let error = format!("{:#}", MediaStore::open(&url).unwrap_err());
    assert!(error.contains("file:///proc/no/such/place"), "{error}");
}
