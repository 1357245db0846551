//! Metrics for Prometheus, and the probes beside them.

use mesh::{Probes, Shutdown};
use serde_json::json;

use crate::world::{World, read};

#[tokio::test]
async fn calls_are_counted_by_route_and_no_client_can_invent_a_series() {
    let shutdown = Shutdown::new();
    let probes = Probes::new(&shutdown);
    let port = probes.serve(([127, 0, 0, 1], 0).into(), &shutdown).await.unwrap();
    let world = World::new().await;
    for (method, path) in [
        ("GET", "/api/games/get/secret-id-1"),
        ("GET", "/api/games/get/secret-id-1/"),
        ("BREW", "/api/games/list"),
        ("GET", "/api/secret-path"),
        ("GET", "/secret-file"),
        ("POST", "/hooks/stk/feed0000feed0000feed0000feed0000"),
    ] {
        read(world.call(method, path)).await;
    }
    let metrics = read(world.http.get(format!("http://{port}/metrics"))).await;
    let metrics = metrics.text();
    for series in [
        r#"{method="GET",route="/api/games/get/{id}",status="200"}"#,
        r#"{method="OTHER",route="/api/games/list",status="405"}"#,
        r#"{method="GET",route="/api/{unknown}",status="404"}"#,
        r#"{method="GET",route="/{file}",status="404"}"#,
        r#"{method="POST",route="/hooks/stk/{secret}",status="200"}"#,
    ] {
        let series = format!("http_server_requests_total{series}");
        assert!(metrics.contains(&series), "no {series} in {metrics}");
    }
    assert!(metrics.contains("http_server_request_duration_seconds_bucket"));
    assert!(!metrics.contains("secret-") && !metrics.contains("BREW"));

    let probe =
        async |path: &str| read(world.http.get(format!("http://{port}{path}"))).await.status;
    assert_eq!(probe("/healthz").await, 200);
    assert_eq!(probe("/readyz").await, 503, "no service was built for these probes");
}

#[tokio::test]
async fn web_vitals_of_phones_become_histograms_and_no_value_hides_the_others() {
    let shutdown = Shutdown::new();
    let port = Probes::new(&shutdown).serve(([127, 0, 0, 1], 0).into(), &shutdown).await.unwrap();
    let world = World::new().await;
    let vitals = json!({"lcp": 1_850, "ttfb": u32::MAX, "cls": 20, "unknown": 1});
    let answer = read(world.call("POST", "/api/rum").json(&vitals)).await;
    assert_eq!(answer.status, 200);
    for refused in [json!({"lcp": 1.5}), json!({"lcp": -1}), json!({"cls": "20"})] {
        let answer = read(world.call("POST", "/api/rum").json(&refused)).await;
        assert_eq!(answer.status, 400, "{refused}");
    }
    let metrics = read(world.http.get(format!("http://{port}/metrics"))).await;
    let metrics = metrics.text();
    for series in [
        r#"web_vital_seconds_bucket{name="lcp",le="1.8"} 0"#,
        r#"web_vital_seconds_bucket{name="lcp",le="2.5"} 1"#,
        "web_vital_seconds_sum{name=\"ttfb\"} 60\n",
        r#"web_layout_shift_thousandths_bucket{le="10"} 0"#,
        r#"web_layout_shift_thousandths_bucket{le="50"} 1"#,
    ] {
        assert!(metrics.contains(series), "no {series} in {metrics}");
    }
    assert!(!metrics.contains("unknown=") && !metrics.contains(r#"name="inp""#));
}
