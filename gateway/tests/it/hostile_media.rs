//! Files that were made to do harm: 200 of them, of which none may be served as anything active.
//! The memory that they take is measured by the journey `hostile_uploads`.

use reqwest::multipart::{Form, Part};
use testkit::{HostileFile, hostile_files};

use crate::{
    uploads::{Uploader, url},
    world::{World, read},
};

#[tokio::test]
async fn none_of_200_hostile_files_is_active() {
    let world = World::with(|args| args.rates.upload = "10000/1m".parse().unwrap()).await;
    let amina = Uploader::of(&world);
    let (mut stored, mut refused) = (0, 0);
    for HostileFile { trick, name, content_type, bytes } in hostile_files() {
        let part = Part::bytes(bytes).file_name(name).mime_str(content_type).unwrap();
        let form = Form::new().text("type", "CHAT_MEDIA").text("id", "x").part("file", part);
        let answer = amina.send(form).await;
        if answer.status != 200 {
            assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA".to_owned()), "{trick}");
            refused += 1;
            continue;
        }
        stored += 1;
        let url = url(&answer);
        assert!(url.starts_with(&format!("/media/chat/{}/", amina.id)), "{trick}: {url}");
        let thumbnail = answer.payload()["thumbnailUrl"].as_str().map(str::to_owned);
        for url in [Some(url), thumbnail].into_iter().flatten() {
            check(&world, &trick, &url).await;
        }
    }
    assert!(stored > 50 && refused > 50, "{stored} stored, {refused} refused");
}

/// Checks that a stored file is served as something that no browser runs.
async fn check(world: &World, trick: &str, url: &str) {
    let served = read(world.get(url)).await;
    assert_eq!(served.status, 200, "{trick}");
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"), "{trick}");
    let policy = served.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; sandbox"), "{trick}");
    let content_type = served.header("content-type").unwrap();
    for active in ["html", "svg", "xml;", "/xml", "script", "multipart", "octet"] {
        assert!(!content_type.contains(active), "{trick}: {content_type}");
    }
    let is_shown = ["image/", "video/", "audio/"].iter().any(|kind| content_type.starts_with(kind));
    let disposition = if is_shown { "inline" } else { "attachment" };
    assert_eq!(served.header("content-disposition"), Some(disposition), "{trick}");
    if content_type.starts_with("image/") {
        let has_script = served.body.windows(6).any(|part| part.eq_ignore_ascii_case(b"script"));
        assert!(!has_script, "{trick}");
        image::load_from_memory(&served.body).expect(trick);
    }
}
