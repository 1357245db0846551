//! A process of the mesh that a test can kill and restart unchanged.
//!
//! `cargo xtask` keeps a record `<name>.pid` of each in its run folder: pid, start
//! time (because pids are reused), port, fingerprint. A restart rewrites the record,
//! so that `xtask` can still stop the process.

use std::{
    ffi::OsString,
    fs,
    net::{Ipv4Addr, SocketAddr},
    os::unix::{ffi::OsStringExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use mesh::{
    grpc::client::{self, Upstream},
    tls::Certificates,
};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::net::TcpStream;
use types::Rng;

use crate::{Mesh, eventually};

/// A running process, and what is needed to start it again.
pub struct Process {
    record: PathBuf,
    pid: i32,
    started: u64,
    port: u16,
    fingerprint: u64,
    program: PathBuf,
    /// The process's own `argv[0]`, on which the behaviour of some programs depends.
    called: OsString,
    folder: PathBuf,
    user: (u32, u32),
    log: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

/// A killed process. Dropping this restarts it, so that a failed test does not leave
/// the mesh incomplete.
pub struct KilledProcess(Option<Process>);

/// A process beside those that `cargo xtask` started.
pub struct AnotherProcess(Child);

impl AnotherProcess {
    /// The resident memory of the process, in bytes.
    pub fn memory(&self) -> u64 {
        size_in_status(i32::try_from(self.0.id()).expect("a pid"), "VmRSS:")
    }
}

impl Drop for AnotherProcess {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Finds a process of the mesh by its name, such as `svc-wallet`.
    pub fn find(mesh: &Mesh, name: &str) -> Self {
        let record = mesh.run_dir().join(format!("{name}.pid"));
        let text = fs::read_to_string(&record).expect("a record of the process");
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.unwrap_or_else(|| panic!("the record has no {name}: {text}"))
        };
        let pid: i32 = field("pid").parse().expect("a pid");
        let started: u64 = field("started").parse().expect("a start time");
        assert_eq!(start_time(pid), Some(started), "{name} does not run");
        let proc = PathBuf::from(format!("/proc/{pid}"));
        let link = |name: &str| fs::read_link(proc.join(name)).expect("a process of ours");
        let mut words = nul_separated(&proc.join("cmdline")).into_iter();
        let called = words.next().expect("a command line");
        Self {
            pid,
            started,
            port: field("port").parse().expect("a port"),
            fingerprint: field("fingerprint").parse().expect("a fingerprint"),
            program: link("exe"),
            folder: link("cwd"),
            user: user(pid).expect("a process of ours"),
            log: link("fd/1"),
            arguments: words.collect(),
            called,
            environment: nul_separated(&proc.join("environ"))
                .into_iter()
                .filter_map(pair)
                .collect(),
            record,
        }
    }

    /// The value of a variable of the process's environment.
    pub fn environment(&self, name: &str) -> Option<String> {
        let (_, value) = self.environment.iter().find(|(known, _)| known == name)?;
        value.to_str().map(str::to_owned)
    }

    /// A client of the process's own port, past the gateway, with another process's certificate.
    pub fn upstream(&self, callee: &'static str, caller: &Self, name: &'static str) -> Upstream {
        let folder = caller.environment("TLS_DIR").expect("a process of the mesh");
        let certificates = Certificates::load(Path::new(&folder), name).expect("a certificate");
        self.upstream_with(callee, &certificates)
    }

    /// A client of the process's own port with a certificate.
    pub(crate) fn upstream_with(
        &self,
        callee: &'static str,
        certificates: &Certificates,
    ) -> Upstream {
        let url = format!("https://{}:{}", Ipv4Addr::LOCALHOST, self.port);
        client::connect(&url, callee, certificates.clone(), Rng::system()).expect("a URL")
    }

    /// Resets the value of [`Self::peak_memory`] (`clear_refs` of proc(5)).
    pub fn reset_peak_memory(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.pid), "5").expect("a process of ours");
    }

    /// The peak resident memory of the process, in bytes (`VmHWM` of proc(5)).
    pub fn peak_memory(&self) -> u64 {
        size_in_status(self.pid, "VmHWM:")
    }

    /// The resident memory of the process, in bytes (`VmRSS` of proc(5)).
    pub fn memory(&self) -> u64 {
        size_in_status(self.pid, "VmRSS:")
    }

    /// The processor time that the process has used, to a hundredth of a second (`stat` of
    /// proc(5)).
    pub fn processor_time(&self) -> Duration {
        const TICK: Duration = Duration::from_millis(10);
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).expect("a process");
        let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
        // The processor times are fields 14 and 15; the name is field 2.
        let ticks = fields.split_whitespace().skip(11).take(2);
        ticks.map(|ticks| TICK * ticks.parse::<u32>().expect("a number")).sum()
    }

    /// The number of open files and sockets of the process.
    pub fn open_files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.pid)).expect("a process").count()
    }

    /// Starts another process of the same program, with these variables changed, and waits until it
    /// accepts connections on the port. The new process ends when it is dropped.
    pub async fn another(&self, port: u16, environment: &[(&str, String)]) -> AnotherProcess {
        let log = fs::File::options().append(true).open(&self.log).expect("the process's log");
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle"))
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let another = AnotherProcess(child);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        eventually("another process listens", || async { TcpStream::connect(address).await.ok() })
            .await;
        another
    }

    /// Sends SIGKILL, which leaves the process and its children no time to clean up, and
    /// waits until it has ended.
    pub async fn kill(self) -> KilledProcess {
        self.signal(Signal::SIGKILL);
        self.ended().await
    }

    /// Sends SIGTERM, and waits until the process has ended.
    pub async fn terminate(self) -> KilledProcess {
        kill(Pid::from_raw(self.pid), Signal::SIGTERM).expect("it can be signalled");
        self.ended().await
    }

    async fn ended(self) -> KilledProcess {
        let (pid, started) = (self.pid, self.started);
        let killed = KilledProcess(Some(self));
        eventually("the process is gone", || async {
            (start_time(pid) != Some(started)).then_some(())
        })
        .await;
        killed
    }

    /// Stops the process and its children by SIGSTOP until [`Self::resume`]. Its connections stay
    /// open and are not served.
    pub fn pause(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Continues the process after [`Self::pause`].
    pub fn resume(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Signals the process and then its children, so that it starts no more of them.
    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid), signal).expect("it can be signalled");
        for child in children(self.pid) {
            // The process may have ended.
            let _ = kill(Pid::from_raw(child), signal);
        }
    }

    /// Removes the lock files of Postgres. It does not start while a process has the pid in these
    /// files, and a killed child of `xtask` is a zombie until `xtask` ends.
    fn remove_lock_files(&self) {
        if !self.program.ends_with("postgres") {
            return;
        }
        let words = || self.arguments.iter().filter_map(|word| word.to_str());
        let data = words().skip_while(|word| *word != "-D").nth(1);
        let sockets = words().find_map(|word| word.strip_prefix("unix_socket_directories="));
        let lock = format!(".s.PGSQL.{}.lock", self.port);
        for (folder, file) in [(data, "postmaster.pid"), (sockets, lock.as_str())] {
            if let Some(folder) = folder {
                // The file may not exist.
                let _ = fs::remove_file(Path::new(folder).join(file));
            }
        }
    }

    /// Starts the program with the same arguments, environment, folder and log, and
    /// writes its record.
    fn start(&self) {
        self.remove_lock_files();
        let log = fs::File::options().append(true).open(&self.log).expect("the process's log");
        let mut child = Command::new(&self.program)
            .arg0(&self.called)
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .uid(self.user.0)
            .gid(self.user.1)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle"))
            .stderr(log)
            // A process group of its own, as xtask starts processes: Ctrl-C in the terminal must
            // not reach the process.
            .process_group(0)
            .spawn()
            .expect("the program starts");
        let pid = i32::try_from(child.id()).expect("a pid");
        let started = start_time(pid).unwrap_or(0);
        let Self { port, fingerprint, .. } = self;
        let text =
            format!("pid={pid}\nstarted={started}\nport={port}\nfingerprint={fingerprint}\n");
        let draft = self.record.with_extension("draft");
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, &self.record)).expect("a record");
        // The thread reaps the process if it is killed again, so that no zombie stays.
        thread::spawn(move || child.wait());
    }
}

impl KilledProcess {
    /// The data folder of a killed Postgres.
    pub fn data_folder(&self) -> PathBuf {
        let process = self.0.as_ref().expect("it has not been started again");
        let words = process.arguments.iter().filter_map(|word| word.to_str());
        words.skip_while(|word| *word != "-D").nth(1).expect("the option -D").into()
    }

    /// Sets a variable of the environment for the restart.
    #[must_use]
    pub fn with_environment(mut self, name: &str, value: &str) -> Self {
        let process = self.0.as_mut().expect("it has not been started again");
        process.environment.retain(|(known, _)| known != name);
        process.environment.push((name.into(), value.into()));
        self
    }

    /// Restarts the process, and waits until it accepts connections, which it does after its
    /// migrations. A process that ends at once is started again, because the children of a killed
    /// Postgres hold its shared memory for a moment.
    pub async fn restart(mut self) {
        let Some(process) = self.0.take() else { return };
        process.start();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, process.port));
        eventually("the process listens", || async {
            let listens = TcpStream::connect(address).await.ok();
            if listens.is_none() && !recorded(&process.record) {
                process.start();
            }
            listens
        })
        .await;
    }
}

impl Drop for KilledProcess {
    fn drop(&mut self) {
        if let Some(process) = self.0.take() {
            process.start();
        }
    }
}

/// When a process started, in clock ticks since boot; `None` when it has ended. A
/// zombie counts as ended once its last thread has: until then a thread may still
/// hold the process's ports.
fn start_time(pid: i32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // proc(5): the name, in parentheses, may contain parentheses and spaces; the state
    // is field 3, the number of threads 20, the start time 22.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let (state, threads, started) = (fields.first()?, fields.get(17)?, fields.get(19)?);
    let ended = *state == "X" || *state == "Z" && matches!(*threads, "0" | "1");
    if ended { None } else { started.parse().ok() }
}

/// A size of a process's `status` (proc(5)), in bytes.
fn size_in_status(pid: i32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status"));
    let status = status.expect("a process of ours");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")).expect("a size");
    kilobytes.trim().parse::<u64>().expect("a number") * 1024
}

/// Whether the process of a record runs.
fn recorded(record: &Path) -> bool {
    let text = fs::read_to_string(record).unwrap_or_default();
    let pid = text.lines().find_map(|line| line.strip_prefix("pid=")?.parse().ok());
    pid.is_some_and(|pid| start_time(pid).is_some())
}

/// The effective user and group of a process.
fn user(pid: i32) -> Option<(u32, u32)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    // proc(5): real, effective, saved and file system ids.
    let id = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().nth(1)?.parse().ok()
    };
    Some((id("Uid:")?, id("Gid:")?))
}

/// The processes that this one has started.
fn children(pid: i32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let parent = |child: i32| -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
    };
    pids.filter(|child| parent(*child) == Some(pid)).collect()
}

fn nul_separated(path: &Path) -> Vec<OsString> {
    let bytes = fs::read(path).expect("a process of ours");
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
    bytes.split(|byte| *byte == 0).map(|part| OsString::from_vec(part.to_vec())).collect()
}

fn pair(line: OsString) -> Option<(OsString, OsString)> {
    let bytes = line.into_vec();
    let at = bytes.iter().position(|byte| *byte == b'=')?;
    let (name, value) = (bytes[..at].to_vec(), bytes[at + 1..].to_vec());
    Some((OsString::from_vec(name), OsString::from_vec(value)))
}
