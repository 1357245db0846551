//! The faults of the table, and how they begin and end.

use std::time::Duration;

use journeys::{KilledProcess, Mesh, Process};

use crate::capability::Capability;

/// How long a killed process is away.
const AWAY: Duration = Duration::from_secs(10);
/// How long a process is paused or slowed.
const IMPAIRED: Duration = Duration::from_secs(15);
/// The delay of a slowed process's replies.
const DELAY: Duration = Duration::from_secs(3);

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Kill,
    Pause,
    Slow,
}

/// A fault of some processes.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// The program whose processes have the fault.
    pub(crate) target: &'static str,
    pub(crate) kind: Kind,
    /// The names of the processes.
    processes: Vec<String>,
    /// Whether only one of several replicas has the fault.
    pub(crate) one_of_many: bool,
}

/// A fault that has begun and not ended.
pub(crate) enum Lasting {
    Killed(Vec<KilledProcess>),
    Paused(Vec<Process>),
    Slowed(Vec<String>),
}

const SERVICES: [&str; 5] = ["svc-auth", "svc-wallet", "svc-games", "svc-tournament", "svc-chat"];
const STORES: [&str; 3] = ["redis", "postgres", "sandbox"];

impl Fault {
    /// All faults of these targets, one for each row of the table; without targets, of all.
    pub(crate) fn all(only: &[String], replicas: usize) -> Vec<Self> {
        let wanted = |target: &&str| only.is_empty() || only.iter().any(|name| name == target);
        let mut all = Vec::new();
        for target in SERVICES.into_iter().chain(STORES).filter(wanted) {
            let replicas = if SERVICES.contains(&target) { replicas } else { 1 };
            let processes: Vec<String> = (0..replicas).map(|n| process(target, n)).collect();
            for kind in [Kind::Kill, Kind::Pause, Kind::Slow] {
                let processes = processes.clone();
                all.push(Self { target, kind, processes, one_of_many: false });
            }
            if replicas > 1 {
                for kind in [Kind::Kill, Kind::Pause] {
                    let processes = vec![processes[0].clone()];
                    all.push(Self { target, kind, processes, one_of_many: true });
                }
            }
        }
        all
    }

    pub(crate) fn name(&self) -> String {
        let kind = match self.kind {
            Kind::Kill => "killed",
            Kind::Pause => "paused",
            Kind::Slow => "slowed by 3 s",
        };
        let one = if self.one_of_many { " (one of two)" } else { "" };
        format!("{} {kind}{one}", self.target)
    }

    pub(crate) fn lasts(&self) -> Duration {
        if self.kind == Kind::Kill { AWAY } else { IMPAIRED }
    }

    /// The capabilities that may fail during the fault; all others must work.
    pub(crate) fn may_impair(&self) -> &'static [Capability] {
        use Capability::{
            Balance, Code, Games, History, Live, Profile, Rooms, SignIn, TopUp, Tournaments,
        };
        if self.one_of_many {
            return &[];
        }
        match self.target {
            "svc-auth" => &[SignIn, Profile, Code],
            "svc-wallet" => &[Balance, History, TopUp, Live],
            "svc-games" => &[Games],
            "svc-tournament" => &[Tournaments],
            "svc-chat" => &[Rooms],
            "postgres" => {
                &[SignIn, Profile, Code, Balance, History, TopUp, Live, Games, Tournaments, Rooms]
            }
            // The sandbox stands in for the SMS provider, whose reply a code waits for.
            "sandbox" => &[Code],
            _ => &[],
        }
    }

    /// Whether the fault stops the providers themselves.
    pub(crate) fn stops_providers(&self) -> bool {
        self.target == "sandbox" && self.kind != Kind::Slow
    }

    pub(crate) async fn begin(&self, mesh: &Mesh) -> Lasting {
        let found = self.processes.iter().map(|name| Process::find(mesh, name));
        match self.kind {
            Kind::Kill => {
                let mut killed = Vec::new();
                for process in found {
                    killed.push(process.kill().await);
                }
                Lasting::Killed(killed)
            }
            Kind::Pause => {
                let found: Vec<Process> = found.collect();
                found.iter().for_each(Process::pause);
                Lasting::Paused(found)
            }
            Kind::Slow => {
                set_delay(&self.processes, DELAY).await;
                Lasting::Slowed(self.processes.clone())
            }
        }
    }
}

impl Lasting {
    pub(crate) async fn end(self) {
        match self {
            Self::Killed(killed) => {
                futures_util::future::join_all(killed.into_iter().map(KilledProcess::restart))
                    .await;
            }
            Self::Paused(paused) => paused.iter().for_each(Process::resume),
            Self::Slowed(names) => set_delay(&names, Duration::ZERO).await,
        }
    }
}

fn process(target: &str, replica: usize) -> String {
    if replica == 0 { target.to_owned() } else { format!("{target}-{}", replica + 1) }
}

async fn set_delay(names: &[String], delay: Duration) {
    let proxy = std::env::var("PROXY_URL").expect("PROXY_URL: run `cargo xtask faults`");
    for name in names {
        let url = format!("{proxy}/routes/{name}/delay/{}", delay.as_millis());
        let client = mesh::http::client(Duration::from_secs(5)).unwrap();
        let set = client.put(url).send().await.unwrap();
        assert!(set.status().is_success(), "the proxy has no route {name}");
    }
}
