//! Metrics for Prometheus, and the probes beside them.

use mesh::{Probes, Shutdown};

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
