//! Reads bodies of providers' replies, up to a limit.

use reqwest::Response;

/// Largest body that is read. The largest in practice are Google's keys, of 2 KiB.
const MAX_BYTES: usize = 64 * 1024;

/// Why a body was not read.
pub(super) enum ReadError {
    /// The connection failed, or the time limit was exceeded.
    Transport(reqwest::Error),
    TooLarge,
}

/// Reads a reply's body.
pub(super) async fn read(mut reply: Response) -> Result<Vec<u8>, ReadError> {
    let mut body = Vec::new();
    while let Some(chunk) = reply.chunk().await.map_err(ReadError::Transport)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(ReadError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
