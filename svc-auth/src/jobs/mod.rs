//! Loops beside the calls.

mod sweep;

use std::sync::Arc;

use mesh::Shutdown;

use crate::app::Context;

/// Starts all of them; they end with the process.
pub(crate) fn start(cx: &Arc<Context>, shutdown: &Shutdown) {
    shutdown.spawn("sweep", sweep::run(Arc::clone(cx), shutdown.clone()));
}
