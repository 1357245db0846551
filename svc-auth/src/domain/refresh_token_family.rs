//! Refresh token rotation with reuse detection (RFC 9700, section 4.14.2).
//!
//! All refresh tokens of a session are one family: each is exchanged once, for its
//! successor. A token that comes a second time was sent by its owner, whose reply was
//! lost, or by a thief. The owner comes on the device that exchanged it. Once two clients
//! hold tokens of a family they cannot be distinguished, so the whole session ends.

use std::time::Duration;

use time::OffsetDateTime;

use super::DeviceId;

/// SHA-256 of a refresh token: all of it that is stored.
pub(crate) type TokenHash = [u8; 32];

/// Rotations that a session may make at once, beyond its [`RotationPolicy::interval`].
const ROTATION_BURST: u32 = 100;

/// A session's refresh tokens.
#[derive(Debug, Clone)]
pub(crate) struct RefreshTokenFamily {
    /// The token that is valid now.
    pub(crate) current: TokenHash,
    /// The token that was exchanged for the current one.
    pub(crate) previous: Option<TokenHash>,
    /// The device that exchanged the previous token, of a client that has a device token.
    pub(crate) rotated_on: Option<DeviceId>,
    /// When the previous token was exchanged; for a new session, when it was opened.
    pub(crate) rotated_at: OffsetDateTime,
    /// Rotations so far. Each leaves a row, by which a used token is recognised.
    pub(crate) rotations: u32,
    /// When the session was opened.
    pub(crate) created_at: OffsetDateTime,
    /// When the session expires, whether it is used or not.
    pub(crate) expires_at: OffsetDateTime,
    /// Whether the session was ended before it expired.
    pub(crate) ended: bool,
}

/// The limits on rotation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotationPolicy {
    /// How long the token used last returns its successor again.
    pub(crate) grace: Duration,
    /// How long a session may stay unused.
    pub(crate) idle: Duration,
    /// Least average time between rotations. A device that is always on takes several times
    /// as long. It bounds the rows of a session.
    pub(crate) interval: Duration,
}

/// What to do about a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefreshDecision {
    /// The token is valid: replace it by its successor.
    Rotate,
    /// The token is valid, but the session was refreshed too often. Try again after this time.
    Wait(Duration),
    /// The token was used within the grace period by the same device and its successor was not:
    /// return the same successor again.
    Repeat,
    /// The token was used before: end the session.
    Reuse,
    /// The session has ended, expired, or was unused for too long.
    Ended,
}

impl RefreshTokenFamily {
    /// Decides about a token of this family that a device presents. `successor` is the token
    /// that it would be exchanged for.
    pub(crate) fn decide(
        &self,
        presented: &TokenHash,
        successor: &TokenHash,
        device: Option<DeviceId>,
        now: OffsetDateTime,
        policy: RotationPolicy,
    ) -> RefreshDecision {
        if self.ended || now >= self.expires_at || now >= self.rotated_at + policy.idle {
            return RefreshDecision::Ended;
        }
        if *presented == self.current {
            let excess = (self.rotations + 1).saturating_sub(ROTATION_BURST);
            let next = self.created_at + policy.interval * excess;
            return match Duration::try_from(next - now) {
                Ok(wait) if wait > Duration::ZERO => RefreshDecision::Wait(wait),
                _ => RefreshDecision::Rotate,
            };
        }
        // While the successor is the valid token, it has not been used.
        let used_last = self.previous.as_ref() == Some(presented) && *successor == self.current;
        let is_retry = used_last && device == self.rotated_on;
        if is_retry && now < self.rotated_at + policy.grace {
            RefreshDecision::Repeat
        } else {
            RefreshDecision::Reuse
        }
    }

    /// Whether `one` was issued after `other`, by the last two tokens. False for a
    /// token of another family.
    pub(crate) fn is_newer(&self, one: &TokenHash, other: &TokenHash) -> bool {
        if *other == self.current {
            return false;
        }
        *one == self.current
            || (self.previous.as_ref() == Some(one) && self.previous.as_ref() != Some(other))
    }

    /// Whether `first` is the first token, was issued within the grace period and was not
    /// used: a client that lost the reply is given it again.
    pub(crate) fn is_newly_opened(
        &self,
        first: &TokenHash,
        now: OffsetDateTime,
        policy: RotationPolicy,
    ) -> bool {
        !self.ended
            && self.rotations == 0
            && *first == self.current
            && now < self.created_at + policy.grace
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use types::{Clock, Rng};

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);
    const POLICY: RotationPolicy = RotationPolicy {
        grace: Duration::from_secs(30),
        idle: Duration::from_hours(30 * 24),
        interval: Duration::from_mins(5),
    };
    const OLDER: TokenHash = [1; 32];
    const PREVIOUS: TokenHash = [2; 32];
    const CURRENT: TokenHash = [3; 32];
    const NEXT: TokenHash = [4; 32];

    fn family() -> RefreshTokenFamily {
        RefreshTokenFamily {
            current: CURRENT,
            previous: Some(PREVIOUS),
            rotated_on: None,
            rotated_at: NOW,
            rotations: 1,
            created_at: NOW,
            expires_at: NOW + Duration::from_hours(90 * 24),
            ended: false,
        }
    }

    fn after(seconds: u64) -> OffsetDateTime {
        NOW + Duration::from_secs(seconds)
    }

    #[test]
    fn the_current_token_is_rotated() {
        let decision = family().decide(&CURRENT, &NEXT, None, after(900), POLICY);
        assert_eq!(decision, RefreshDecision::Rotate);
    }

    #[test]
    fn the_previous_token_returns_the_same_successor_within_the_grace_period() {
        for (seconds, expected) in [
            (0, RefreshDecision::Repeat),
            (29, RefreshDecision::Repeat),
            (30, RefreshDecision::Reuse),
        ] {
            let decision = family().decide(&PREVIOUS, &CURRENT, None, after(seconds), POLICY);
            assert_eq!(decision, expected, "{seconds} s");
        }
    }

    #[test]
    fn the_same_successor_is_returned_to_the_same_device_alone() {
        let device = |seed| DeviceId::generate(&Clock::system(), &Rng::from_seed(seed));
        let (owner, thief) = (Some(device(1)), Some(device(2)));
        let family = RefreshTokenFamily { rotated_on: owner, ..family() };
        for (device, expected) in [
            (owner, RefreshDecision::Repeat),
            (thief, RefreshDecision::Reuse),
            (None, RefreshDecision::Reuse),
        ] {
            assert_eq!(family.decide(&PREVIOUS, &CURRENT, device, NOW, POLICY), expected);
            let rotated = family.decide(&CURRENT, &NEXT, device, NOW, POLICY);
            assert_eq!(rotated, RefreshDecision::Rotate, "a browser may lose its cookies");
        }
    }

    #[test]
    fn an_older_token_is_reuse_at_once() {
        assert_eq!(family().decide(&OLDER, &PREVIOUS, None, NOW, POLICY), RefreshDecision::Reuse);
    }

    #[test]
    fn of_two_tokens_the_newer_one_counts() {
        const OTHERS: TokenHash = [9; 32];
        for (one, other, expected) in [
            (CURRENT, PREVIOUS, true),
            (CURRENT, OLDER, true),
            (PREVIOUS, OLDER, true),
            (CURRENT, CURRENT, false),
            (PREVIOUS, CURRENT, false),
            (PREVIOUS, PREVIOUS, false),
            (OLDER, PREVIOUS, false),
            (OTHERS, OLDER, false),
        ] {
            assert_eq!(family().is_newer(&one, &other), expected, "{one:?}, {other:?}");
        }
    }

    #[test]
    fn a_previous_token_with_another_successor_is_reuse() {
        assert_eq!(family().decide(&PREVIOUS, &NEXT, None, NOW, POLICY), RefreshDecision::Reuse);
    }

    #[test]
    fn a_session_rotates_at_its_interval_after_a_burst_of_a_hundred() {
        let family = |rotations| RefreshTokenFamily { rotations, ..family() };
        for (rotations, seconds, expected) in [
            (99, 0, RefreshDecision::Rotate),
            (100, 0, RefreshDecision::Wait(Duration::from_mins(5))),
            (100, 299, RefreshDecision::Wait(Duration::from_secs(1))),
            (100, 300, RefreshDecision::Rotate),
            (101, 300, RefreshDecision::Wait(Duration::from_mins(5))),
        ] {
            let decision = family(rotations).decide(&CURRENT, &NEXT, None, after(seconds), POLICY);
            assert_eq!(decision, expected, "{rotations} in {seconds} s");
        }
    }

    #[test]
    fn a_device_that_is_always_on_never_waits() {
        let quarter = Duration::from_hours(90 * 24);
        let old = RefreshTokenFamily {
            expires_at: NOW + 2 * quarter,
            rotated_at: NOW + quarter,
            rotations: u32::try_from(quarter.as_secs() / 600).unwrap(),
            ..family()
        };
        let decision = old.decide(&CURRENT, &NEXT, None, NOW + quarter, POLICY);
        assert_eq!(decision, RefreshDecision::Rotate);
    }

    #[test]
    fn the_first_token_is_returned_again_within_the_grace_period_unless_it_was_used() {
        let opened = RefreshTokenFamily { previous: None, rotations: 0, ..family() };
        assert!(opened.is_newly_opened(&CURRENT, after(29), POLICY));
        assert!(!opened.is_newly_opened(&CURRENT, after(30), POLICY));
        assert!(!opened.is_newly_opened(&PREVIOUS, NOW, POLICY));
        assert!(!family().is_newly_opened(&CURRENT, NOW, POLICY));
        let ended = RefreshTokenFamily { ended: true, ..opened };
        assert!(!ended.is_newly_opened(&CURRENT, NOW, POLICY));
    }

    #[test]
    fn a_session_ends_by_a_sign_out_by_age_and_by_idleness() {
        let ended = RefreshTokenFamily { ended: true, ..family() };
        assert_eq!(ended.decide(&CURRENT, &NEXT, None, NOW, POLICY), RefreshDecision::Ended);
        let old = RefreshTokenFamily { expires_at: after(60), ..family() };
        assert_eq!(old.decide(&CURRENT, &NEXT, None, after(60), POLICY), RefreshDecision::Ended);
        let idle = after(30 * 24 * 3600);
        assert_eq!(family().decide(&CURRENT, &NEXT, None, idle, POLICY), RefreshDecision::Ended);
    }
}
