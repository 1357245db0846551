//! Forms that are malformed, incomplete or ambiguous.

use reqwest::multipart::{Form, Part};

use crate::{
    uploads::{CHAT_LIMIT, Uploader, jpeg_of, png, stored},
    world::{World, read},
};

#[tokio::test]
async fn a_form_with_a_field_twice_is_refused() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let part = || Part::bytes(png([1; 3]));
    let own = amina.id.to_string();
    let form =
        || Form::new().part("file", part()).text("id", own.clone()).text("type", "CHAT_MEDIA");
    for (form, field) in [
        (form().part("file", part()), "file"),
        (form().text("id", "another"), "id"),
        (form().text("type", "PROFILE_PICTURE"), "type"),
    ] {
        let answer = amina.send(form).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{field}");
        assert_eq!(answer.wrong_fields(), [field]);
    }
    assert_eq!(stored(&world), 0);
}

#[tokio::test]
async fn a_refusal_names_the_field_that_is_missing_or_wrong() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let own = amina.id.to_string();
    let file = || Form::new().part("file", Part::bytes(png([1; 3]))).text("id", own.clone());
    for (form, field) in [
        (Form::new().text("id", own.clone()), "file"),
        (Form::new().text("id", own.clone()).part("file", Part::bytes(Vec::new())), "file"),
        (file().text("type", "EVERYTHING"), "type"),
        (file().part("type", Part::bytes(vec![0xff])), "type"),
        (file().text("type", "x".repeat(300)), "type"),
    ] {
        let answer = amina.send(form).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{field}");
        assert_eq!(answer.wrong_fields(), [field]);
    }
}

#[tokio::test]
async fn an_unknown_part_is_skipped_at_any_length() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let form = Form::new()
        .part("thumbnail", Part::bytes(jpeg_of(1_000_000)))
        .text("type", "CHAT_MEDIA")
        .part("file", Part::bytes(png([1; 3])));
    assert_eq!(amina.send(form).await.status, 200);
}

#[tokio::test]
async fn a_malformed_form_is_refused() {
    let world = World::new().await;
    let amina = Uploader::of(&world);
    let part = "--b\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nx";
    let many = format!("{}--b--", "--b\r\ncontent-disposition: form-data\r\n\r\n\r\n".repeat(20));
    for body in ["", "--", "nonsense", part, &format!("{part}\r\n--b"), &many] {
        let answer = amina.send_raw(body.to_owned()).await;
        assert_eq!(answer.refusal(), (400, "MALFORMED_FORM".into()), "{body}");
    }
    // A body without a part, and heads of parts without an end.
    for begin in ["", "--b\r\nx: ", &format!("{part}\r\n--b\r\nx: ")] {
        let answer = amina.send_raw(format!("{begin}{}", "x".repeat(CHAT_LIMIT))).await;
        assert_eq!(answer.refusal(), (400, "MALFORMED_FORM".into()), "{begin}");
    }

    let with = |content_type: &str| amina.upload().header("content-type", content_type).body("x");
    for (content_type, refusal) in [
        ("multipart/form-data", (400, "MALFORMED_FORM")),
        ("application/json", (415, "UNSUPPORTED_MEDIA")),
        ("nonsense", (415, "UNSUPPORTED_MEDIA")),
    ] {
        let answer = read(with(content_type)).await;
        assert_eq!(answer.refusal(), (refusal.0, refusal.1.to_owned()), "{content_type}");
    }
    assert_eq!(read(amina.upload()).await.refusal(), (415, "UNSUPPORTED_MEDIA".into()));
}
