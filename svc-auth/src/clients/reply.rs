//! What providers answer, up to a limit: a body without an end would fill our memory.

use reqwest::Response;

/// Largest answer that is read. Google's keys, the largest there is, have 2 KiB.
const MAX_BYTES: usize = 64 * 1024;

/// Why an answer was not read.
pub(super) enum Unread {
    /// It broke off, or took too long.
    Broken(reqwest::Error),
    TooLarge,
}

/// Reads an answer's body.
pub(super) async fn read(mut reply: Response) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    while let Some(chunk) = reply.chunk().await.map_err(Unread::Broken)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(Unread::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
