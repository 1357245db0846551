//! A stub of the gateway's hook for callbacks.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    routing::post,
};
use mesh::Shutdown;
use proto::wallet::v1::{
    Provider, ReceiveCallbackRequest, callback_service_client::CallbackServiceClient,
};
use tonic::Code;

/// The gateway's hook: forwards callbacks to the wallet.
pub(crate) struct Hook {
    pub(crate) addr: SocketAddr,
    wallet: Arc<Mutex<Option<SocketAddr>>>,
    pub(crate) seen: Arc<Mutex<Vec<SeenCallback>>>,
}

/// The secret and the body of a callback.
pub(crate) type SeenCallback = (String, Vec<u8>);

#[derive(Clone)]
struct HookState {
    wallet: Arc<Mutex<Option<SocketAddr>>>,
    seen: Arc<Mutex<Vec<SeenCallback>>>,
}

impl Hook {
    pub(crate) async fn open(shutdown: &Shutdown) -> Self {
        let state = HookState { wallet: Arc::default(), seen: Arc::default() };
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let router =
            Router::new().route("/hooks/{kind}/{secret}", post(forward)).with_state(state.clone());
        shutdown.spawn("hook", async move { axum::serve(listener, router).await.unwrap() });
        Self { addr, wallet: state.wallet, seen: state.seen }
    }

    pub(crate) fn set_wallet(&self, wallet: Option<SocketAddr>) {
        *self.wallet.lock().unwrap() = wallet;
    }
}

async fn forward(
    State(state): State<HookState>,
    Path((kind, secret)): Path<(String, String)>,
    body: Bytes,
) -> StatusCode {
    let provider = match kind.as_str() {
        "stk" => Provider::MpesaStk,
        "b2c" => Provider::MpesaB2c,
        "timeout" => Provider::MpesaTimeout,
        "status" => Provider::MpesaStatus,
        "reversal" => Provider::MpesaReversal,
        _ => return StatusCode::NOT_FOUND,
    };
    state.seen.lock().unwrap().push((secret.clone(), body.to_vec()));
    let Some(wallet) = *state.wallet.lock().unwrap() else {
        return StatusCode::SERVICE_UNAVAILABLE;
    };
    let upstream = testkit::upstream("gateway", "svc-wallet", wallet);
    let request = ReceiveCallbackRequest {
        provider: provider.into(),
        secret,
        body: body.to_vec(),
        source_ip: "127.0.0.1".to_owned(),
        signature: String::new(),
    };
    match CallbackServiceClient::new(upstream).receive_callback(request).await {
        Ok(_) => StatusCode::OK,
        Err(status) if status.code() == Code::NotFound => StatusCode::NOT_FOUND,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}
