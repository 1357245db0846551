//! Uploads.

use std::{convert::Infallible, fs, io::Cursor, time::Duration};

use axum::body::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use image::{ImageFormat, Rgb, RgbImage};
use mesh::Fault;
use proto::auth::v1::SetProfilePictureRequest;
use reqwest::{
    RequestBuilder,
    multipart::{Form, Part},
};
use tokio::sync::oneshot;
use tokio_stream::StreamExt as _;
use types::PlayerId;

use crate::world::{Answer, World, read};

pub(crate) const CHAT_LIMIT: usize = 15_728_640;
const TOO_LARGE: &str = "File size cannot exceed 10MB";

pub(crate) fn png(colour: [u8; 3]) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    RgbImage::from_pixel(64, 48, Rgb(colour)).write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner()
}

pub(crate) fn jpeg_of(size: usize) -> Vec<u8> {
    let mut jpeg = vec![0; size];
    jpeg[..4].copy_from_slice(b"\xff\xd8\xff\xe0");
    jpeg
}

pub(crate) struct Uploader<'a> {
    world: &'a World,
    pub(crate) id: PlayerId,
    token: String,
}

impl<'a> Uploader<'a> {
    pub(crate) fn of(world: &'a World) -> Self {
        let (id, token) = world.tokens.player();
        Self { world, id, token }
    }

    pub(crate) fn upload(&self) -> RequestBuilder {
        self.world.call("POST", "/api/upload").bearer_auth(&self.token)
    }

    pub(crate) async fn send(&self, form: Form) -> Answer {
        read(self.upload().multipart(form)).await
    }

    pub(crate) async fn send_picture(&self, file: Vec<u8>) -> Answer {
        let form = Form::new()
            .part("file", Part::bytes(file).file_name("me.png"))
            .text("id", self.id.to_string())
            .text("type", "PROFILE_PICTURE");
        self.send(form).await
    }

    pub(crate) async fn send_to_chat(&self, file: Vec<u8>) -> Answer {
        let part = Part::bytes(file).file_name("../../evil.html").mime_str("text/html").unwrap();
        let form =
            Form::new().text("type", "CHAT_MEDIA").text("id", "placeholder").part("file", part);
        self.send(form).await
    }

    /// Sends a body as a form, unchanged.
    pub(crate) async fn send_raw(&self, body: impl Into<reqwest::Body>) -> Answer {
        let content_type = "multipart/form-data; boundary=b";
        read(self.upload().header("content-type", content_type).body(body)).await
    }
}

pub(crate) fn url(answer: &Answer) -> String {
    answer.payload()["url"].as_str().unwrap().to_owned()
}

/// The number of stored files, without the one that every world has.
pub(crate) fn stored(world: &World) -> usize {
    let mut folders = vec![world.media.clone()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files += 1 }
        }
    }
    files - 1
}

#[tokio::test]
async fn an_uploaded_picture_is_set_and_served() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let answer = amina.send_picture(png([200, 30, 30])).await;
    let url = url(&answer);
    assert!(url.starts_with(&format!("/media/profile/{}/", amina.id)));
    assert_eq!(url.split('.').nth(1), Some("jpg"));
    let (metadata, received) = world.stub.received::<SetProfilePictureRequest>().remove(0);
    assert_eq!(received.url, url);
    let authorization = metadata.get("authorization").unwrap().to_str().unwrap();
    assert_eq!(authorization, format!("Bearer {}", amina.token));

    for (url, side) in [(url.clone(), 512), (thumbnail(&url), 96)] {
        let picture = read(world.get(&url)).await;
        assert_eq!(picture.header("content-type"), Some("image/jpeg"));
        let picture = image::load_from_memory_with_format(&picture.body, ImageFormat::Jpeg);
        let picture = picture.unwrap();
        assert_eq!((picture.width(), picture.height()), (side, side));
    }
}

/// The URL of the thumbnail of a profile's picture, as the web app makes it.
fn thumbnail(url: &str) -> String {
    url.replace(".jpg", "-tjpg.jpg")
}

#[tokio::test]
async fn a_form_without_a_type_is_a_picture_and_unknown_fields_are_ignored() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let form = Form::new()
        .text("uid", "somebody-else")
        .text("url", "/media/profile/somebody-else/x.jpg")
        .part("file", Part::bytes(png([1, 2, 3])))
        .text("profilePic", "x")
        .text("id", amina.id.to_string());
    let answer = amina.send(form).await;
    assert!(url(&answer).contains(&amina.id.to_string()));
}

#[tokio::test]
async fn the_replaced_picture_is_deleted_and_no_other() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let first = url(&amina.send_picture(png([9, 9, 9])).await);
    let others = url(&Uploader::of(&world).send_picture(png([8, 8, 8])).await);
    let chat = url(&amina.send_to_chat(b"%PDF-1.7".to_vec()).await);
    for (replaced, goes) in [
        (&*others, false),
        (&chat, false),
        ("https://lh3.example/picture.jpg", false),
        ("/media/../secret", false),
        (&first, true),
    ] {
        world.stub.replace_picture(replaced);
        let second = url(&amina.send_picture(png([7, 7, 7])).await);
        assert_eq!(read(world.get(&second)).await.status, 200);
        if goes {
            testkit::eventually("it is deleted", async || {
                let files = [read(world.get(replaced)), read(world.get(&thumbnail(replaced)))];
                let files = futures_util::future::join_all(files).await;
                files.iter().all(|file| file.status == 404).then_some(())
            })
            .await;
        }
    }
    assert_eq!(read(world.get(&others)).await.status, 200);
    assert_eq!(read(world.get(&chat)).await.status, 200);
}

#[tokio::test]
async fn another_players_picture_cannot_be_replaced() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let other = world.tokens.player().0.to_string();
    for id in [other, String::new(), "placeholder".into(), amina.id.to_string().to_uppercase()] {
        let form = Form::new().part("file", Part::bytes(png([1; 3]))).text("id", id.clone());
        assert_eq!(amina.send(form).await.refusal(), (403, "PERMISSION_DENIED".into()), "{id}");
    }
    let form = Form::new().part("file", Part::bytes(png([1; 3])));
    assert_eq!(amina.send(form).await.status, 403);
    assert_eq!((stored(&world), world.stub.received::<SetProfilePictureRequest>().len()), (0, 0));
}

#[tokio::test]
async fn a_file_that_is_no_picture_is_refused() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    for (what, file) in [
        ("text", b"hello".to_vec()),
        ("a drawing", b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec()),
        ("a document", b"%PDF-1.7".to_vec()),
        ("a broken picture", jpeg_of(400)),
    ] {
        let answer = amina.send_picture(file).await;
        assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA".into()), "{what}");
    }
    assert_eq!(stored(&world), 0);
}

#[tokio::test]
async fn a_refusal_of_svc_auth_is_passed_on() {
    let world = World::new().await;
    world.stub.refuse(Fault::invalid_field("url", "PICTURE_NOT_YOURS"));
    let answer = Uploader::of(&world).send_picture(png([1; 3])).await;
    assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()));
}

#[tokio::test]
async fn a_file_over_the_limit_is_refused_and_one_at_it_is_not() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let mut film = vec![0; CHAT_LIMIT];
    film[..12].copy_from_slice(b"\0\0\0\x18ftypisom");
    assert_eq!(amina.send_to_chat(film).await.status, 200);
    for answer in [
        amina.send_to_chat(jpeg_of(CHAT_LIMIT + 1)).await,
        amina.send_to_chat(jpeg_of(CHAT_LIMIT + 1_000_000)).await,
        amina.send_to_chat(jpeg_of(3 * CHAT_LIMIT)).await,
        amina.send_picture(jpeg_of(10 * 1024 * 1024 + 1)).await,
    ] {
        assert_eq!(answer.refusal(), (413, "FILE_TOO_LARGE".into()));
        assert_eq!(answer.envelope()["statusMessage"], TOO_LARGE);
    }
    assert_eq!(stored(&world), 1);
}

/// The beginning of a form with a file.
const BEGIN: &str = "--b\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\n";

/// A body that stops after these pieces. `all_sent` fires when they were sent; the body
/// ends at `end`.
fn dribble(
    pieces: Vec<Bytes>,
    all_sent: oneshot::Sender<()>,
    end: oneshot::Receiver<()>,
) -> reqwest::Body {
    let pieces = pieces.into_iter().map(|piece| Ok::<_, Infallible>(Frame::data(piece)));
    let then_nothing = stream::once(async move {
        let _ = all_sent.send(());
        let _ = end.await;
        Ok(Frame::data(Bytes::new()))
    });
    let body = tokio_stream::iter(pieces).chain(then_nothing);
    reqwest::Body::wrap(StreamBody::new(Box::pin(body)))
}

#[tokio::test]
async fn an_upload_has_a_longer_deadline_of_its_own() {
    let world = World::with(|args| {
        args.media.upload_limit = Duration::from_millis(300);
        args.media.uploads_per_player = 1;
    })
    .await;
    let amina = Uploader::of(&world);
    let ((all_sent, _is_sent), (_never, end)) = (oneshot::channel(), oneshot::channel());
    let body = dribble(vec![Bytes::from_static(BEGIN.as_bytes())], all_sent, end);
    assert_eq!(amina.send_raw(body).await.refusal(), (504, "DEADLINE_EXCEEDED".into()));
    // The permit of the ended upload is released.
    testkit::eventually("the next upload", async || {
        let status = amina.send_to_chat(b"%PDF-1.7".to_vec()).await.status;
        assert_ne!(status, 429);
        (status == 200).then_some(())
    })
    .await;

    let world = World::with(|args| args.call_limit = Duration::from_millis(1)).await;
    assert_eq!(Uploader::of(&world).send_to_chat(b"%PDF-1.7".to_vec()).await.status, 200);
}

#[tokio::test]
async fn uploads_of_one_player_are_limited_and_others_are_served() {
    let world = World::with(|args| args.media.uploads_per_player = 1).await;
    let amina = Uploader::of(&world);
    // The body is more than the sockets can buffer: once all of it is sent, the gateway is reading
    // it.
    let mut pieces = vec![Bytes::from_static(BEGIN.as_bytes())];
    pieces.resize(15, Bytes::from(vec![0; 1024 * 1024]));
    let ((all_sent, is_read), (go_on, end)) = (oneshot::channel(), oneshot::channel());
    let body = dribble(pieces, all_sent, end);
    let (slow, ()) = tokio::join!(amina.send_raw(body), async {
        is_read.await.unwrap();
        let answer = amina.send_to_chat(b"%PDF-1.7".to_vec()).await;
        assert_eq!(answer.refusal(), (429, "TOO_MANY_UPLOADS".into()));
        let other = Uploader::of(&world).send_to_chat(b"%PDF-1.7".to_vec()).await;
        assert_eq!(other.status, 200);
        go_on.send(()).unwrap();
    });
    // The form was incomplete.
    assert_eq!(slow.status, 400);
    assert_eq!(amina.send_to_chat(b"%PDF-1.7".to_vec()).await.status, 200);
}

#[tokio::test]
async fn uploads_have_a_rate_limit_of_their_own() {
    let world = World::with(|args| args.rates.upload = "1/1m".parse().unwrap()).await;
    let amina = Uploader::of(&world);
    assert_eq!(amina.send_to_chat(b"%PDF-1.7".to_vec()).await.status, 200);
    let answer = amina.send_to_chat(b"%PDF-1.7".to_vec()).await;
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED".into()));
}

#[tokio::test]
async fn a_failing_store_shows_no_internal_detail() {
    let world = World::new().await;
    fs::remove_dir_all(&world.media).unwrap();
    fs::write(&world.media, "no folder").unwrap();
    let answer = Uploader::of(&world).send_to_chat(b"%PDF-1.7".to_vec()).await;
    assert_eq!(answer.refusal(), (500, "INTERNAL".into()));
    assert!(!answer.text().contains("playon-media"));
    fs::remove_file(&world.media).unwrap();
}
