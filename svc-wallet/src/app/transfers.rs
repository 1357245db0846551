//! Group commit of transfers between wallets: transfers that wait at the same time are posted
//! together, in one statement and one commit.

use std::time::Duration;

use anyhow::anyhow;
use mesh::{
    batch::{Batcher, Work},
    db::{self, Pool},
    instrument,
};
use types::Clock;

use crate::{
    domain::TransferBatch,
    error::Error,
    store::{
        self,
        ledger::{Transfer, Transferred},
    },
};

/// A queue of transfers that are posted in batches. Cheap to clone.
///
/// After a success a transfer is committed. A caller that goes away meanwhile, or that gets an
/// error because the reply to the commit was lost, finds the payment by its request id.
pub(crate) type TransferWriter = Batcher<Transfers>;

/// Posts batches of transfers; see [`store::ledger::transfer`].
pub(crate) struct Transfers {
    pub(crate) db: Pool,
    pub(crate) clock: Clock,
}

impl Work for Transfers {
    type Item = Transfer;
    type Joined = TransferBatch;
    type Reply = Transferred;
    type Error = Error;

    const NAME: &'static str = "transfers";
    /// Concurrent batches: others may begin while one waits for a wallet's lock or for the disk.
    const AT_ONCE: usize = 3;
    /// A batch that takes longer no longer delays the next. Several times what a full batch takes.
    const OVERLAP_AFTER: Duration = Duration::from_millis(20);
    const MOST: usize = 64;

    fn join(transfer: &Transfer, batch: &mut TransferBatch) -> bool {
        batch.join(transfer.payment.payer, transfer.payment.beneficiary)
    }

    /// Posts all transfers or, after an error, none.
    #[instrument(name = "wallet.transfers", skip_all, fields(count = transfers.len()))]
    async fn run(&self, transfers: &[Transfer]) -> Result<Vec<Transferred>, Error> {
        let mut conn = self.db.acquire().await?;
        let written = store::ledger::transfer(&mut conn, transfers, self.clock.now()).await;
        let outcomes = written.map_err(|error| match db::violated(&error) {
            // A concurrent payment that moves no money yet took the request id: the next try finds
            // it as a repeat.
            Some("payment_request") => Error::Conflict,
            _ => error.into(),
        })?;
        if outcomes.len() == transfers.len() {
            Ok(outcomes)
        } else {
            Err(anyhow!("{} outcomes of {} transfers", outcomes.len(), transfers.len()).into())
        }
    }

    fn is_of_one_item(error: &Error) -> bool {
        matches!(error, Error::Conflict | Error::Refused(_))
    }
}
