//! The STK push request and its replies.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE, now, timestamp};

#[tokio::test]
async fn accepts_a_valid_request() {
    let sandbox = Harness::start().await;
    let mut request = sandbox.request(PHONE, 100);
    // A number may be sent as text, and a text as a number.
    request["Amount"] = json!("100");
    request["BusinessShortCode"] = json!(174_379);
    request["PhoneNumber"] = json!(254_712_345_678_u64);
    request.as_object_mut().unwrap().remove("TransactionDesc");
    let (status, reply) = sandbox.push(&request).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
    assert_eq!(reply["ResponseCode"], "0");
    assert_eq!(reply["CustomerMessage"], "Success. Request accepted for processing");
    assert_eq!(reply["ResponseDescription"], reply["CustomerMessage"]);
    let checkout = reply["CheckoutRequestID"].as_str().unwrap();
    assert!(checkout.starts_with("ws_CO_") && checkout.ends_with("712345678"), "{checkout}");
    assert!(reply["MerchantRequestID"].as_str().unwrap().len() > 20);
}

#[tokio::test]
async fn refuses_each_invalid_field_by_name() {
    let sandbox = Harness::start().await;
    let utc = timestamp(now());
    let bad: [(&str, Value); 28] = [
        ("BusinessShortCode", Value::Null),
        ("BusinessShortCode", json!("17-43")),
        ("Timestamp", json!("2026-11-20")),
        ("Timestamp", json!("20261399000000")),
        ("Timestamp", json!(utc)),
        ("Password", json!("")),
        ("TransactionType", json!("PayBill")),
        ("Amount", json!("100.50")),
        ("Amount", json!(100.5)),
        ("Amount", json!(0)),
        ("Amount", json!(-5)),
        ("Amount", json!("1e30")),
        ("Amount", json!([1])),
        ("PartyA", json!("0712345678")),
        ("PartyB", json!("PLAYON")),
        ("PhoneNumber", json!("+254712345678")),
        ("PhoneNumber", json!("254212345678")),
        ("PhoneNumber", json!("25471234567")),
        ("CallBackURL", json!("http://play.example/hooks")),
        ("CallBackURL", json!(" https://play.example/hooks ")),
        ("CallBackURL", json!("https://play.example/mpesa")),
        ("CallBackURL", json!("hooks")),
        ("AccountReference", Value::Null),
        ("AccountReference", json!("PLAYON#12")),
        ("AccountReference", json!("THIRTEENCHARS")),
        ("TransactionDesc", json!("Longer than 13")),
        ("TransactionDesc", json!("Top@up")),
        ("TransactionDesc", json!({})),
    ];
    for (field, value) in bad {
        let mut request = sandbox.request(PHONE, 100);
        request[field] = value.clone();
        let (status, reply) = sandbox.push(&request).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{field} = {value}: {reply}");
        assert_eq!(reply["errorCode"], "400.002.02");
        assert_eq!(reply["errorMessage"], format!("Bad Request - Invalid {field}"), "{value}");
    }
    assert_eq!(sandbox.get("/payments").await, json!([]));
}

#[tokio::test]
async fn accepts_any_timestamp_without_a_clock_skew() {
    let sandbox = Harness::start().await;
    let mut request = sandbox.request(PHONE, 100);
    request["Timestamp"] = json!("20200101000000");
    assert_eq!(sandbox.push(&request).await.1["errorMessage"], "Bad Request - Invalid Timestamp");
    sandbox.control(Method::PATCH, "/settings", json!({"clockSkewMs": null})).await;
    // The password was made for another time, so it is the next thing that is wrong.
    assert_eq!(sandbox.push(&request).await.1["errorMessage"], "Wrong credentials");
}

#[tokio::test]
async fn refuses_an_unknown_merchant_and_a_wrong_password() {
    let sandbox = Harness::start().await;
    let mut request = sandbox.request(PHONE, 100);
    request["BusinessShortCode"] = json!("600000");
    let (status, reply) = sandbox.push(&request).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.001.1001");
    assert_eq!(reply["errorMessage"], "Merchant does not exist");

    let mut request = sandbox.request(PHONE, 100);
    request["Password"] = json!("c2VjcmV0");
    let (_, reply) = sandbox.push(&request).await;
    assert_eq!(reply["errorCode"], "500.001.1001");
    assert_eq!(reply["errorMessage"], "Wrong credentials");
}

#[tokio::test]
async fn a_handset_with_an_open_prompt_is_locked() {
    let sandbox = Harness::with_script(json!({"stk": "manual"})).await;
    sandbox.pay(PHONE, 100).await;
    let (status, reply) = sandbox.push(&sandbox.request(PHONE, 200)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.001.1001");
    assert!(reply["errorMessage"].as_str().unwrap().starts_with("Unable to lock subscriber"));
    // Another handset is free.
    sandbox.pay("254112345678", 100).await;
}

#[tokio::test]
async fn refuses_malformed_requests_with_daraja_errors() {
    let sandbox = Harness::start().await;
    let url = sandbox.url("/daraja/mpesa/stkpush/v1/processrequest");
    let send = |method, body: &'static str| {
        sandbox.http.request(method, &url).bearer_auth(&sandbox.token).body(body).send()
    };
    for body in ["", "{", "[]", "\"x\"", "{\"Amount\": NaN}"] {
        let reply: Value = send(Method::POST, body).await.unwrap().json().await.unwrap();
        assert_eq!(reply["errorCode"], "400.002.05", "{body}");
    }
    let reply = send(Method::GET, "").await.unwrap();
    assert_eq!(reply.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(reply.json::<Value>().await.unwrap()["errorCode"], "405.001");
    let (status, reply) = sandbox.daraja("b2x/v1/pay", &json!({})).await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::NOT_FOUND, &json!("404.001.01")));
}

#[tokio::test]
async fn refuses_a_number_without_mpesa() {
    let sandbox = Harness::with_script(json!({"stk": "no_mpesa"})).await;
    let (status, reply) = sandbox.push(&sandbox.request(PHONE, 100)).await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::BAD_REQUEST, &json!("400.002.02")));
    assert_eq!(reply["errorMessage"], "Bad Request - Invalid PhoneNumber");
    assert_eq!(sandbox.get("/payments").await, json!([]));
}
