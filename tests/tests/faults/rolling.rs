//! A rolling restart under load: each replica of each service is restarted in turn, by SIGTERM.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use journeys::{Mesh, Process, eventually};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    load::{Load, Tally},
    report,
    streams::Streams,
};

const SERVICES: [&str; 5] = ["svc-auth", "svc-wallet", "svc-games", "svc-tournament", "svc-chat"];
/// The time of steady load before and after the restarts, in which the calls of each replica are
/// counted.
const STEADY: Duration = Duration::from_secs(10);
/// The time between a replica that serves again and the next restart, like a deployment's
/// `minReadySeconds`.
const BETWEEN: Duration = Duration::from_secs(2);
/// The least share of a service's calls for each of two replicas, in per cent.
const LEAST_SHARE: u64 = 30;

/// The size of the load, which environment variables set: CI has a shorter run.
struct Size {
    /// Requests a second.
    rate: u32,
    streams: usize,
}

impl Size {
    fn from_env() -> Self {
        let number = |name, default| {
            std::env::var(name).map_or(default, |text: String| text.parse().unwrap())
        };
        let streams = number("ROLLING_STREAMS", 200);
        Self { rate: number("ROLLING_RATE", 300), streams: usize::try_from(streams).unwrap() }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, on a mesh of its own with two replicas: cargo xtask faults"]
async fn rolling() {
    let mesh = Mesh::alone();
    let size = Size::from_env();
    let replicas = report::replicas();
    let streams = Streams::open(&mesh, size.streams).await;
    let load = Load::start(&mesh, size.rate).await;

    let before = shares(&mesh, replicas).await;
    let mut restarts = Vec::new();
    for service in SERVICES {
        for replica in 0..replicas {
            let restart = restart(&mesh, &name(service, replica)).await;
            eprintln!("{restart}");
            restarts.push(restart);
            sleep(BETWEEN).await;
        }
    }
    let after = shares(&mesh, replicas).await;
    let tally = load.stop().await;
    let streams = streams.close().await;
    mesh.prove().await;

    let mut problems: Vec<String> = Vec::new();
    for (outcome, count) in &tally.failures {
        problems.push(format!("{count} × {outcome}"));
    }
    problems.extend(streams.problems.iter().cloned());
    for (service, share) in before.iter().chain(&after) {
        if share.iter().any(|percent| *percent < LEAST_SHARE / u64::try_from(replicas).unwrap() * 2)
        {
            problems.push(format!("{service} has the shares {share:?} per cent"));
        }
    }
    let json = json!({
        "requests": tally.count,
        "failures": tally.failures,
        "p50Ms": tally.percentile(50),
        "p99Ms": tally.percentile(99),
        "maxMs": tally.percentile(100),
        "streams": size.streams,
        "payments": streams.payments,
        "streamsReopened": streams.reopened,
        "sharesBefore": before,
        "sharesAfter": after,
        "problems": problems,
    });
    report::write(&markdown(&size, &tally, &json, &restarts), &json);
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn markdown(size: &Size, tally: &Tally, json: &Value, restarts: &[String]) -> String {
    let shares = |name: &str| {
        let shares = json[name].as_object().unwrap().iter();
        let shares = shares.map(|(service, shares)| {
            let shares: Vec<String> =
                shares.as_array().unwrap().iter().map(|share| format!("{share} %")).collect();
            format!("{service} {}", shares.join(" / "))
        });
        shares.collect::<Vec<_>>().join(", ")
    };
    format!(
        "| | |\n| --- | --- |\n\
         | restarts | {} |\n\
         | requests | {} at {} a second, {} failed |\n\
         | latency | p50 {} ms, p99 {} ms, longest {} ms |\n\
         | live streams | {} at a time on {} payments, each showed the payment's end; opened again by the client: {} |\n\
         | shares of the replicas before | {} |\n\
         | shares of the replicas after | {} |\n",
        restarts.join("<br>"),
        tally.count,
        size.rate,
        tally.failures.values().sum::<u64>(),
        tally.percentile(50),
        tally.percentile(99),
        tally.percentile(100),
        size.streams,
        json["payments"],
        reopened(&json["streamsReopened"]),
        shares("sharesBefore"),
        shares("sharesAfter"),
    )
}

/// Formats the reasons for which streams were reopened, with their counts.
fn reopened(reasons: &Value) -> String {
    let reasons = reasons.as_object().unwrap().iter();
    let reasons: Vec<String> =
        reasons.map(|(reason, count)| format!("{count} × {reason}")).collect();
    if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") }
}

/// Restarts a replica, and waits until it is ready.
async fn restart(mesh: &Mesh, name: &str) -> String {
    let begun = Instant::now();
    let stopped = Process::find(mesh, name).terminate().await;
    let drained = begun.elapsed();
    stopped.restart().await;
    eventually("the replica is ready", || async {
        let url = metrics(mesh, name, "readyz");
        let reply = client().get(url).send().await.ok()?;
        reply.status().is_success().then_some(())
    })
    .await;
    let ready = begun.elapsed();
    format!(
        "{name}: stopped after {:.1} s, ready after {:.1} s",
        drained.as_secs_f32(),
        ready.as_secs_f32()
    )
}

/// Each replica's share of its service's calls in [`STEADY`], in per cent.
async fn shares(mesh: &Mesh, replicas: usize) -> BTreeMap<&'static str, Vec<u64>> {
    let first = calls(mesh, replicas).await;
    sleep(STEADY).await;
    let second = calls(mesh, replicas).await;
    let shares = first.into_iter().map(|(service, first)| {
        let new: Vec<u64> =
            second[service].iter().zip(first).map(|(second, first)| second - first).collect();
        let all = new.iter().sum::<u64>().max(1);
        (service, new.into_iter().map(|count| count * 100 / all).collect())
    });
    shares.collect()
}

/// The calls that each replica has answered.
async fn calls(mesh: &Mesh, replicas: usize) -> BTreeMap<&'static str, Vec<u64>> {
    let mut all = BTreeMap::new();
    for service in SERVICES {
        let mut counts = Vec::new();
        for replica in 0..replicas {
            let url = metrics(mesh, &name(service, replica), "metrics");
            let text = client().get(url).send().await.unwrap().text().await.unwrap();
            counts.push(count_calls(&text));
        }
        all.insert(service, counts);
    }
    all
}

/// The sum of `rpc_server_calls_total` without the health checks.
fn count_calls(metrics: &str) -> u64 {
    let lines = metrics.lines().filter(|line| {
        line.starts_with("rpc_server_calls_total{") && !line.contains("grpc.health")
    });
    let counts = lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
    counts.sum()
}

fn metrics(mesh: &Mesh, name: &str, path: &str) -> String {
    let address = Process::find(mesh, name).environment("METRICS_LISTEN").unwrap();
    format!("http://{address}/{path}")
}

fn client() -> reqwest::Client {
    ::mesh::http::client(Duration::from_secs(5)).unwrap()
}

fn name(service: &str, replica: usize) -> String {
    if replica == 0 { service.to_owned() } else { format!("{service}-{}", replica + 1) }
}
