//! What a player spends, and the limits that the player sets.

use proto::{
    auth::v1::{BreakLength, StartBreakRequest},
    types::v1::Money,
    wallet::v1::{SetSpendingLimitRequest, SpendingKind, SpendingPeriod},
};
use serde_json::json;

use crate::world::{World, read};

#[tokio::test]
async fn a_player_reads_what_was_spent_and_won_with_the_limits() {
    let world = World::new().await;
    let change = json!({"limit": 800, "beginsAt": "2026-11-20T10:00:00.500Z"});
    assert_eq!(
        read(world.get_signed_in("/api/spending")).await.payload(),
        json!([{
            "period": "WEEK", "since": "2026-11-20T09:00:00.500Z",
            "moneyIn": {"spent": 200, "limit": 500, "change": change},
            "packages": {"spent": 30, "limit": null, "change": null},
            "won": 100,
        }])
    );
}

#[tokio::test]
async fn a_limit_is_set_and_removed() {
    let world = World::new().await;
    for (json, kind, period, limit) in [
        (
            r#"{"kind":"MONEY_IN","period":"DAY","limit":500}"#,
            SpendingKind::MoneyIn,
            SpendingPeriod::Day,
            Some(Money { cents: 50_000 }),
        ),
        (
            r#"{"kind":"PACKAGES","period":"MONTH","limit":null}"#,
            SpendingKind::Packages,
            SpendingPeriod::Month,
            None,
        ),
        (
            r#"{"kind":"GAMES","period":"YEAR"}"#,
            SpendingKind::Unspecified,
            SpendingPeriod::Unspecified,
            None,
        ),
    ] {
        let reply = read(world.send_signed_in("PUT", "/api/spending/limit", json)).await;
        assert_eq!(reply.payload()[0]["period"], "WEEK");
        let sent = world.stub.received::<SetSpendingLimitRequest>();
        let request = &sent.last().unwrap().1;
        let received = (request.kind(), request.period(), request.limit);
        assert_eq!(received, (kind, period, limit));
    }
    let json = r#"{"kind":"MONEY_IN","period":"DAY","limit":"500"}"#;
    let refused = read(world.send_signed_in("PUT", "/api/spending/limit", json)).await;
    assert_eq!(refused.wrong_fields(), ["limit"]);
}

#[tokio::test]
async fn a_break_is_started_by_its_length() {
    let world = World::new().await;
    for (length, expected) in [
        ("DAY", BreakLength::Day),
        ("FIVE_YEARS", BreakLength::FiveYears),
        ("FOREVER", BreakLength::Unspecified),
    ] {
        let json = format!(r#"{{"length":"{length}"}}"#);
        let reply = read(world.send_signed_in("POST", "/api/profile/break", &json)).await;
        assert_eq!(reply.payload(), json!({"endsAt": "2026-11-20T09:00:00.500Z"}));
        let sent = world.stub.received::<StartBreakRequest>();
        assert_eq!(sent.last().unwrap().1.length(), expected);
    }
}
