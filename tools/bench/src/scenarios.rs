//! What is asked of the gateway.

use std::sync::Arc;

use anyhow::Result;
use http::StatusCode;

use crate::{
    client::{Answer, Outgoing, get},
    load::{Ask, Turn},
    players::Players,
};

/// Signed-in players read something, each connection as another one.
pub(crate) struct Read {
    pub(crate) players: Arc<Players>,
    pub(crate) path: &'static str,
}

impl Ask for Read {
    fn request(&self, turn: Turn) -> Result<Outgoing> {
        Ok(self.players.turn(turn.worker)?.sign(get(self.path)?))
    }
}

/// Players sign in with their passwords, each connection as another one.
pub(crate) struct SignIn {
    pub(crate) players: Arc<Players>,
}

impl Ask for SignIn {
    fn request(&self, turn: Turn) -> Result<Outgoing> {
        self.players.turn(turn.worker)?.sign_in()
    }
}

/// Players boost each other from their wallets.
pub(crate) struct Transfer {
    pub(crate) players: Arc<Players>,
}

impl Ask for Transfer {
    /// A connection's pair pays to and fro, so that nobody runs dry; connections
    /// that share a pair begin at different ends.
    fn request(&self, Turn { worker, round }: Turn) -> Result<Outgoing> {
        let pairs = self.players.pairs().max(1);
        let (pair, shift) = (worker % pairs, worker / pairs);
        let end = (round + shift) % 2;
        let from = self.players.turn(2 * pair + end)?;
        let to = self.players.turn(2 * pair + 1 - end)?;
        self.players.transfer(from, to, &format!("{worker}-{round}"))
    }

    /// Only money that moved is a transfer.
    fn is_right(&self, answer: &Answer) -> bool {
        const DONE: &[u8] = b"\"COMPLETED\"";
        answer.status == StatusCode::OK && answer.body.windows(DONE.len()).any(|part| part == DONE)
    }
}
