//! A process that answers every RPC of the contract.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{Router, extract::Request, response::Response};
use http::HeaderMap;
use mesh::{
    App, Base, Running,
    auth::{Admission, Verifier},
    grpc::client::Outgoing,
};
use testkit::Tokens;
use tonic::{Code, Status, body::Body, service::Routes};
use tower::{Service, ServiceExt as _};

/// The names of all processes.
pub(crate) const PROCESSES: [&str; 6] =
    ["gateway", "svc-auth", "svc-wallet", "svc-games", "svc-tournament", "svc-chat"];

/// A running process. Its replies are empty messages, unless `answer` decides otherwise.
pub(crate) struct Process {
    pub(crate) base: Base,
    pub(crate) tokens: Tokens,
    pub(crate) addr: SocketAddr,
    pub(crate) calls: Calls,
    running: Running,
}

/// The calls that a process answered.
#[derive(Clone, Default)]
pub(crate) struct Calls {
    count: Arc<AtomicU32>,
    last: Arc<Mutex<HeaderMap>>,
}

impl Calls {
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    pub(crate) fn last_headers(&self) -> HeaderMap {
        self.last.lock().unwrap().clone()
    }
}

impl Process {
    pub(crate) async fn start(name: &'static str) -> Self {
        Self::with(testkit::base(name), 0, |_| async { Code::Ok }).await
    }

    /// Starts a process that admits operators in a way of its own.
    pub(crate) async fn with_admission(base: Base, admission: Admission) -> Self {
        let tokens = Tokens::new(&base.clock);
        let verifier = tokens.verifier_with(admission);
        Self::run((base, 0), (tokens, verifier), |_| async { Code::Ok }).await
    }

    /// Starts a process that verifies its callers in a way of its own.
    pub(crate) async fn with_verifier(base: Base, verifier: Verifier) -> Self {
        let tokens = Tokens::new(&base.clock);
        Self::run((base, 0), (tokens, verifier), |_| async { Code::Ok }).await
    }

    /// Starts a process on a port. `answer` gives the code of each call by its number, from 1.
    pub(crate) async fn with<F, Fut>(base: Base, port: u16, answer: F) -> Self
    where
        F: Fn(u32) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Code> + Send + 'static,
    {
        let tokens = Tokens::new(&base.clock);
        let verifier = tokens.verifier();
        Self::run((base, port), (tokens, verifier), answer).await
    }

    async fn run<F, Fut>(
        (base, port): (Base, u16),
        (tokens, verifier): (Tokens, Verifier),
        answer: F,
    ) -> Self
    where
        F: Fn(u32) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Code> + Send + 'static,
    {
        let calls = Calls::default();
        let seen = calls.clone();
        let router = Router::new().fallback(move |request: Request| {
            let number = seen.count.fetch_add(1, Ordering::SeqCst) + 1;
            *seen.last.lock().unwrap() = request.headers().clone();
            let answer = answer.clone();
            async move { reply(answer(number).await) }
        });
        let ready: mesh::Readiness = Arc::new(|| Box::pin(async { Ok(()) }));
        let app = App::grpc(Routes::from(router), verifier, ready);
        let args = mesh::Args { listen: ([127, 0, 0, 1], port).into(), ..testkit::args() };
        let running = mesh::start(&base, &args, app).await.unwrap();
        Self { base, tokens, addr: running.addr, calls, running }
    }

    /// A client of this process in the name of another one.
    pub(crate) fn client(&self, caller: &'static str) -> Outgoing {
        testkit::upstream(caller, self.base.name, self.addr)
    }

    pub(crate) async fn stop(self) {
        assert!(self.running.stop().await, "it drains");
    }
}

fn reply(code: Code) -> Response {
    if code == Code::Ok {
        let headers = [("content-type", "application/grpc"), ("grpc-status", "0")];
        return axum::response::IntoResponse::into_response((headers, ""));
    }
    Status::new(code, "as the test expects").into_http::<Body>().map(axum::body::Body::new)
}

/// Calls an RPC with an empty message; returns its code.
pub(crate) async fn call<S, B>(upstream: &S, path: &str, token: Option<&str>) -> Code
where
    S: Service<http::Request<Body>, Response = http::Response<B>, Error = Status> + Clone,
{
    let mut request = http::Request::post(path).header("content-type", "application/grpc");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let message = tonic::body::Body::new(http_body_util::Full::from(vec![0_u8; 5]));
    match upstream.clone().oneshot(request.body(message).unwrap()).await {
        Ok(response) => {
            let code = response.headers().get("grpc-status");
            code.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
        }
        Err(status) => status.code(),
    }
}
