//! Ways in and out, the profile, other players.

use mesh::Fault;
use proto::auth::v1::{
    FindByUsernameRequest, RefreshRequest, SignInRequest, SignOutRequest, SignUpRequest,
    UpdateProfileRequest,
};
use serde_json::json;
use tonic::Code;

use crate::world::{World, read};

#[tokio::test]
async fn signing_up_makes_a_session() {
    let world = World::new().await;
    let json = r#"{"email":"a@b.ke","password":"secret","captcha":"proof"}"#;
    let answer = read(world.send("POST", "/api/auth/sign-up", json)).await;
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.payload(),
        json!({
            "uid": "u-1",
            "accessToken": "access",
            "refreshToken": "refresh",
            "expirationTime": 1_790_000_000_123_i64,
            "isNewUser": true,
        })
    );
    let expected = SignUpRequest {
        email: "a@b.ke".into(),
        password: "secret".into(),
        captcha: "proof".into(),
    };
    assert_eq!(world.stub.heard::<SignUpRequest>()[0].1, expected);
}

#[tokio::test]
async fn a_session_is_had_by_password_or_by_refresh_and_ended() {
    let world = World::new().await;
    let json = r#"{"email":"a@b.ke","password":"secret"}"#;
    let answer = read(world.send("POST", "/api/auth/sign-in", json)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.payload()["uid"], "u-1");
    assert_eq!(world.stub.heard::<SignInRequest>()[0].1.password, "secret");

    let json = r#"{"refreshToken":"r-1"}"#;
    let answer = read(world.send("POST", "/api/auth/refresh", json)).await;
    assert_eq!(answer.payload()["refreshToken"], "refresh");
    assert_eq!(world.stub.heard::<RefreshRequest>()[0].1.refresh_token, "r-1");

    let answer = read(world.send_signed_in("POST", "/api/auth/sign-out", json)).await;
    assert!(answer.payload().is_null());
    assert_eq!(world.stub.heard::<SignOutRequest>()[0].1.refresh_token, "r-1");
}

#[tokio::test]
async fn what_a_guest_needs_to_sign_in_is_there() {
    let world = World::new().await;
    assert_eq!(
        read(world.get("/api/auth/providers")).await.payload(),
        json!({"email": true, "phone": false, "google": false, "facebook": false})
    );
    assert_eq!(
        read(world.get("/api/auth/captcha")).await.payload(),
        json!({"parameters": {"cost": 5000}})
    );
}

#[tokio::test]
async fn the_keys_are_a_standards_document() {
    let world = World::new().await;
    let answer = read(world.get("/.well-known/jwks.json")).await;
    assert_eq!(answer.header("content-type"), Some("application/jwk-set+json"));
    assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
    assert_eq!(answer.text(), world.tokens.jwks_json());
}

#[tokio::test]
async fn logging_in_reads_the_profile_and_says_when_it_was_made() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.envelope()["statusMessage"], "You have been logged in.");
    assert_eq!(
        answer.payload(),
        json!({
            "id": "u-1", "uid": "u-1", "name": "Amina", "username": null, "email": null,
            "dob": null, "gender": null, "phone": null, "profilePic": null,
            "countryId": null, "currencyId": null, "chatRooms": [],
            "referralCode": "AMINA7", "createdAt": "2026-11-20T09:00:00.500Z",
        })
    );
    world.stub.create_profile();
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.status, 201);
}

#[tokio::test]
async fn the_profile_is_changed_field_by_field() {
    let world = World::new().await;
    let json = r#"{"name":"Amina","dob":"2000-01-01","countryId":"KE","phone":null}"#;
    let answer = read(world.send_signed_in("PUT", "/api/profile/u-1", json)).await;
    assert_eq!(answer.payload()["uid"], "u-1");
    let expected = UpdateProfileRequest {
        uid: "u-1".into(),
        name: Some("Amina".into()),
        dob: Some("2000-01-01".into()),
        country_id: Some("KE".into()),
        ..UpdateProfileRequest::default()
    };
    assert_eq!(world.stub.heard::<UpdateProfileRequest>()[0].1, expected);
}

#[tokio::test]
async fn another_players_profile_is_not_ones_own() {
    let world = World::new().await;
    world.stub.refuse(Fault::new(Code::PermissionDenied, "PERMISSION_DENIED", "No."));
    let answer = read(world.send_signed_in("PUT", "/api/profile/u-2", "{}")).await;
    assert_eq!(answer.refusal(), (403, "PERMISSION_DENIED".into()));
}

#[tokio::test]
async fn other_players_are_found() {
    let world = World::new().await;
    for path in ["/api/users/public/u-1", "/api/users/get/u-1"] {
        assert_eq!(
            read(world.get_signed_in(path)).await.payload(),
            json!({"id": "u-1", "username": "amina", "name": "Amina", "profilePic": null})
        );
    }
    let answer = read(world.get_signed_in("/api/users/public/u-9")).await;
    assert_eq!(answer.refusal(), (404, "USER_NOT_FOUND".into()));
    assert_eq!(answer.envelope()["statusMessage"], "User not found");

    let answer = read(world.get_signed_in("/api/users/username/am%C3%ADna%2Fx")).await;
    assert_eq!(answer.payload(), json!({"id": "u-1"}));
    let heard = world.stub.heard::<FindByUsernameRequest>();
    assert_eq!(heard[0].1.username, "amína/x");
}
