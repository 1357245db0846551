//! One keep-alive connection, used for one request at a time.
//!
//! No pool and no redirects: a load generator shares the cores with what it
//! measures, so it does as little as HTTP allows.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    body::{Bytes, Incoming},
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{net::TcpStream, task::JoinSet, time::timeout};

use crate::target::Target;

/// As long as a client of the product waits.
const PATIENCE: Duration = Duration::from_secs(20);
/// No reply of the contract is longer.
const LONGEST_REPLY: usize = 1024 * 1024;

/// A request as it goes out.
pub(crate) type Outgoing = Request<Full<Bytes>>;

/// A reply, read to its end.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
}

/// One connection; dialled at its first request, and again after it broke.
pub(crate) struct Connection {
    target: Target,
    open: Option<Open>,
}

struct Open {
    sender: SendRequest<Full<Bytes>>,
    /// Moves the bytes; ends with the connection.
    _driver: JoinSet<()>,
}

impl Connection {
    /// Not yet dialled.
    pub(crate) const fn to(target: Target) -> Self {
        Self { target, open: None }
    }

    /// Sends a request and reads the whole reply.
    pub(crate) async fn call(&mut self, request: Outgoing) -> Result<Answer> {
        let answer = timeout(PATIENCE, self.exchange(request)).await;
        let answer = answer.unwrap_or_else(|_| Err(anyhow!("no reply within 20 s")));
        if answer.is_err() {
            self.open = None;
        }
        answer
    }

    /// Sends a request and leaves the reading of the reply to the caller.
    pub(crate) async fn begin(&mut self, mut request: Outgoing) -> Result<Response<Incoming>> {
        if !request.headers().contains_key(header::HOST) {
            let host = self.target.address().to_string();
            request.headers_mut().insert(header::HOST, host.parse()?);
        }
        let open = self.open().await?;
        open.sender.send_request(request).await.context("the connection broke")
    }

    async fn exchange(&mut self, request: Outgoing) -> Result<Answer> {
        let response = self.begin(request).await?;
        let status = response.status();
        let body = Limited::new(response.into_body(), LONGEST_REPLY).collect().await;
        let body = body.map_err(|error| anyhow!("the reply broke off: {error}"))?;
        Ok(Answer { status, body: body.to_bytes() })
    }

    async fn open(&mut self) -> Result<&mut Open> {
        let usable = match self.open.take() {
            Some(mut open) => open.sender.ready().await.is_ok().then_some(open),
            None => None,
        };
        let open = match usable {
            Some(open) => open,
            None => dial(self.target).await?,
        };
        Ok(self.open.insert(open))
    }

    /// A JSON call of the contract, with the payload of its envelope. For
    /// preparations; what is measured is not parsed.
    pub(crate) async fn ask<T: DeserializeOwned>(&mut self, request: Outgoing) -> Result<T> {
        let what = format!("{} {}", request.method(), request.uri().path());
        let answer = self.call(request).await.with_context(|| what.clone())?;
        if !answer.status.is_success() {
            return Err(anyhow!("{what}: {}", kind_of(&answer)));
        }
        let envelope: Envelope<T> = serde_json::from_slice(&answer.body).context(what)?;
        Ok(envelope.payload)
    }
}

/// What every call under `/api` is answered in.
#[derive(serde::Deserialize)]
struct Envelope<T> {
    payload: T,
}

/// A refusal's payload, as far as it is of interest here.
#[derive(serde::Deserialize)]
struct Trouble {
    code: String,
}

/// A reply that was not hoped for, in words that can be counted.
pub(crate) fn kind_of(answer: &Answer) -> String {
    let status = answer.status.as_u16();
    match serde_json::from_slice::<Envelope<Trouble>>(&answer.body) {
        Ok(envelope) => format!("{status} {}", envelope.payload.code),
        Err(_) => format!("{status}"),
    }
}

/// A request without a body.
pub(crate) fn get(path: &str) -> Result<Outgoing> {
    Ok(Request::builder().uri(path).body(Full::default())?)
}

/// A request with a JSON body.
pub(crate) fn send<T: Serialize>(method: Method, path: &str, body: &T) -> Result<Outgoing> {
    let body = Full::from(serde_json::to_vec(body)?);
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json")
        .body(body)?;
    Ok(request)
}

async fn dial(target: Target) -> Result<Open> {
    let stream = TcpStream::connect(target.address())
        .await
        .with_context(|| format!("nobody listens at {target}"))?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // Its end is seen by whoever sends the next request.
        let _ = connection.await;
    });
    Ok(Open { sender, _driver: driver })
}
