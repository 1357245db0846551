//! Restarts on the same folder.

use std::path::PathBuf;

use sandbox::Options;
use serde_json::json;

use crate::support::{Harness, PHONE};

/// A temporary folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sandbox-it-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn options(&self) -> Options {
        Options { state: Some(self.0.clone()), ..Options::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn restores_the_state() {
    let folder = Folder::new("state");
    let mut before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"delayMs": 0, "callbacks": 2})).await;
    before.pay(PHONE, 100).await;
    before.callbacks.next().await;
    before.callbacks.next().await;
    before.control(reqwest::Method::PATCH, "/settings", json!({"askMe": true})).await;
    let paths = ["/handsets", "/bank", "/settings", "/faults"];
    let mut seen = Vec::new();
    for path in paths {
        seen.push(before.get(path).await);
    }
    let token = before.token.clone();
    before.running.shutdown().await;

    let mut after = Harness::start_with(folder.options()).await;
    for (path, seen) in paths.iter().zip(seen) {
        assert_eq!(after.get(path).await, seen, "{path}");
    }
    assert_ne!(after.token, token, "the harness has requested a new one");
    assert!(after.callbacks.is_empty(), "no callback is posted twice");
}

#[tokio::test]
async fn resumes_an_open_prompt() {
    let folder = Folder::new("open");
    let before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"stk": "manual"})).await;
    let manual = before.pay(PHONE, 100).await;
    before.script("254112345678", json!({"stk": "approve", "delayMs": 60_000})).await;
    before.pay("254112345678", 30).await;
    let Harness { running, mut callbacks, .. } = before;
    running.shutdown().await;
    assert!(callbacks.is_empty(), "a shutdown settles nothing");

    let after = Harness::start_with(folder.options()).await;
    assert!(after.get("/handsets").await[1]["prompt"]["manual"].as_bool().unwrap());
    let pin = json!({"action": "pin", "pin": "1234"});
    after.control(reqwest::Method::POST, &format!("/handsets/{PHONE}/prompt"), pin).await;
    assert_eq!(after.outcome(&manual["CheckoutRequestID"]).await["ResultCode"], "0");
    // The callback goes to the URL of the request before the restart.
    let callback = callbacks.next().await.stk_callback();
    assert_eq!(callback["CheckoutRequestID"], manual["CheckoutRequestID"]);
}

#[tokio::test]
async fn skips_a_truncated_last_line_and_names_an_invalid_one() {
    let folder = Folder::new("cut");
    let before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"stk": "cancel"})).await;
    before.running.shutdown().await;
    let journal = folder.0.join("journal.jsonl");
    let whole = std::fs::read_to_string(&journal).unwrap();

    std::fs::write(&journal, format!("{whole}{{\"fact\":\"hand")).unwrap();
    let after = Harness::start_with(folder.options()).await;
    assert_eq!(after.get("/handsets").await[0]["stk"], "cancel");
    after.running.shutdown().await;

    std::fs::write(&journal, format!("nonsense\n{whole}")).unwrap();
    let error = sandbox::start(folder.options()).await.unwrap_err().to_string();
    assert!(error.contains("line 1 of") && error.contains("SANDBOX_STATE"), "{error}");
}
