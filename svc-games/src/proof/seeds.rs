//! The seeds of a run.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::domain::{PieceKey, PlaySession, PlaySessionId};

/// Returns the seeds that the page of a run knows: one, or in a live run one for each piece up to the
/// one after the piece that is played.
pub(crate) fn seeds(session: &PlaySession) -> Vec<i64> {
    let Some(pieces) = &session.pieces else { return vec![session.seed] };
    (0..pieces.seeds()).map(|piece| piece_seed(pieces.key, session.id, piece)).collect()
}

/// Returns the seed of a piece: the first 8 bytes of HMAC-SHA256 of the session and the piece's
/// number. So each run has seeds of its own, and no seed tells another.
pub(crate) fn piece_seed(key: PieceKey, session: PlaySessionId, piece: usize) -> i64 {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key.0) else { return 0 };
    mac.update(session.uuid().as_bytes());
    mac.update(&u32::try_from(piece).unwrap_or(u32::MAX).to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check of a result derives its seeds in the same way (`games/check/test/check.test.ts`).
    #[test]
    fn the_seed_of_a_piece_is_a_part_of_an_hmac() {
        let key = PieceKey([7; 32]);
        let session = PlaySessionId::parse("0192f0c1-2345-7000-8000-0123456789ab").unwrap();
        assert_eq!(piece_seed(key, session, 2), 676_292_477_671_246_274);
        assert_ne!(piece_seed(key, session, 3), piece_seed(key, session, 2));
        assert_ne!(piece_seed(PieceKey([8; 32]), session, 2), piece_seed(key, session, 2));
    }
}
