//! How many long things may go on at a time: live streams, uploads.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mesh::Fault;
use metrics::gauge;
use tonic::Code;
use types::PlayerId;

/// What seats are for.
pub(crate) struct Terms {
    /// Counts those that are taken.
    pub(crate) gauge: &'static str,
    /// Why there is none.
    pub(crate) reason: &'static str,
}

/// Places: so many in all, so many for a player.
#[derive(Clone)]
pub(crate) struct Seats {
    terms: &'static Terms,
    total: usize,
    per_player: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    total: usize,
    by_player: HashMap<PlayerId, usize>,
}

/// One place, given back when dropped.
pub(crate) struct Seat {
    player: PlayerId,
    seats: Seats,
}

impl Seats {
    /// None taken.
    pub(crate) fn new(terms: &'static Terms, total: usize, per_player: usize) -> Self {
        Self { terms, total, per_player, taken: Arc::default() }
    }

    /// Takes a place, or says that there is none.
    pub(crate) fn take(&self, player: PlayerId) -> Result<Seat, Fault> {
        let mut taken = self.lock();
        let own = taken.by_player.get(&player).copied().unwrap_or(0);
        if own >= self.per_player || taken.total >= self.total {
            return Err(Fault::new(Code::ResourceExhausted, self.terms.reason));
        }
        taken.total += 1;
        taken.by_player.insert(player, own + 1);
        gauge!(self.terms.gauge).increment(1);
        Ok(Seat { player, seats: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.lock();
        taken.total = taken.total.saturating_sub(1);
        match taken.by_player.get_mut(&self.player) {
            Some(own) if *own > 1 => *own -= 1,
            _ => {
                taken.by_player.remove(&self.player);
            }
        }
        gauge!(self.seats.terms.gauge).decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    const TERMS: Terms = Terms { gauge: "seats", reason: "TOO_MANY_STREAMS" };

    fn player() -> PlayerId {
        PlayerId::generate(&Clock::system(), &Rng::system())
    }

    #[test]
    fn a_player_has_a_share_and_gets_it_back() {
        let seats = Seats::new(&TERMS, 10, 2);
        let player = player();
        let first = seats.take(player).ok();
        let second = seats.take(player).ok();
        assert!(first.is_some() && second.is_some());
        assert!(seats.take(player).is_err());
        drop(first);
        assert!(seats.take(player).is_ok());
    }

    #[test]
    fn the_house_is_full_at_some_point() {
        let seats = Seats::new(&TERMS, 2, 2);
        let taken: Vec<_> = (0..3).map(|_| seats.take(player())).collect();
        let open: Vec<_> = taken.iter().map(Result::is_ok).collect();
        assert_eq!(open, [true, true, false]);
        drop(taken);
        assert!(seats.lock().by_player.is_empty());
    }
}
