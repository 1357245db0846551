//! The yardstick of proven scores: the replay alone, with a thread for each core.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow, ensure};

use super::{
    dash,
    rules::{Rules, Run},
};
use crate::{
    config::Plan,
    cpu::CpuMeter,
    figures::{Figures, Recorder, micros},
};

/// Ticks of a second of Duma Dash.
pub(crate) const TICKS: u32 = 60;
/// Runs that are replayed in turn.
const RUNS: u32 = 16;
/// The lengths of the runs whose replay is timed besides, in seconds.
const LENGTHS: [u32; 3] = [10, 60, 170];
/// The pieces of the longest run of Duma Dash.
const MOST_PIECES: u32 = 36;
/// How often a run of each length is replayed.
const TIMED: u32 = 1;

/// A run with the seeds of its pieces.
type Seeded = (Vec<i64>, Run);

/// Plays runs of about this many seconds, with different seeds.
fn runs(rules: &Rules, seconds: u32) -> Result<Vec<Seeded>> {
    let play = |number: u32| {
        let seeds: Vec<_> = (0..MOST_PIECES).map(|piece| i64::from(number * 100 + piece)).collect();
        let run = dash::play(rules, &seeds, number.into(), seconds * TICKS)?;
        Ok((seeds, run))
    };
    (0..RUNS).map(play).collect()
}

/// Replays runs of a minute for as long as scores are measured. Also returns how long
/// replays of other lengths take.
pub(crate) async fn measure(plan: &Plan, rules: Rules) -> Result<(Figures, Vec<String>)> {
    let (warm_up, measure) = (plan.warm_up, plan.measure);
    let prepared = rules.clone();
    let prepare = move || anyhow::Ok((runs(&prepared, 60)?, lengths(&prepared)?));
    let (runs, notes) = tokio::task::spawn_blocking(prepare).await??;
    let meter = CpuMeter::new(&[]);
    let done = tokio::task::spawn_blocking(move || replay(&rules, &runs, warm_up, measure));
    tokio::time::sleep(warm_up).await;
    let before = meter.read();
    let figures = done.await??.figures(measure);
    let cpu = meter.read().per_request(&before, figures.count);
    Ok((Figures { cpu, ..figures }, notes))
}

fn replay(
    rules: &Rules,
    runs: &[Seeded],
    warm_up: Duration,
    measure: Duration,
) -> Result<Recorder> {
    let opens = Instant::now() + warm_up;
    let closes = opens + measure;
    let work = || -> Result<Recorder> {
        let mut recorder = Recorder::new()?;
        for (seeds, run) in runs.iter().cycle() {
            let begun = Instant::now();
            ensure!(rules.replay(seeds, run)? == run.points, "a replay gave other points");
            let ended = Instant::now();
            if begun >= opens {
                recorder.success(ended - begun);
            }
            if ended >= closes {
                break;
            }
        }
        Ok(recorder)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all = Recorder::new()?;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let recorder = worker.join().map_err(|_| anyhow!("a replaying thread panicked"))?;
            all.merge(&recorder?)?;
        }
        Ok(all)
    })
}

/// How long replays of runs of some lengths take.
fn lengths(rules: &Rules) -> Result<Vec<String>> {
    let line = |seconds: u32| {
        let mut runs = runs(rules, seconds)?;
        // The bot fails early now and then.
        runs.retain(|(_, run)| run.steps() >= seconds * TICKS / 4 * 3);
        let steps: u32 = runs.iter().map(|(_, run)| run.steps()).sum();
        let bytes: usize = runs.iter().map(|(_, run)| run.encoded().len()).sum();
        let count = u32::try_from(runs.len())?.max(1);
        let begun = Instant::now();
        for _ in 0..TIMED {
            for (seeds, run) in &runs {
                rules.replay(seeds, run)?;
            }
        }
        let each = begun.elapsed() / (TIMED * count);
        Ok(format!(
            "replay of {} runs of {} steps and {} bytes: {} µs each",
            runs.len(),
            steps / count,
            u32::try_from(bytes)? / count,
            micros(each),
        ))
    };
    LENGTHS.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::content::trivial;

    #[test]
    fn every_replay_is_counted() {
        let rules = Rules::new(&trivial().unwrap()).unwrap();
        let run = Run { inputs: vec![(10, 1)], points: 10 };
        let measure = Duration::from_millis(50);
        let recorder = replay(&rules, &[(vec![1], run)], Duration::ZERO, measure).unwrap();
        let figures = recorder.figures(measure);
        assert!(figures.count > 0);
        assert_eq!(figures.error_count(), 0);
    }
}
