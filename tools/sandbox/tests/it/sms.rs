//! Texts through Africa's Talking.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

const NUMBER: &str = "+254712345678";

async fn try_send(
    sandbox: &Harness,
    key: &str,
    form: &[(&str, &str)],
) -> reqwest::Result<Response> {
    let url = sandbox.url("/sms/version1/messaging");
    let request = sandbox.http.post(url).header("apiKey", key);
    request.header("Accept", "application/json").form(form).send().await
}

/// Sends a text as PlayOn does and expects HTTP 201.
async fn send(sandbox: &Harness, to: &str, message: &str) -> Value {
    let form = [("username", "sandbox"), ("to", to), ("message", message), ("bulkSMSMode", "1")];
    let reply = try_send(sandbox, "playon-dev-sms", &form).await.unwrap();
    assert_eq!(reply.status(), StatusCode::CREATED);
    let reply: Value = reply.json().await.unwrap();
    reply["SMSMessageData"].clone()
}

#[tokio::test]
async fn delivers_a_text_to_its_handset() {
    let sandbox = Harness::start().await;
    let reply = send(&sandbox, NUMBER, "Your code is 123456").await;
    assert_eq!(reply["Message"], "Sent to 1/1 Total Cost: KES 0.8000");
    let recipient = &reply["Recipients"][0];
    assert_eq!(recipient["statusCode"], 101);
    assert_eq!(recipient["status"], "Success");
    assert_eq!(recipient["number"], NUMBER);
    assert_eq!(recipient["cost"], "KES 0.8000");
    assert!(recipient["messageId"].as_str().unwrap().starts_with("ATXid_"));

    let inbox = sandbox.get(&format!("/handsets/{PHONE}")).await["inbox"].clone();
    assert_eq!(inbox[0]["text"], "Your code is 123456");
    assert_eq!(inbox[0]["from"], "AFRICASTKNG");
}

#[tokio::test]
async fn lists_the_texts_of_a_number_newest_first() {
    let sandbox = Harness::start().await;
    let other = "+254112345678";
    send(&sandbox, NUMBER, "first").await;
    send(&sandbox, &format!("{NUMBER}, {other}"), "second").await;
    for query in ["to=%2B254712345678", "to=+254712345678", "to=0712345678"] {
        let texts = sandbox.get(&format!("/sms?{query}")).await;
        let texts: Vec<_> = texts.as_array().unwrap().iter().map(|sms| &sms["text"]).collect();
        assert_eq!(texts, ["second", "first"], "{query}");
    }
    let all = sandbox.get("/sms").await;
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!((&all[0]["to"], &all[0]["text"]), (&json!(other), &json!("second")));
    let (status, _) = sandbox.control(Method::GET, "/sms?to=mary", Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn reports_a_failed_recipient_with_http_201() {
    let sandbox = Harness::start().await;
    for (script, code, status) in [
        ("queued", 102, "Queued"),
        ("risk_hold", 401, "RiskHold"),
        ("invalid_sender", 402, "InvalidSenderId"),
        ("invalid_number", 403, "InvalidPhoneNumber"),
        ("unsupported", 404, "UnsupportedNumberType"),
        ("no_balance", 405, "InsufficientBalance"),
        ("blacklisted", 406, "UserInBlacklist"),
        ("no_route", 407, "CouldNotRoute"),
        ("do_not_disturb", 409, "DoNotDisturbRejection"),
        ("failed", 500, "InternalServerError"),
        ("gateway_error", 501, "GatewayError"),
        ("rejected", 502, "RejectedByGateway"),
    ] {
        sandbox.script(PHONE, json!({ "sms": script })).await;
        let reply = send(&sandbox, NUMBER, script).await;
        let recipient = &reply["Recipients"][0];
        assert_eq!(
            (&recipient["statusCode"], &recipient["status"]),
            (&json!(code), &json!(status))
        );
        if code > 102 {
            assert_eq!(reply["Message"], "Sent to 0/1 Total Cost: KES 0.0000");
            assert_eq!(
                (&recipient["cost"], &recipient["messageId"]),
                (&json!("0"), &json!("None"))
            );
        }
    }
    let arrived = sandbox.get("/sms").await;
    assert_eq!(arrived.as_array().unwrap().len(), 1, "only the queued one: {arrived}");
}

#[tokio::test]
async fn a_script_may_lose_a_text_or_omit_its_recipient() {
    let sandbox = Harness::with_script(json!({"sms": "lost"})).await;
    assert_eq!(send(&sandbox, NUMBER, "x").await["Recipients"][0]["statusCode"], 101);
    sandbox.script(PHONE, json!({"sms": "empty"})).await;
    assert_eq!(send(&sandbox, NUMBER, "x").await["Recipients"], json!([]));
    assert_eq!(sandbox.get("/sms").await, json!([]));
}

#[tokio::test]
async fn delivers_only_to_kenyan_mobile_numbers_in_international_format() {
    let sandbox = Harness::start().await;
    let reply = send(&sandbox, "0712345678,+254202345678,+15005550006,+x", "x").await;
    let codes: Vec<_> =
        reply["Recipients"].as_array().unwrap().iter().map(|r| r["statusCode"].clone()).collect();
    assert_eq!(codes, [403, 404, 404, 403]);
    assert_eq!(sandbox.get("/handsets").await, json!([]));
}

#[tokio::test]
async fn a_long_text_costs_each_part() {
    let sandbox = Harness::start().await;
    let reply = send(&sandbox, &format!("{NUMBER},+254112345678"), &"a".repeat(161)).await;
    assert_eq!(reply["Message"], "Sent to 2/2 Total Cost: KES 3.2000");
    assert_eq!(reply["Recipients"][0]["cost"], "KES 1.6000");
}

#[tokio::test]
async fn refuses_wrong_credentials_and_missing_fields_in_plain_text() {
    let sandbox = Harness::start().await;
    let whole = [("username", "sandbox"), ("to", NUMBER), ("message", "x")];
    let unknown = [("username", "unknown"), ("to", NUMBER), ("message", "x")];
    for (key, form) in [("wrong", whole), ("playon-dev-sms", unknown)] {
        let reply = try_send(&sandbox, key, &form).await.unwrap();
        assert_eq!(reply.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(reply.text().await.unwrap(), "The supplied authentication is invalid");
    }
    for (missing, form) in [("to", [whole[0], whole[2]]), ("message", [whole[0], whole[1]])] {
        let reply = try_send(&sandbox, "playon-dev-sms", &form).await.unwrap();
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
        let said = reply.text().await.unwrap();
        assert_eq!(said, format!("Request is missing required form field '{missing}'"));
    }
    assert_eq!(sandbox.get("/sms").await, json!([]));
}

#[tokio::test]
async fn replies_in_xml_by_default() {
    let sandbox = Harness::start().await;
    let url = sandbox.url("/sms/version1/messaging");
    let form = [("username", "sandbox"), ("to", NUMBER), ("message", "x")];
    let reply = sandbox.http.post(url).header("apiKey", "playon-dev-sms").form(&form).send();
    let reply = reply.await.unwrap();
    assert_eq!(reply.status(), StatusCode::CREATED);
    assert!(reply.headers()["content-type"].to_str().unwrap().starts_with("application/xml"));
    let text = reply.text().await.unwrap();
    assert!(text.contains("<number>+254712345678</number><cost>KES 0.8000</cost>"), "{text}");
}

#[tokio::test]
async fn applies_faults_to_texts() {
    let sandbox = Harness::start().await;
    let form = [("username", "sandbox"), ("to", NUMBER), ("message", "x")];
    for kind in ["http500", "down", "slow"] {
        let fault = json!({"provider": "sms", "kind": kind, "delayMs": 50});
        sandbox.fault(fault).await;
    }
    let reply = try_send(&sandbox, "playon-dev-sms", &form).await.unwrap();
    assert_eq!(reply.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(try_send(&sandbox, "playon-dev-sms", &form).await.is_err());
    let begin = std::time::Instant::now();
    let reply = try_send(&sandbox, "playon-dev-sms", &form).await.unwrap();
    assert_eq!(reply.status(), StatusCode::CREATED);
    assert!(begin.elapsed().as_millis() >= 50);
    let arrived = sandbox.get("/sms").await;
    assert_eq!(arrived.as_array().unwrap().len(), 2, "all but the one whose connection was closed");
}
