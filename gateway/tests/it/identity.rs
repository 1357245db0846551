//! Signing up, in and out; passwords and emails.

use mesh::Fault;
use proto::{
    auth::v1::{
        ChangePasswordRequest, ConfirmDeviceRequest, ConfirmEmailRequest, ConfirmOAuthJoinRequest,
        ConfirmPasswordResetRequest, ExchangeOAuthRequest, RefreshRequest, RejectEmailRequest,
        RequestPasswordResetRequest, SignInRequest, SignOutEverywhereRequest, SignOutRequest,
        SignUpRequest, StartPhoneSignInRequest, VerifyPhoneSignInRequest,
    },
    chat::v1::RemovePushSubscriptionRequest,
};
use serde_json::json;
use tonic::Code;

use crate::world::{World, read};

#[tokio::test]
async fn signing_up_returns_a_session() {
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
            "staySignedIn": true,
        })
    );
    let expected = SignUpRequest {
        email: "a@b.ke".into(),
        password: "secret".into(),
        captcha: "proof".into(),
        ..Default::default()
    };
    assert_eq!(world.stub.received::<SignUpRequest>()[0].1, expected);
}

#[tokio::test]
async fn signing_in_and_refreshing_return_a_session_that_can_be_ended() {
    let world = World::new().await;
    let json = r#"{"email":"a@b.ke","password":"secret"}"#;
    let answer = read(world.send("POST", "/api/auth/sign-in", json)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.payload()["uid"], "u-1");
    assert_eq!(world.stub.received::<SignInRequest>()[0].1.password, "secret");

    let json = r#"{"refreshToken":"r-1"}"#;
    let answer = read(world.send("POST", "/api/auth/refresh", json)).await;
    assert_eq!(answer.payload()["refreshToken"], "refresh");
    assert_eq!(world.stub.received::<RefreshRequest>()[0].1.refresh_token, "r-1");

    let answer = read(world.send_signed_in("POST", "/api/auth/sign-out", json)).await;
    assert!(answer.payload().is_null());
    assert_eq!(world.stub.received::<SignOutRequest>()[0].1.refresh_token, "r-1");
}

#[tokio::test]
async fn each_way_of_signing_in_sets_the_devices_cookie_and_sends_it() {
    const COOKIE: &str = "__Host-playon-device=device; HttpOnly; SameSite=Strict; Secure; \
                          Path=/; Max-Age=34560000";
    let world = World::new().await;
    for (path, json) in [
        ("sign-up", r#"{"email":"a@b.ke","password":"secret","captcha":"proof"}"#),
        ("sign-in", r#"{"email":"a@b.ke","password":"secret"}"#),
        ("refresh", r#"{"refreshToken":"r-1"}"#),
        ("phone/verify", r#"{"challengeId":"c-1","code":"012345"}"#),
        ("oauth/exchange", r#"{"code":"x"}"#),
        ("oauth/join/confirm", r#"{"code":"x","emailCode":"012345"}"#),
        ("password/reset/confirm", r#"{"token":"t","newPassword":"secret"}"#),
    ] {
        let request = world.send("POST", &format!("/api/auth/{path}"), json);
        let answer = read(request.header("cookie", "__Host-playon-device=d-1")).await;
        let cookies = answer.headers.get_all("set-cookie");
        assert!(cookies.iter().any(|cookie| cookie == COOKIE), "{path}: {cookies:?}");
    }
    let json = r#"{"phone":"0712 345 678","captcha":"proof"}"#;
    let start = world.send("POST", "/api/auth/phone/start", json);
    read(start.header("cookie", "__Host-playon-device=d-1")).await;
    let json = r#"{"email":"a@b.ke","oldPassword":"old","newPassword":"secret"}"#;
    let change = world.send_signed_in("PUT", "/api/auth/password", json);
    read(change.header("cookie", "__Host-playon-device=d-1")).await;

    macro_rules! sent {
        ($($request:ty),*) => {
            [$(world.stub.received::<$request>()[0].1.device_token.clone()),*]
        };
    }
    let sent = sent![
        SignUpRequest,
        SignInRequest,
        RefreshRequest,
        VerifyPhoneSignInRequest,
        ExchangeOAuthRequest,
        ConfirmOAuthJoinRequest,
        ConfirmPasswordResetRequest,
        StartPhoneSignInRequest,
        ChangePasswordRequest
    ];
    assert_eq!(sent, [const { "d-1" }; 9]);
}

#[tokio::test]
async fn a_sign_in_sets_the_cookie_that_a_new_window_refreshes_with() {
    const COOKIE: &str = "__Secure-playon-session=refresh; HttpOnly; SameSite=Strict; Secure; \
                          Path=/api/auth/refresh; Max-Age=2592000";
    let world = World::new().await;
    for (path, json) in [
        ("sign-up", r#"{"email":"a@example.com","password":"secret","captcha":"proof"}"#),
        ("sign-in", r#"{"email":"a@example.com","password":"secret"}"#),
        ("phone/verify", r#"{"challengeId":"c-1","code":"123456"}"#),
        ("oauth/exchange", r#"{"code":"one-time"}"#),
        ("oauth/join/confirm", r#"{"code":"one-time","emailCode":"123456"}"#),
    ] {
        let answer = read(world.send("POST", &format!("/api/auth/{path}"), json)).await;
        assert_eq!(answer.header("set-cookie"), Some(COOKIE), "{path}");
    }

    let refresh = world.send("POST", "/api/auth/refresh", r#"{"staySignedIn":true}"#);
    let answer = read(refresh.header("cookie", "a=b; __Secure-playon-session=r-1")).await;
    assert_eq!(answer.header("set-cookie"), Some(COOKIE));
    assert_eq!(answer.payload()["staySignedIn"], true);
    let sent = &world.stub.received::<RefreshRequest>()[0].1;
    assert_eq!((sent.refresh_token.as_str(), sent.cookie_token.as_str()), ("", "r-1"));
    assert_eq!(sent.stay_signed_in, Some(true));

    for (path, json) in [("sign-out", r#"{"refreshToken":"r-1"}"#), ("sign-out-everywhere", "{}")] {
        let path = format!("/api/auth/{path}");
        let answer = read(world.send_signed_in("POST", &path, json)).await;
        let removal = "__Secure-playon-session=; HttpOnly; SameSite=Strict; Secure; \
                       Path=/api/auth/refresh; Max-Age=0";
        assert_eq!(answer.header("set-cookie"), Some(removal), "{path}");
    }
}

#[tokio::test]
async fn guests_read_the_providers_and_the_captcha() {
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
async fn the_key_set_has_no_envelope() {
    let world = World::new().await;
    let answer = read(world.get("/.well-known/jwks.json")).await;
    assert_eq!(answer.header("content-type"), Some("application/jwk-set+json"));
    assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
    assert_eq!(answer.text(), world.tokens.jwks_json());
}

#[tokio::test]
async fn a_phone_signs_in_with_the_code_that_was_sent() {
    let world = World::new().await;
    let json = r#"{"phone":"0712 345 678","captcha":"proof"}"#;
    let answer = read(world.send("POST", "/api/auth/phone/start", json)).await;
    assert_eq!(
        answer.envelope()["statusMessage"],
        "A confirmation code was sent to your phone number. Please enter it below."
    );
    assert_eq!(
        answer.payload(),
        json!({
            "challengeId": "c-1",
            "digits": 6,
            "expiresAt": "2026-11-20T09:05:00.500Z",
            "resendAt": "2026-11-20T09:01:00.500Z",
        })
    );
    let expected = StartPhoneSignInRequest {
        phone: "0712 345 678".into(),
        captcha: "proof".into(),
        ..Default::default()
    };
    assert_eq!(world.stub.received::<StartPhoneSignInRequest>()[0].1, expected);

    let json = r#"{"challengeId":"c-1","code":"012345"}"#;
    let answer = read(world.send("POST", "/api/auth/phone/verify", json)).await;
    assert_eq!(answer.payload()["accessToken"], "access");
    let expected = VerifyPhoneSignInRequest {
        challenge_id: "c-1".into(),
        code: "012345".into(),
        ..Default::default()
    };
    assert_eq!(world.stub.received::<VerifyPhoneSignInRequest>()[0].1, expected);
    // A JSON number would lose its leading zeros.
    let json = r#"{"challengeId":"c-1","code":12345}"#;
    let answer = read(world.send("POST", "/api/auth/phone/verify", json)).await;
    assert_eq!(answer.wrong_fields(), ["code"]);
}

#[tokio::test]
async fn a_password_is_reset_or_changed() {
    let world = World::new().await;
    let reset = world.send("POST", "/api/auth/password/reset", r#"{"email":"a@b.ke"}"#);
    let answer = read(reset).await;
    assert!(answer.payload().is_null());
    assert_eq!(
        answer.envelope()["statusMessage"],
        "Password reset email has been sent successfully."
    );
    assert_eq!(world.stub.received::<RequestPasswordResetRequest>()[0].1.email, "a@b.ke");

    let json = r#"{"token":"t","newPassword":"secret"}"#;
    let answer = read(world.send("POST", "/api/auth/password/reset/confirm", json)).await;
    assert!(answer.payload().is_null());
    let expected = ConfirmPasswordResetRequest {
        token: "t".into(),
        new_password: "secret".into(),
        ..Default::default()
    };
    assert_eq!(world.stub.received::<ConfirmPasswordResetRequest>()[0].1, expected);

    let json = r#"{"email":"a@b.ke","oldPassword":"old","newPassword":"secret"}"#;
    let answer = read(world.send_signed_in("PUT", "/api/auth/password", json)).await;
    assert!(answer.payload().is_null());
    assert_eq!(answer.envelope()["statusMessage"], "Password has been updated successfully.");
    let expected = ChangePasswordRequest {
        email: "a@b.ke".into(),
        old_password: "old".into(),
        new_password: "secret".into(),
        ..Default::default()
    };
    assert_eq!(world.stub.received::<ChangePasswordRequest>()[0].1, expected);
}

#[tokio::test]
async fn an_email_is_confirmed_and_all_sessions_are_ended() {
    let world = World::new().await;
    let answer = read(world.send("POST", "/api/auth/email/confirm", r#"{"token":"t"}"#)).await;
    assert!(answer.payload().is_null());
    assert_eq!(answer.envelope()["statusMessage"], "Your email is confirmed.");
    assert_eq!(world.stub.received::<ConfirmEmailRequest>()[0].1.token, "t");
    let answer = read(world.send("POST", "/api/auth/email/reject", r#"{"token":"t"}"#)).await;
    assert_eq!(answer.envelope()["statusMessage"], "No PlayOn account uses this email any more.");
    assert_eq!(world.stub.received::<RejectEmailRequest>()[0].1.token, "t");

    let everywhere = world.get_signed_in("/api/auth/sign-out-everywhere");
    assert_eq!(read(everywhere).await.status, 405);
    let everywhere = world.send_signed_in("POST", "/api/auth/sign-out-everywhere", "");
    let answer = read(everywhere).await;
    assert!(answer.payload().is_null());
    assert_eq!(answer.envelope()["statusMessage"], "You have been signed out everywhere.");
    assert_eq!(world.stub.received::<SignOutEverywhereRequest>().len(), 1);
    assert!(world.stub.received::<RemovePushSubscriptionRequest>()[0].1.all);
}

#[tokio::test]
async fn a_device_is_confirmed_by_a_mailed_code_and_gets_its_cookie() {
    let world = World::new().await;
    let answer = read(world.send_signed_in("POST", "/api/auth/device/start", "")).await;
    assert_eq!(answer.payload()["emailHint"], "a•••@b.ke");
    assert_eq!(answer.payload()["resendAt"], "2026-11-20T09:01:00.500Z");
    let code = r#"{"code":"123456"}"#;
    let answer = read(world.send_signed_in("POST", "/api/auth/device/confirm", code)).await;
    assert!(answer.payload().is_null());
    assert_eq!(answer.envelope()["statusMessage"], "This device is confirmed.");
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-playon-device=device-1;"), "{cookie}");
    assert_eq!(world.stub.received::<ConfirmDeviceRequest>()[0].1.code, "123456");
}

#[tokio::test]
async fn each_reason_of_svc_auth_has_its_status() {
    let world = World::new().await;
    for (code, reason, status) in [
        (Code::FailedPrecondition, "CODE_EXPIRED", 410),
        (Code::FailedPrecondition, "RESET_EXPIRED", 410),
        (Code::FailedPrecondition, "LINK_EXPIRED", 410),
        (Code::FailedPrecondition, "OAUTH_EXPIRED", 410),
        (Code::FailedPrecondition, "PROVIDER_OFF", 422),
        (Code::FailedPrecondition, "NO_PASSWORD_LOGIN", 422),
        (Code::FailedPrecondition, "OWN_REFERRAL", 422),
        (Code::Unavailable, "SMS_PAUSED", 503),
        (Code::InvalidArgument, "SMS_REFUSED", 400),
        (Code::InvalidArgument, "CAPTCHA_EXPIRED", 400),
        (Code::Unauthenticated, "BAD_CODE", 401),
        (Code::Unauthenticated, "REAUTH_FAILED", 401),
        (Code::AlreadyExists, "REFERRAL_ALREADY_USED", 409),
        (Code::NotFound, "REFERRAL_NOT_FOUND", 404),
    ] {
        let fault = Fault::new(code, reason);
        let text = fault.message.clone();
        world.stub.refuse(fault);
        let answer = read(world.send("POST", "/api/auth/phone/verify", "{}")).await;
        assert_eq!(answer.refusal(), (status, reason.into()));
        assert_eq!(answer.envelope()["statusMessage"], *text);
    }
}
