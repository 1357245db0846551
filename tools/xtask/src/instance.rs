//! One mesh on this machine: its folder, its ports, its lock.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::checkout::Checkout;
use crate::pidfile::PidFile;
use crate::ports::{Ports, offset_from_environment};
use crate::secrets::Secrets;

/// Distance from the ports of the tests to the ports of `cargo xtask sqlx`.
const SQLX_OFFSET: u16 = 100;
/// Distance from the ports of the tests to the ports of `cargo xtask bench`.
const BENCH_OFFSET: u16 = 200;
/// Distance from the ports of the tests to the ports of `cargo xtask faults`.
const FAULTS_OFFSET: u16 = 300;
/// Distance from the ports of the tests to the ports of the journeys that have a mesh for
/// themselves.
const SOLO_OFFSET: u16 = 400;

/// The name of the bots that play on an instance, and of their pid file and log.
pub(crate) const BOTS: &str = "bots";
/// The file with the accounts of the bots that play on the instance.
pub(crate) const BOT_ACCOUNTS: &str = "bots.json";

/// The folder and the ports of a mesh; several instances can run side by side.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The folder of everything that the instance leaves on disk.
    pub(crate) dir: PathBuf,
    pub(crate) ports: Ports,
    pub(crate) data: Data,
}

/// How an instance's Postgres treats its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// The data may be lost: Postgres does not wait for the disk.
    Disposable,
    /// The data is kept.
    Kept,
    /// The data is kept, and of a country's size: Postgres has the memory of such a server.
    Large,
}

impl Instance {
    /// The developer's mesh, under `target/dev`.
    pub(crate) fn dev(checkout: &Checkout) -> Result<Self> {
        let ports = Ports::documented(offset_from_environment()?)?;
        let name = match ports.offset {
            0 => "dev".to_owned(),
            offset => format!("dev-{offset}"),
        };
        Self::create(checkout, &name, ports, Data::Kept)
    }

    /// The mesh of the tests, under `target/test`.
    pub(crate) fn test(checkout: &Checkout) -> Result<Self> {
        Self::create(checkout, "test", reserved(0)?, Data::Disposable)
    }

    /// The mesh of the journeys that stop its processes, under `target/test-solo`.
    pub(crate) fn solo(checkout: &Checkout) -> Result<Self> {
        Self::create(checkout, "test-solo", reserved(SOLO_OFFSET)?, Data::Disposable)
    }

    /// The mesh of the load scenarios, under `target/bench`. Its Postgres waits
    /// for the disk, as production's does.
    pub(crate) fn bench(checkout: &Checkout) -> Result<Self> {
        Self::create(checkout, "bench", reserved(BENCH_OFFSET)?, Data::Large)
    }

    /// The mesh whose parts are made to fail, under `target/faults`. Its Postgres waits for
    /// the disk: it must lose nothing when it is killed.
    pub(crate) fn faults(checkout: &Checkout) -> Result<Self> {
        Self::create(checkout, "faults", reserved(FAULTS_OFFSET)?, Data::Kept)
    }

    /// The Postgres of `cargo xtask sqlx`.
    pub(crate) fn sqlx(checkout: &Checkout) -> Result<Self> {
        Self::create(checkout, "sqlx-scratch", reserved(SQLX_OFFSET)?, Data::Disposable)
    }

    fn create(checkout: &Checkout, name: &str, ports: Ports, data: Data) -> Result<Self> {
        let dir = checkout.target.join(name);
        // The folder is readable by others, because Postgres may run as another user. Secret files
        // in here have a mode of their own.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(dir.join("run"))
            .and_then(|()| fs::create_dir_all(dir.join("logs")))
            .with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(Self { dir, ports, data })
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.dir.join("logs")
    }

    /// The log of one process.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.logs().join(format!("{name}.log"))
    }

    /// The folder of the pid files.
    pub(crate) fn pid_files(&self) -> PathBuf {
        self.dir.join("run")
    }

    /// The path of one process's pid file.
    pub(crate) fn pid_file(&self, name: &str) -> PathBuf {
        self.pid_files().join(format!("{name}.pid"))
    }

    /// One process, if it runs.
    pub(crate) fn running(&self, name: &str) -> Option<PidFile> {
        PidFile::read(&self.pid_file(name)).filter(PidFile::alive)
    }

    pub(crate) fn secrets(&self) -> Result<Secrets> {
        Secrets::load(&self.dir.join("secrets.env"))
    }

    /// Keeps every other `cargo xtask` from starting or stopping processes of this instance until
    /// the lock is dropped.
    pub(crate) fn lock(&self) -> Result<Lock> {
        let path = self.dir.join("lock");
        let file =
            fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                outln!("  … another cargo xtask is starting or stopping this mesh; waiting");
                file.lock().context("cannot wait for the other cargo xtask")?;
            }
            Err(fs::TryLockError::Error(fault)) => {
                return Err(fault).context("cannot lock the instance");
            }
        }
        Ok(Lock(file))
    }
}

fn reserved(offset: u16) -> Result<Ports> {
    Ok(Ports::reserved(offset_from_environment()?.saturating_add(offset)))
}

/// The right to start and stop processes of the instance.
#[derive(Debug)]
pub(crate) struct Lock(
    #[expect(dead_code, reason = "the lock lasts as long as the file")] fs::File,
);
