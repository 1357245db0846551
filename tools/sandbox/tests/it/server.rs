//! The start, the page and the shutdown.

use reqwest::StatusCode;
use sandbox::{Options, StartError};

use crate::support::Harness;

#[tokio::test]
async fn serves_its_page_and_health_check() {
    let sandbox = Harness::start().await;
    for (path, kind, part) in [
        ("/", "text/html", "/page.js"),
        ("/page.js", "text/javascript", "EventSource"),
        ("/dom.js", "text/javascript", "export"),
        ("/mailbox.js", "text/javascript", "export"),
        ("/phone.js", "text/javascript", "export"),
        ("/tokens.css", "text/css", "--mango"),
        ("/page.css", "text/css", ".phone"),
        ("/sign-in.css", "text/css", ".face"),
        ("/icon.svg", "image/svg+xml", "<svg"),
        ("/healthz", "text/plain", "ok"),
    ] {
        let reply = sandbox.http.get(sandbox.url(path)).send().await.unwrap();
        assert_eq!(reply.status(), StatusCode::OK, "{path}");
        assert!(reply.headers()["content-type"].to_str().unwrap().starts_with(kind), "{path}");
        assert!(reply.text().await.unwrap().contains(part), "{path}");
    }
}

#[tokio::test]
async fn names_a_port_in_use() {
    let first = sandbox::start(Options::default()).await.unwrap();
    let error = sandbox::start(Options { listen: first.addr, ..Options::default() }).await;
    let error = error.unwrap_err();
    assert!(matches!(error, StartError::PortInUse { listen, .. } if listen == first.addr));
    assert!(error.to_string().starts_with("PORT in use: 127.0.0.1:"), "{error}");
    let options = Options { mail_listen: first.mail_addr, ..Options::default() };
    let error = sandbox::start(options).await.unwrap_err();
    assert!(error.to_string().ends_with("set MAIL_LISTEN"), "{error}");
}

#[tokio::test]
async fn refuses_a_body_beyond_the_limit() {
    let sandbox = Harness::start().await;
    let big = format!("{{\"x\": \"{}\"}}", "y".repeat(17 * 1024));
    for path in ["/control/settings", "/control/faults"] {
        let method =
            if path.ends_with("faults") { reqwest::Method::PUT } else { reqwest::Method::PATCH };
        let request = sandbox.http.request(method, sandbox.url(path)).body(big.clone());
        assert_eq!(request.send().await.unwrap().status(), StatusCode::PAYLOAD_TOO_LARGE, "{path}");
    }
}

#[tokio::test]
async fn a_shutdown_ends_event_streams() {
    let sandbox = Harness::start().await;
    let url = sandbox.url("/control/changes");
    let mut events = sandbox.http.get(&url).send().await.unwrap();
    events.chunk().await.unwrap();
    let address = sandbox.running.addr;
    assert!(sandbox.running.shutdown().await, "the shutdown waits for no stream");
    assert_eq!(events.chunk().await.unwrap(), None);
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}
