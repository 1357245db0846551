//! An HTTP/1.1 client with one keep-alive connection and one request at a time.
//!
//! It has no pool and follows no redirects: the load generator shares the cores with
//! what it measures, so it does as little work as HTTP allows.

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

use crate::address::Target;

/// The time a request may take; the frontend has the same limit.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The largest reply body that is read; replies of the API are smaller.
const MAX_REPLY: usize = 1024 * 1024;

/// A request with its whole body.
pub(crate) type HttpRequest = Request<Full<Bytes>>;

/// A reply with its whole body.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
}

/// One connection, opened by its first request and again after it broke.
pub(crate) struct Connection {
    target: Target,
    open: Option<OpenConnection>,
}

struct OpenConnection {
    sender: SendRequest<Full<Bytes>>,
    /// Reads and writes the socket; aborted when this is dropped.
    _driver: JoinSet<()>,
}

impl Connection {
    /// A connection that is not open yet.
    pub(crate) const fn new(target: Target) -> Self {
        Self { target, open: None }
    }

    /// Sends a request and reads the whole reply.
    pub(crate) async fn call(&mut self, request: HttpRequest) -> Result<Reply> {
        let reply = timeout(TIMEOUT, self.exchange(request)).await;
        let reply = reply.unwrap_or_else(|_| Err(anyhow!("no reply within 20 s")));
        if reply.is_err() {
            self.open = None;
        }
        reply
    }

    /// Sends a request and returns after the reply's head; the caller reads the body.
    pub(crate) async fn send(&mut self, mut request: HttpRequest) -> Result<Response<Incoming>> {
        if !request.headers().contains_key(header::HOST) {
            let host = self.target.address().to_string();
            request.headers_mut().insert(header::HOST, host.parse()?);
        }
        let open = self.ready().await?;
        open.sender.send_request(request).await.context("the connection broke")
    }

    /// Sends an API call and returns the payload of its envelope. Only preparations use
    /// this: measured replies are not parsed.
    pub(crate) async fn call_api<T: DeserializeOwned>(
        &mut self,
        request: HttpRequest,
    ) -> Result<T> {
        let call = format!("{} {}", request.method(), request.uri().path());
        let reply = self.call(request).await.with_context(|| call.clone())?;
        if !reply.status.is_success() {
            return Err(anyhow!("{call}: {}", error_kind(&reply)));
        }
        let envelope: Envelope<T> = serde_json::from_slice(&reply.body).context(call)?;
        Ok(envelope.payload)
    }

    async fn exchange(&mut self, request: HttpRequest) -> Result<Reply> {
        let response = self.send(request).await?;
        let status = response.status();
        let body = Limited::new(response.into_body(), MAX_REPLY).collect().await;
        let body = body.map_err(|error| anyhow!("the reply broke off: {error}"))?;
        Ok(Reply { status, body: body.to_bytes() })
    }

    async fn ready(&mut self) -> Result<&mut OpenConnection> {
        let usable = match self.open.take() {
            Some(mut open) => open.sender.ready().await.is_ok().then_some(open),
            None => None,
        };
        let open = match usable {
            Some(open) => open,
            None => connect(self.target).await?,
        };
        Ok(self.open.insert(open))
    }
}

/// The envelope of every reply under `/api`.
#[derive(serde::Deserialize)]
struct Envelope<T> {
    payload: T,
}

/// The part of an error's payload that is used here.
#[derive(serde::Deserialize)]
struct ErrorPayload {
    code: String,
}

/// The status and the REASON code of a failed call, by which errors are counted.
pub(crate) fn error_kind(reply: &Reply) -> String {
    let status = reply.status.as_u16();
    match serde_json::from_slice::<Envelope<ErrorPayload>>(&reply.body) {
        Ok(envelope) => format!("{status} {}", envelope.payload.code),
        Err(_) => format!("{status}"),
    }
}

/// A GET request.
pub(crate) fn get(path: &str) -> Result<HttpRequest> {
    Ok(Request::builder().uri(path).body(Full::default())?)
}

/// A request with a JSON body.
pub(crate) fn json<T: Serialize>(method: Method, path: &str, body: &T) -> Result<HttpRequest> {
    let body = Full::from(serde_json::to_vec(body)?);
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json")
        .body(body)?;
    Ok(request)
}

async fn connect(target: Target) -> Result<OpenConnection> {
    let stream = TcpStream::connect(target.address())
        .await
        .with_context(|| format!("cannot connect to {target}"))?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // The next request on this connection returns the error.
        let _ = connection.await;
    });
    Ok(OpenConnection { sender, _driver: driver })
}
