//! The sandbox's control API: handsets and their M-Pesa prompts.

use anyhow::{Context as _, Result};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    address::Target,
    client::{self, Connection, HttpRequest, error_kind},
};

/// Every handset of the sandbox accepts any four digits but 0000.
const PIN: &str = "1234";

/// A client of the control API.
pub(crate) struct Sandbox {
    connection: Connection,
}

#[derive(Deserialize)]
struct Handset {
    prompt: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Payment {
    msisdn: String,
    settled: Option<Settled>,
}

#[derive(Deserialize)]
struct Settled {
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

impl Sandbox {
    /// A client whose connection is not open yet.
    pub(crate) const fn new(target: Target) -> Self {
        Self { connection: Connection::new(target) }
    }

    /// Makes a handset approve every prompt at once.
    pub(crate) async fn approve_prompts(&mut self, msisdn: &str) -> Result<()> {
        self.script(msisdn, &json!({"stk": "approve", "delayMs": 0})).await
    }

    /// Makes a handset keep its prompts until [`Self::enter_pin`].
    pub(crate) async fn keep_prompts(&mut self, msisdn: &str) -> Result<()> {
        self.script(msisdn, &json!({"stk": "manual"})).await
    }

    /// Whether a handset shows a prompt.
    pub(crate) async fn has_prompt(&mut self, msisdn: &str) -> Result<bool> {
        let path = format!("/control/handsets/{msisdn}");
        let handset: Handset = self.call(client::get(&path)?).await?;
        Ok(handset.prompt.is_some())
    }

    /// Enters the right PIN into the prompt of a handset.
    pub(crate) async fn enter_pin(&mut self, msisdn: &str) -> Result<()> {
        let path = format!("/control/handsets/{msisdn}/prompt");
        let action = json!({"action": "pin", "pin": PIN});
        self.call::<serde::de::IgnoredAny>(client::json(Method::POST, &path, &action)?).await?;
        Ok(())
    }

    /// When the newest payment of a handset was settled, by the sandbox's clock: before
    /// the sandbox stores the result and posts the callback.
    pub(crate) async fn settled_at(&mut self, msisdn: &str) -> Result<OffsetDateTime> {
        let payments: Vec<Payment> = self.call(client::get("/control/payments")?).await?;
        let newest = payments.into_iter().find(|payment| payment.msisdn == msisdn);
        let settled = newest.and_then(|payment| payment.settled);
        Ok(settled.context("the sandbox has no settled payment of this handset")?.at)
    }

    async fn script<T: Serialize>(&mut self, msisdn: &str, script: &T) -> Result<()> {
        let path = format!("/control/handsets/{msisdn}");
        self.call::<serde::de::IgnoredAny>(client::json(Method::PUT, &path, script)?).await?;
        Ok(())
    }

    async fn call<T: for<'de> Deserialize<'de>>(&mut self, request: HttpRequest) -> Result<T> {
        let call = format!("sandbox: {} {}", request.method(), request.uri().path());
        let reply = self.connection.call(request).await.with_context(|| call.clone())?;
        if !reply.status.is_success() {
            anyhow::bail!("{call}: {}", error_kind(&reply));
        }
        serde_json::from_slice(&reply.body).context(call)
    }
}
