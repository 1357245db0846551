//! Codes by SMS during a fault. Each accepted code must reach its phone.

use std::{
    ops::Range,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use journeys::Mesh;
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    capability::{Capability, api},
    row::holds_within,
    samples::Samples,
};

/// The number of captchas that are solved before a row; once they are used, no more codes are
/// requested.
const CAPTCHAS: usize = 12;
/// The longest that an accepted message may take after the fault.
const LIMIT: Duration = Duration::from_mins(2);

/// Requests codes during a fault.
pub(crate) struct Messages {
    mesh: Mesh,
    captchas: Vec<String>,
    calls: JoinSet<()>,
    accepted: Arc<Mutex<Vec<(String, Instant)>>>,
}

impl Messages {
    /// Solves captchas, which takes some seconds.
    pub(crate) async fn new(mesh: &Mesh) -> Self {
        let mut captchas = Vec::new();
        for _ in 0..CAPTCHAS {
            captchas.push(mesh.solved_captcha().await);
        }
        Self { mesh: mesh.clone(), captchas, calls: JoinSet::new(), accepted: Arc::default() }
    }

    /// Requests a code to a new phone.
    pub(crate) fn send(&mut self, samples: &Samples) {
        let Some(captcha) = self.captchas.pop() else { return };
        let (mesh, samples, accepted) = (self.mesh.clone(), samples.clone(), self.accepted.clone());
        self.calls.spawn(async move {
            let phone = mesh.new_phone();
            let body = json!({"phone": phone, "captcha": captcha});
            let sent = Instant::now();
            let call = mesh.call(Method::POST, "/api/auth/phone/start").json(&body);
            let (outcome, _) = api(call).await;
            if outcome.is_ok() {
                accepted.lock().unwrap().push((phone, sent));
            }
            samples.add(Capability::Code, sent, outcome);
        });
    }

    /// Waits until each request has been answered.
    pub(crate) async fn answered(&mut self) {
        while let Some(call) = self.calls.join_next().await {
            call.unwrap();
        }
    }

    /// Waits until every accepted message has arrived; returns their number, or the one that did
    /// not. `lost_by_provider` is the time in which the provider itself was out: it may have lost
    /// messages that it accepted, and the player requests another code.
    pub(crate) async fn arrived(&self, lost_by_provider: Range<Instant>) -> Result<usize, String> {
        let accepted = self.accepted.lock().unwrap().clone();
        let sandbox = self.mesh.sandbox();
        let mut count = 0;
        for (phone, sent) in &accepted {
            let arrived = || async { !sandbox.texts_to(phone).await.is_empty() };
            if lost_by_provider.contains(sent) {
                count += usize::from(arrived().await);
            } else if holds_within(LIMIT, arrived).await {
                count += 1;
            } else {
                return Err(format!("the code to {phone} did not arrive"));
            }
        }
        Ok(count)
    }
}
