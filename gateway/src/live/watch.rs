//! svc-wallet's updates of payments. A stream that breaks is opened again.

use std::time::Duration;

use futures_util::{Stream, stream};
use http::HeaderValue;
use mesh::{Fault, call::Call, grpc::client::Upstream};
use proto::wallet::v1::{
    WatchPaymentsRequest, WatchPaymentsResponse, wallet_service_client::WalletServiceClient,
};
use tonic::{Code, Status, Streaming};
use tracing::info;
use types::Rng;

use crate::Gateway;

/// Longest that svc-wallet may take to open a stream.
const OPEN_LIMIT: Duration = Duration::from_secs(5);
/// How often a broken stream is opened again before the reader's stream fails; some six
/// seconds in all, enough to replace an instance of the service.
const TRIES: u32 = 5;
/// Pause before the first of them; the next is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// A subscription to a player's payments.
pub(super) struct Watch {
    wallet: WalletServiceClient<Upstream>,
    payments: Vec<String>,
    authorization: Option<HeaderValue>,
    rng: Rng,
    stream: Streaming<WatchPaymentsResponse>,
}

impl Watch {
    /// Opens the stream, or returns svc-wallet's refusal.
    pub(super) async fn open(
        gateway: &Gateway,
        authorization: Option<HeaderValue>,
        payments: Vec<String>,
    ) -> Result<Self, Status> {
        let wallet = gateway.upstreams().wallet();
        let stream = open(&wallet, &payments, authorization.as_ref()).await;
        Ok(Self {
            stream: stream.map_err(|status| Fault::from_status(&status))?,
            wallet,
            payments,
            authorization,
            rng: gateway.rng().clone(),
        })
    }

    /// The current state of each payment, then every change. Ends when all are final, or
    /// with a fault. After a break the current states come again.
    pub(super) fn updates(self) -> impl Stream<Item = Result<WatchPaymentsResponse, Fault>> {
        stream::unfold(Some(self), |watch| async {
            let mut watch = watch?;
            match watch.next().await {
                Ok(Some(update)) => Some((Ok(update), Some(watch))),
                Ok(None) => None,
                Err(fault) => Some((Err(fault), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<WatchPaymentsResponse>, Fault> {
        loop {
            match self.stream.message().await {
                Ok(update) => return Ok(update),
                Err(status) if is_transient(&status) => self.reopen().await?,
                Err(status) => return Err(Fault::from_status(&status)),
            }
        }
    }

    async fn reopen(&mut self) -> Result<(), Fault> {
        for attempt in 0..TRIES {
            let pause = FIRST_PAUSE * 2_u32.pow(attempt);
            tokio::time::sleep(pause + self.rng.jitter(pause)).await;
            match open(&self.wallet, &self.payments, self.authorization.as_ref()).await {
                Ok(stream) => {
                    self.stream = stream;
                    return Ok(());
                }
                Err(status) if is_transient(&status) => {
                    info!(attempt, code = ?status.code(), "svc-wallet's stream is still broken");
                }
                Err(status) => return Err(Fault::from_status(&status)),
            }
        }
        Err(Fault::unavailable())
    }
}

async fn open(
    wallet: &WalletServiceClient<Upstream>,
    payments: &[String],
    authorization: Option<&HeaderValue>,
) -> Result<Streaming<WatchPaymentsResponse>, Status> {
    let request = WatchPaymentsRequest { payment_ids: payments.to_vec() };
    // The limit is for the opening; the stream has none.
    let call = Call::new(OPEN_LIMIT, authorization);
    let mut wallet = wallet.clone();
    let opened = call.run(async { wallet.watch_payments(request).await });
    Ok(opened.await?.into_inner())
}

/// Whether another try may succeed: the connection or the service broke, and no rule
/// refused the call.
fn is_transient(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable
        | Code::Unknown
        | Code::Internal
        | Code::Cancelled
        | Code::Aborted
        | Code::DataLoss
        | Code::DeadlineExceeded => true,
        Code::Ok
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unauthenticated => false,
    }
}
