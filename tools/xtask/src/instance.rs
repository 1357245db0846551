//! One running mesh on this machine: its folder and its ports.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::checkout::Checkout;
use crate::ports::{Ports, offset_from_environment};
use crate::process::Record;
use crate::secrets::Secrets;

/// How far the mesh of `cargo xtask bench` stands from that of the tests.
const BENCH_OFFSET: u16 = 200;
/// How far the Postgres does in which queries are described.
const SCRATCH_OFFSET: u16 = 100;

/// A place for a mesh: several can run side by side, each with its own ports.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Everything it leaves on disk.
    pub(crate) dir: PathBuf,
    /// Where it listens.
    pub(crate) ports: Ports,
    /// Whether its data may be lost: then Postgres does not wait for the disk.
    pub(crate) disposable: bool,
}

impl Instance {
    /// The developer's mesh, under `target/dev`.
    pub(crate) fn dev(checkout: &Checkout) -> Result<Self> {
        let ports = Ports::house(offset_from_environment()?)?;
        let name = match ports.offset() {
            0 => "dev".to_owned(),
            offset => format!("dev-{offset}"),
        };
        Self::prepare(checkout.target.join(name), ports, false)
    }

    /// The mesh of the tests, under `target/test`.
    pub(crate) fn test(checkout: &Checkout) -> Result<Self> {
        let ports = Ports::block(offset_from_environment()?);
        Self::prepare(checkout.target.join("test"), ports, true)
    }

    /// The mesh of the load scenarios, under `target/bench`. Its Postgres waits
    /// for the disk, as production's does.
    pub(crate) fn bench(checkout: &Checkout) -> Result<Self> {
        let ports = Ports::block(offset_from_environment()?.saturating_add(BENCH_OFFSET));
        Self::prepare(checkout.target.join("bench"), ports, false)
    }

    /// A folder for Postgres alone, for as long as queries are described.
    pub(crate) fn scratch(checkout: &Checkout) -> Result<Self> {
        let ports = Ports::block(offset_from_environment()?.saturating_add(SCRATCH_OFFSET));
        Self::prepare(checkout.target.join("sqlx-scratch"), ports, true)
    }

    fn prepare(dir: PathBuf, ports: Ports, disposable: bool) -> Result<Self> {
        // Readable by others: Postgres may run as another user. What is secret
        // in here has a mode of its own.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(dir.join("run"))
            .and_then(|()| fs::create_dir_all(dir.join("logs")))
            .with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(Self { dir, ports, disposable })
    }

    /// Where the logs are.
    pub(crate) fn logs(&self) -> PathBuf {
        self.dir.join("logs")
    }

    /// The log of one process.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.dir.join("logs").join(format!("{name}.log"))
    }

    /// The record of one process.
    pub(crate) fn record(&self, name: &str) -> PathBuf {
        self.dir.join("run").join(format!("{name}.pid"))
    }

    /// The record of one process, if that process runs.
    pub(crate) fn running(&self, name: &str) -> Option<Record> {
        Record::read(&self.record(name)).filter(Record::alive)
    }

    /// The instance's secrets, made up now if it has none yet.
    pub(crate) fn secrets(&self) -> Result<Secrets> {
        Secrets::load(&self.dir.join("secrets.env"))
    }

    /// Holds off every other `cargo xtask` that would start or stop something
    /// here, until the returned lock is dropped.
    pub(crate) fn lock(&self) -> Result<Lock> {
        let path = self.dir.join("lock");
        let file =
            fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                say!("  … another cargo xtask is starting or stopping this mesh; waiting");
                file.lock().context("cannot wait for the other cargo xtask")?;
            }
            Err(fs::TryLockError::Error(fault)) => {
                return Err(fault).context("cannot lock the instance");
            }
        }
        Ok(Lock(file))
    }
}

/// Proof that nobody else starts or stops processes of the instance.
#[derive(Debug)]
pub(crate) struct Lock(
    #[expect(dead_code, reason = "the lock lasts as long as the file")] fs::File,
);

/// Removes a folder or file that may not be there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match gone {
        Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => {
            Err(fault).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
