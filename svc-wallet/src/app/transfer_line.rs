//! The transfers between wallets that wait.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tracing::Span;
use types::PlayerId;

use crate::{
    domain::{TransferQueue, Wallets},
    error::Error,
    store::ledger::{Transfer, Transferred},
};

/// The transfers of this process that wait or are under way.
#[derive(Default)]
pub(crate) struct Transfers(Mutex<TransferQueue<Waiting>>);

/// A transfer whose caller waits.
pub(super) struct Waiting {
    pub(super) transfer: Transfer,
    pub(super) reply: oneshot::Sender<Result<Transferred, Error>>,
    /// Of the call.
    pub(super) span: Span,
}

impl Wallets for Waiting {
    fn payer(&self) -> PlayerId {
        self.transfer.payment.payer
    }

    fn payee(&self) -> PlayerId {
        self.transfer.payment.beneficiary
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

impl Transfers {
    pub(super) fn queue(&self) -> MutexGuard<'_, TransferQueue<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
