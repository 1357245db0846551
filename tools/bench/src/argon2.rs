//! The yardstick of sign-ins: Argon2id alone, with svc-auth's parameters and a thread for
//! each core.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};

use crate::{
    config::{HashCost, Plan},
    cpu::CpuMeter,
    figures::{Figures, Recorder},
    session::PASSWORD,
};

const SALT: &[u8] = b"sixteen bytes of";

/// Verifies the right password for as long as sign-ins are measured.
pub(crate) async fn measure(plan: &Plan) -> Result<Figures> {
    let argon2 = hasher(plan.hash_cost)?;
    let (warm_up, measure) = (plan.warm_up, plan.measure);
    let meter = CpuMeter::new(&[]);
    let done = tokio::task::spawn_blocking(move || verify(&argon2, warm_up, measure));
    tokio::time::sleep(warm_up).await;
    let before = meter.read();
    let recorder = done.await??;
    let figures = recorder.figures(measure);
    let cpu = meter.read().per_request(&before, figures.count);
    Ok(Figures { cpu, ..figures })
}

/// The PHC string of the password of all players, as svc-auth stores it.
pub(crate) fn hash(cost: HashCost) -> Result<String> {
    let hash = hasher(cost)?.hash_password_with_salt(PASSWORD.as_bytes(), SALT);
    let hash = hash.map_err(|error| anyhow!("the password could not be hashed: {error}"))?;
    Ok(hash.to_string())
}

fn hasher(cost: HashCost) -> Result<Argon2<'static>> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None);
    let params =
        params.map_err(|error| anyhow!("the Argon2 parameters are not usable: {error}"))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn verify(argon2: &Argon2<'_>, warm_up: Duration, measure: Duration) -> Result<Recorder> {
    let hash = argon2.hash_password_with_salt(PASSWORD.as_bytes(), SALT);
    let hash = hash.map_err(|error| anyhow!("the password could not be hashed: {error}"))?;
    let opens = Instant::now() + warm_up;
    let closes = opens + measure;
    let work = || -> Result<Recorder> {
        let mut recorder = Recorder::new()?;
        loop {
            let begun = Instant::now();
            if begun >= closes {
                return Ok(recorder);
            }
            if argon2.verify_password(PASSWORD.as_bytes(), &hash).is_err() {
                recorder.error("the right password was refused".to_owned());
            }
            let ended = Instant::now();
            if opens <= ended && ended <= closes {
                recorder.success(ended - begun);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all = Recorder::new()?;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let recorder = worker.join().map_err(|_| anyhow!("a hashing thread panicked"))?;
            all.merge(&recorder?)?;
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verified_hash_is_counted() {
        let cost = HashCost { memory_kib: 8, passes: 1, lanes: 1 };
        let measure = Duration::from_millis(50);
        let recorder = verify(&hasher(cost).unwrap(), Duration::ZERO, measure).unwrap();
        let figures = recorder.figures(measure);
        assert!(figures.count > 0);
        assert_eq!(figures.error_count(), 0);
    }
}
