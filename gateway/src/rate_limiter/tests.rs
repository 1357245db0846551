use types::{Clock, PlayerId, Rng};

use super::*;
use crate::{config::Rate, rate_limiter::rate_window::MOST_WINDOWS};

const LIMIT: Duration = Duration::from_millis(100);
/// A limit that no count of these tests reaches: past it, a replica counts for itself.
const LONG: Duration = Duration::from_mins(1);

fn window_of(kind: RateKind, limit: u32, player: PlayerId) -> RateWindow {
    let key = RateKey { kind, subject: RateSubject::Player(player) };
    RateWindow { key, rate: Rate { limit, per: Duration::from_mins(1) } }
}

fn window(kind: RateKind, limit: u32) -> RateWindow {
    window_of(kind, limit, PlayerId::generate(&Clock::system(), &Rng::system()))
}

fn local() -> RateLimiter {
    RateLimiter::new(None, LIMIT).unwrap()
}

fn replica() -> RateLimiter {
    RateLimiter::new(Some(&testkit::redis_url()), LONG).unwrap()
}

async fn outcomes(limiter: &RateLimiter, window: RateWindow, calls: usize) -> Vec<bool> {
    let mut outcomes = Vec::new();
    for _ in 0..calls {
        outcomes.push(limiter.count(window).await.is_ok());
    }
    outcomes
}

/// Makes `calls` calls, and returns how many are let through.
async fn admitted(limiter: &RateLimiter, window: RateWindow, calls: usize) -> usize {
    outcomes(limiter, window, calls).await.into_iter().filter(|&is_admitted| is_admitted).count()
}

#[tokio::test(start_paused = true)]
async fn a_full_window_says_when_it_ends() {
    for kind in [RateKind::Read, RateKind::Money] {
        let (limiter, window) = (local(), window(kind, 2));
        assert!(limiter.count(window).await.is_ok());
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(limiter.count(window).await.is_ok());
        assert_eq!(limiter.count(window).await, Err(Duration::from_secs(40)));
        tokio::time::advance(Duration::from_secs(40)).await;
        assert!(limiter.count(window).await.is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_back_does_not_count() {
    let (limiter, window) = (local(), window(RateKind::SignInFailures, 2));
    for _ in 0..5 {
        assert!(limiter.count(window).await.is_ok());
        limiter.give_back(window).await;
    }
    limiter.give_back(window).await;
    assert_eq!(outcomes(&limiter, window, 3).await, [true, true, false]);
}

#[tokio::test(start_paused = true)]
async fn players_and_kinds_are_counted_apart() {
    let (limiter, full) = (local(), window(RateKind::Read, 2));
    assert_eq!(admitted(&limiter, full, 3).await, 2);
    assert!(limiter.count(window(RateKind::Read, 2)).await.is_ok());
    let other = RateWindow { key: RateKey { kind: RateKind::Write, ..full.key }, ..full };
    assert!(limiter.count(other).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn memory_is_bounded_and_the_windows_that_end_last_are_kept() {
    let limiter = local();
    let mut last = window(RateKind::Read, 2);
    for n in 0..MOST_WINDOWS {
        last = window(RateKind::Read, 2);
        let _ = limiter.count(last).await;
        if n == MOST_WINDOWS / 2 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    }
    let _ = limiter.count(last).await;
    let _ = limiter.count(window(RateKind::Read, 2)).await;
    assert!(limiter.windows().len() <= MOST_WINDOWS);
    assert!(limiter.count(last).await.is_err());
}

#[tokio::test]
async fn without_redis_all_calls_are_counted_in_the_process() {
    let away = "redis://127.0.0.1:1".parse().unwrap();
    let limiter = RateLimiter::new(Some(&away), LIMIT).unwrap();
    for kind in [RateKind::Money, RateKind::Read] {
        let window = window(kind, 2);
        assert_eq!(outcomes(&limiter, window, 3).await, [true, true, false]);
        assert!(limiter.count(window).await.is_err());
    }
}

#[tokio::test]
async fn replicas_count_money_exactly() {
    let (one, two) = (replica(), replica());
    let window = window(RateKind::Money, 3);
    assert_eq!(admitted(&one, window, 2).await, 2);
    assert_eq!(outcomes(&two, window, 2).await, [true, false]);
    assert!(one.count(window).await.is_err());
}

#[tokio::test]
async fn each_replica_counts_reads_for_itself() {
    let (one, two) = (replica(), replica());
    let window = window(RateKind::Read, 2);
    assert_eq!(outcomes(&one, window, 3).await, [true, true, false]);
    assert_eq!(outcomes(&two, window, 3).await, [true, true, false]);
}
