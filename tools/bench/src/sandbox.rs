//! The outside world: handsets that pay when they are asked to.

use anyhow::{Context as _, Result};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    client::{self, Connection, Outgoing, kind_of},
    target::Target,
};

/// Any four digits but 0000 are right on every handset of the sandbox.
const PIN: &str = "1234";

/// The sandbox's control API.
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
    /// Not yet dialled.
    pub(crate) const fn at(target: Target) -> Self {
        Self { connection: Connection::to(target) }
    }

    /// A handset whose owner pays at once.
    pub(crate) async fn approves(&mut self, msisdn: &str) -> Result<()> {
        self.script(msisdn, &json!({"stk": "approve", "delayMs": 0})).await
    }

    /// A handset that waits for [`Self::pay`].
    pub(crate) async fn waits(&mut self, msisdn: &str) -> Result<()> {
        self.script(msisdn, &json!({"stk": "manual"})).await
    }

    /// Whether a prompt is on the screen.
    pub(crate) async fn rings(&mut self, msisdn: &str) -> Result<bool> {
        let path = format!("/control/handsets/{msisdn}");
        let handset: Handset = self.ask(client::get(&path)?).await?;
        Ok(handset.prompt.is_some())
    }

    /// Enters the PIN into the prompt on the screen.
    pub(crate) async fn pay(&mut self, msisdn: &str) -> Result<()> {
        let path = format!("/control/handsets/{msisdn}/prompt");
        let gesture = json!({"action": "pin", "pin": PIN});
        self.ask::<serde::de::IgnoredAny>(client::send(Method::POST, &path, &gesture)?).await?;
        Ok(())
    }

    /// When the handset's newest payment was settled, by the sandbox's clock:
    /// the moment before it writes the outcome down and posts the callback.
    pub(crate) async fn settled_at(&mut self, msisdn: &str) -> Result<OffsetDateTime> {
        let payments: Vec<Payment> = self.ask(client::get("/control/payments")?).await?;
        let newest = payments.into_iter().find(|payment| payment.msisdn == msisdn);
        let settled = newest.and_then(|payment| payment.settled);
        Ok(settled.context("the sandbox knows of no settled payment")?.at)
    }

    async fn script<T: Serialize>(&mut self, msisdn: &str, script: &T) -> Result<()> {
        let path = format!("/control/handsets/{msisdn}");
        self.ask::<serde::de::IgnoredAny>(client::send(Method::PUT, &path, script)?).await?;
        Ok(())
    }

    async fn ask<T: for<'de> Deserialize<'de>>(&mut self, request: Outgoing) -> Result<T> {
        let what = format!("sandbox: {} {}", request.method(), request.uri().path());
        let answer = self.connection.call(request).await.with_context(|| what.clone())?;
        if !answer.status.is_success() {
            anyhow::bail!("{what}: {}", kind_of(&answer));
        }
        serde_json::from_slice(&answer.body).context(what)
    }
}
