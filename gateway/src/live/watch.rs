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

/// What a subscription delivers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Update {
    Payment(WatchPaymentsResponse),
    /// svc-wallet is out of reach.
    Paused,
    /// It is back; the current states follow.
    Resumed,
}

/// A subscription to a player's payments.
pub(super) struct Watch {
    wallet: WalletServiceClient<Upstream>,
    payments: Vec<String>,
    authorization: Option<HeaderValue>,
    rng: Rng,
    stream: Streaming<WatchPaymentsResponse>,
    /// How often opening the stream again has failed; `None` while it is open.
    failed_tries: Option<u32>,
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
            stream: stream.map_err(|status| match Fault::from_status(&status) {
                fault if fault.is_outage() => unavailable(),
                fault => fault,
            })?,
            failed_tries: None,
            wallet,
            payments,
            authorization,
            rng: gateway.rng().clone(),
        })
    }

    /// The current state of each payment, then every change. Ends when all are final, or
    /// with a fault. After a break the current states come again.
    pub(super) fn updates(self) -> impl Stream<Item = Result<Update, Fault>> {
        stream::unfold(Some(self), |watch| async {
            let mut watch = watch?;
            match watch.next().await {
                Ok(Some(update)) => Some((Ok(update), Some(watch))),
                Ok(None) => None,
                Err(fault) => Some((Err(fault), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<Update>, Fault> {
        loop {
            let update = match self.failed_tries {
                None => match self.stream.message().await {
                    Ok(update) => return Ok(update.map(Update::Payment)),
                    Err(status) if is_transient(&status) => {
                        self.failed_tries = Some(0);
                        None
                    }
                    Err(status) => return Err(Fault::from_status(&status)),
                },
                Some(TRIES) => return Err(unavailable()),
                Some(failed) => self.reopen(failed).await?,
            };
            if update.is_some() {
                return Ok(update);
            }
        }
    }

    /// Tries once to open the stream again. The reader learns of a break that outlasts the
    /// first try: a shorter one is the restart of an instance.
    async fn reopen(&mut self, failed: u32) -> Result<Option<Update>, Fault> {
        let pause = FIRST_PAUSE * 2_u32.pow(failed);
        tokio::time::sleep(pause + self.rng.jitter(pause)).await;
        match open(&self.wallet, &self.payments, self.authorization.as_ref()).await {
            Ok(stream) => {
                self.stream = stream;
                self.failed_tries = None;
                Ok((failed > 0).then_some(Update::Resumed))
            }
            Err(status) if is_transient(&status) => {
                info!(failed, code = ?status.code(), "svc-wallet's stream is still broken");
                self.failed_tries = Some(failed + 1);
                Ok((failed == 0).then_some(Update::Paused))
            }
            Err(status) => Err(Fault::from_status(&status)),
        }
    }
}

/// The reader opens another stream after a pause.
fn unavailable() -> Fault {
    Fault::new(Code::Unavailable, "LIVE_UNAVAILABLE")
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
