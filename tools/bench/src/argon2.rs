//! The yardstick of the sign-in: Argon2id alone, with the parameters of svc-auth,
//! on as many threads as there are cores.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};

use crate::{
    config::{Cost, Plan},
    cpu::Watched,
    figures::{Figures, Tally},
};

/// What is verified, again and again. A right and a wrong password cost the same.
const PASSWORD: &[u8] = b"a long enough password";
const SALT: &[u8] = b"sixteen bytes of";

/// Verifies as long as sign-ins are measured.
pub(crate) async fn measure(plan: &Plan) -> Result<Figures> {
    let argon2 = hasher(plan.cost)?;
    let (warm_up, measure) = (plan.warm_up, plan.measure);
    let watched = Watched::new(&[]);
    let done = tokio::task::spawn_blocking(move || verify(&argon2, warm_up, measure));
    tokio::time::sleep(warm_up).await;
    let before = watched.spent();
    let tally = done.await??;
    let figures = tally.figures(measure);
    let cpu = watched.spent().per_request(&before, figures.count);
    Ok(Figures { cpu, ..figures })
}

fn hasher(cost: Cost) -> Result<Argon2<'static>> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None);
    let params =
        params.map_err(|error| anyhow!("the Argon2 parameters are not usable: {error}"))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn verify(argon2: &Argon2<'_>, warm_up: Duration, measure: Duration) -> Result<Tally> {
    let hash = argon2.hash_password_with_salt(PASSWORD, SALT);
    let hash = hash.map_err(|error| anyhow!("a password could not be hashed: {error}"))?;
    let opens = Instant::now() + warm_up;
    let closes = opens + measure;
    let work = || -> Result<Tally> {
        let mut tally = Tally::new()?;
        loop {
            let begun = Instant::now();
            if begun >= closes {
                return Ok(tally);
            }
            if argon2.verify_password(PASSWORD, &hash).is_err() {
                tally.badly("a right password was found wrong".to_owned());
            }
            let ended = Instant::now();
            if opens <= ended && ended <= closes {
                tally.well(ended - begun);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all = Tally::new()?;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let tally = worker.join().map_err(|_| anyhow!("a thread of the yardstick died"))?;
            all.add(&tally?)?;
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_what_it_verified() {
        let cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
        let (nothing, a_while) = (Duration::ZERO, Duration::from_millis(50));
        let tally = verify(&hasher(cost).unwrap(), nothing, a_while).unwrap();
        let figures = tally.figures(a_while);
        assert!(figures.count > 0);
        assert_eq!(figures.error_count(), 0);
    }
}
