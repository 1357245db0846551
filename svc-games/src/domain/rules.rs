//! The hash of a rules module, and the pace of its game.

use std::fmt;

use time::Duration;

/// The SHA-256 of a rules module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RulesHash(pub(crate) [u8; 32]);

impl RulesHash {
    /// Parses 64 hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

impl fmt::Display for RulesHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for RulesHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether a game runs by the clock, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    ticks_per_second: u32,
}

impl Pace {
    /// With 0 `ticks_per_second` the game is a game of moves.
    pub(crate) const fn new(ticks_per_second: u32) -> Self {
        Self { ticks_per_second }
    }

    pub(crate) const fn ticks_per_second(self) -> u32 {
        self.ticks_per_second
    }

    pub(crate) const fn is_in_time(self) -> bool {
        self.ticks_per_second > 0
    }

    /// Returns how long `steps` steps take; `None` in a game of moves.
    pub(crate) fn duration(self, steps: u64) -> Option<Duration> {
        let nanos =
            steps.saturating_mul(1_000_000_000).checked_div(self.ticks_per_second.into())?;
        Some(Duration::nanoseconds(i64::try_from(nanos).unwrap_or(i64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_parses_back_from_its_text() {
        let hash = RulesHash([7; 32]);
        assert_eq!(RulesHash::parse(&hash.to_string()), Some(hash));
        for text in ["", "07", &"0".repeat(65), &"g".repeat(64)] {
            assert_eq!(RulesHash::parse(text), None, "{text}");
        }
    }

    #[test]
    fn steps_take_time_in_a_game_in_time_alone() {
        assert_eq!(Pace::new(60).duration(90), Some(Duration::milliseconds(1_500)));
        assert_eq!(Pace::new(0).duration(90), None);
    }
}
