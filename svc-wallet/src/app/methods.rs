//! The payment methods, kept in the process: every payment looks its method up.

use std::sync::{Mutex, PoisonError};

use mesh::db::Pool;
use time::{Duration, OffsetDateTime};

use crate::{
    domain::{ListedMethod, MethodId},
    error::Error,
    store,
};

/// How long another replica may offer a method that an operator has just disabled here.
const TTL: Duration = Duration::seconds(2);

/// The methods that are enabled, as they were read last.
#[derive(Default)]
pub(crate) struct Methods(Mutex<Option<(OffsetDateTime, Vec<ListedMethod>)>>);

impl Methods {
    /// Returns the method with this id, if it is enabled.
    pub(super) async fn find(
        &self,
        db: &Pool,
        now: OffsetDateTime,
        id: MethodId,
    ) -> Result<Option<ListedMethod>, Error> {
        let is = |method: &&ListedMethod| method.id == id;
        {
            let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((read_at, methods)) = &*cached
                && now < *read_at + TTL
            {
                return Ok(methods.iter().find(is).cloned());
            }
        }
        let mut conn = db.acquire().await?;
        let methods = store::payment_method::list(&mut conn).await?;
        let found = methods.iter().find(is).cloned();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, methods));
        Ok(found)
    }

    /// Clears the cache. Call it after a change.
    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
