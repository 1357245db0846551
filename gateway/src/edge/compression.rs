//! Lists travel compressed over metered connections. Only calls under `/api`:
//! the web app's files are compressed when they are built, and a live stream
//! must not wait in a buffer.

use tower_http::compression::{CompressionLayer, predicate::SizeAbove};

/// Below this many bytes a reply fits into one packet anyway.
const WORTH_IT: u64 = 1_024;

/// The layer.
pub fn layer() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new().compress_when(SizeAbove::new(WORTH_IT))
}
