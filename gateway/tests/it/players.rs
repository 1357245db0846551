//! Profiles, other players, referrals, countries and currencies.

use mesh::Fault;
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, DeleteAccountRequest, FindByUsernameRequest,
    RedeemReferralRequest, UpdateProfileRequest,
};
use serde_json::json;
use tonic::Code;

use crate::world::{World, read};

#[tokio::test]
async fn logging_in_returns_the_profile_and_201_when_it_is_new() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.envelope()["statusMessage"], "You have been logged in.");
    assert_eq!(
        answer.payload(),
        json!({
            "id": "u-1", "uid": "u-1", "name": "Amina", "username": null, "email": null,
            "dob": null, "gender": null, "phone": null, "profilePic": null,
            "countryId": null, "currencyId": null, "chatRooms": ["ajua", "lobby"],
            "referralCode": "AMINA7", "createdAt": "2026-11-20T09:00:00.500Z", "breakUntil": null,
        })
    );
    world.stub.create_profile();
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.status, 201);
}

#[tokio::test]
async fn a_profile_update_passes_on_the_fields_that_are_set() {
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
    assert_eq!(world.stub.received::<UpdateProfileRequest>()[0].1, expected);
}

#[tokio::test]
async fn another_players_profile_cannot_be_changed() {
    let world = World::new().await;
    world.stub.refuse(Fault::new(Code::PermissionDenied, "PERMISSION_DENIED"));
    let answer = read(world.send_signed_in("PUT", "/api/profile/u-2", "{}")).await;
    assert_eq!(answer.refusal(), (403, "PERMISSION_DENIED".into()));
}

#[tokio::test]
async fn public_profiles_are_found_by_id_and_username() {
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
    let received = world.stub.received::<FindByUsernameRequest>();
    assert_eq!(received[0].1.username, "amína/x");
}

#[tokio::test]
async fn fields_that_a_player_may_not_set_are_dropped() {
    let world = World::new().await;
    let json = r#"{
        "name": "Amina", "uid": "u-2", "id": "u-2", "profilePic": "https://evil.example/x.svg",
        "referralCode": "MINE", "createdAt": "2000-01-01", "chatRooms": ["vip"], "roles": ["operator"],
        "role": "operator", "verified": true, "emailVerified": true, "balance": 1000000, "password": "x"
    }"#;
    let answer = read(world.send_signed_in("PUT", "/api/profile/u-1", json)).await;
    assert_eq!(answer.status, 200);
    let expected = UpdateProfileRequest {
        uid: "u-1".into(),
        name: Some("Amina".into()),
        ..UpdateProfileRequest::default()
    };
    assert_eq!(world.stub.received::<UpdateProfileRequest>()[0].1, expected);
}

#[tokio::test]
async fn an_account_is_deleted_by_its_signed_in_player() {
    let world = World::new().await;
    let json = r#"{"confirm":"DELETE"}"#;
    let answer = read(world.send_signed_in("DELETE", "/api/profile/u-1", json)).await;
    assert!(answer.payload().is_null());
    let expected = DeleteAccountRequest { uid: "u-1".into(), confirm: "DELETE".into() };
    assert_eq!(world.stub.received::<DeleteAccountRequest>()[0].1, expected);
    assert_eq!(read(world.send("DELETE", "/api/profile/u-1", json)).await.status, 401);
}

#[tokio::test]
async fn up_to_100_public_profiles_are_read_at_once() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/users/public?ids=u-9,%20u-1,,u-8")).await;
    assert_eq!(
        answer.payload(),
        json!([{"id": "u-1", "username": "amina", "name": "Amina", "profilePic": null}])
    );
    assert_eq!(
        world.stub.received::<BatchGetPublicPlayersRequest>()[0].1.ids,
        ["u-9", "u-1", "u-8"]
    );
    for query in ["", "?ids=", "?ids=,,"] {
        let answer = read(world.get_signed_in(&format!("/api/users/public{query}"))).await;
        assert_eq!(answer.payload(), json!([]));
    }
    let ids = |many: usize| vec!["u-1"; many].join(",");
    let hundred = world.get_signed_in(&format!("/api/users/public?ids={}", ids(100)));
    assert_eq!(read(hundred).await.status, 200);
    let more = world.get_signed_in(&format!("/api/users/public?ids={}", ids(101)));
    assert_eq!(read(more).await.wrong_fields(), ["ids"]);
}

#[tokio::test]
async fn a_referral_code_is_redeemed_and_the_own_one_read() {
    let world = World::new().await;
    let json = r#"{"referralCode":"BARAKA"}"#;
    let answer = read(world.send_signed_in("POST", "/api/referrals", json)).await;
    assert!(answer.payload().is_null());
    assert_eq!(answer.envelope()["statusMessage"], "Your referral code was accepted.");
    assert_eq!(world.stub.received::<RedeemReferralRequest>()[0].1.referral_code, "BARAKA");
    assert_eq!(
        read(world.get_signed_in("/api/referrals")).await.payload(),
        json!({"referralCode": "AMINA7", "redeemed": true, "invited": 3})
    );
}

#[tokio::test]
async fn countries_and_currencies_are_cached_for_a_day_and_failures_are_not() {
    let world = World::new().await;
    let countries = read(world.get("/api/countries/list").bearer_auth("")).await;
    assert_eq!(
        countries.payload(),
        json!([{
            "id": "KE", "name": "Kenya", "alpha2Code": "KE", "alpha3Code": "KEN", "region": "Africa"
        }])
    );
    let currencies = read(world.get("/api/currencies/list")).await;
    assert_eq!(
        currencies.payload(),
        json!([
            {"id": "KES", "code": "KES", "name": "Kenyan Shilling", "countryId": "KE"},
            {"id": "XAU", "code": "XAU", "name": "Gold", "countryId": null},
        ])
    );
    for list in [countries, currencies] {
        assert_eq!(list.header("cache-control"), Some("public, max-age=86400"));
    }
    world.stub.refuse(Fault::unavailable());
    let answer = read(world.get("/api/countries/list")).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}
