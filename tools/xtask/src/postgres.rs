//! A private PostgreSQL: a database and two roles for each service; no role can connect
//! to another service's database.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use nix::unistd::{Uid, User};

use crate::daemon::{Account, Daemon, Ready, last_lines, open_log};
use crate::files::remove;
use crate::instance::{Data, Instance};
use crate::pidfile::{PidFile, command_line};
use crate::services::{POSTGRES, owner_role};
use crate::shutdown;

/// The superuser's role.
const SUPERUSER: &str = "playon";
/// Most connections, because tests open a pool for each of their databases.
const MAX_CONNECTIONS: u16 = 300;

/// One private server.
#[derive(Debug)]
pub(crate) struct Postgres {
    programs: PathBuf,
    port: u16,
    data: PathBuf,
    sockets: PathBuf,
    /// The user that the server runs as: PostgreSQL refuses to run as root, so root starts it as
    /// another user.
    account: Option<Account>,
    kept: Data,
}

impl Postgres {
    /// The server of this instance, with the programs in this folder.
    pub(crate) fn of(instance: &Instance, programs: &Path) -> Result<Self> {
        let account = account()?;
        // The path of a socket has at most 107 bytes (unix(7)).
        let digest = digest(&instance.dir);
        Ok(Self {
            programs: programs.to_path_buf(),
            port: instance.ports.postgres,
            data: data_home(instance, account).join(format!("postgres-{}", major(programs)?)),
            sockets: Path::new("/tmp").join(format!("playon-{digest:08x}")),
            account,
            kept: instance.data,
        })
    }

    /// Makes the data directory if there is none, and removes files that a killed server may have
    /// left.
    pub(crate) fn prepare(&self, instance: &Instance) -> Result<()> {
        self.make_sockets()?;
        if self.data.join("PG_VERSION").is_file() {
            return self.recover();
        }
        // An interrupted initdb leaves an incomplete data directory.
        remove(&self.data)?;
        self.make_data(&instance.log("initdb"))
    }

    fn make_sockets(&self) -> Result<()> {
        let made = fs::DirBuilder::new().mode(0o700).create(&self.sockets);
        if made.is_ok() {
            self.change_owner(&self.sockets)?;
        }
        let metadata = fs::metadata(&self.sockets)
            .with_context(|| format!("cannot make {}", self.sockets.display()))?;
        // Every user can write to /tmp, and access to this folder is access to the
        // database as superuser.
        let owner = self.account.map_or(Uid::effective().as_raw(), |account| account.uid);
        if metadata.uid() != owner || metadata.permissions().mode() & 0o077 != 0 {
            bail!("{} belongs to another user; remove it", self.sockets.display());
        }
        Ok(())
    }

    fn make_data(&self, log: &Path) -> Result<()> {
        let home = self.data.parent().context("a data directory has a parent")?;
        fs::DirBuilder::new().recursive(true).mode(0o755).create(home)?;
        fs::DirBuilder::new().mode(0o700).create(&self.data)?;
        self.change_owner(&self.data)?;
        let mut command = self.command("initdb");
        command
            .arg("-D")
            .arg(&self.data)
            .args(["-U", SUPERUSER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"])
            .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
            .stdout(open_log(log)?)
            .stderr(fs::OpenOptions::new().append(true).open(log)?);
        if !command.status().context("cannot run initdb")?.success() {
            bail!("initdb failed{}", last_lines(log));
        }
        Ok(())
    }

    /// Recovers from a killed server, which leaves `postmaster.pid`. PostgreSQL ignores the file
    /// when no process has that pid, but not when another program has the pid now: then the file is
    /// removed. A server whose own pid file was lost still holds the data: it is stopped.
    fn recover(&self) -> Result<()> {
        let lock = self.data.join("postmaster.pid");
        let Ok(text) = fs::read_to_string(&lock) else {
            return Ok(());
        };
        let pid = text.lines().next().and_then(|line| line.trim().parse::<u32>().ok());
        let Some((pid, line)) =
            pid.and_then(|pid| Some((pid, command_line(i32::try_from(pid).ok()?)?)))
        else {
            return Ok(());
        };
        if !line.contains("postgres") {
            return remove(&lock);
        }
        shutdown::stop(POSTGRES, &PidFile::of(pid, self.port, 0)?)
    }

    /// The daemon that runs the server.
    pub(crate) fn daemon(&self) -> Daemon {
        let mut settings = vec![
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={}", self.port),
            format!("unix_socket_directories={}", self.sockets.display()),
            format!("max_connections={MAX_CONNECTIONS}"),
            "timezone=UTC".to_owned(),
        ];
        let more: &[&str] = match self.kept {
            // A commit still reaches the operating system, so a killed server loses no commit. A
            // test run makes some hundred databases; a small WAL saves disk.
            Data::Disposable => &["fsync=off", "full_page_writes=off", "max_wal_size=128MB"],
            Data::Kept => &[],
            // With the 128 MB of the default each page of a large table is read from the
            // operating system again, and checkpoints come by the size of the WAL.
            Data::Large => &["shared_buffers=2GB", "max_wal_size=8GB", "checkpoint_timeout=15min"],
        };
        settings.extend(more.iter().map(|setting| (*setting).to_owned()));
        let mut arguments = vec!["-D".to_owned(), self.data.display().to_string()];
        for setting in settings {
            arguments.extend(["-c".to_owned(), setting]);
        }
        Daemon {
            name: POSTGRES.to_owned(),
            program: self.programs.join("postgres"),
            arguments,
            environment: Vec::new(),
            // The other user may have no access to the current folder.
            folder: PathBuf::from("/"),
            user: self.account,
            ports: vec![self.port],
            ready: Ready::Postgres {
                pg_isready: self.programs.join("pg_isready"),
                sockets: self.sockets.clone(),
            },
        }
    }

    /// Makes roles and databases that are missing, and sets passwords and rights. A service has two
    /// roles: the owner makes its tables, the user only uses them.
    pub(crate) fn provision(&self, superuser: &str, services: &[ServiceRoles]) -> Result<()> {
        let mut sql = format!("ALTER ROLE {SUPERUSER} PASSWORD '{superuser}';\n");
        for service in services {
            let ServiceRoles { name, user_password, owner_password } = service;
            // Names are from SERVICES and passwords base64url: nothing needs quoting.
            for (role, password) in
                [(name.to_string(), user_password), (owner_role(name), owner_password)]
            {
                write!(
                    sql,
                    "SELECT 'CREATE ROLE {role} LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') \\gexec\n\
                     ALTER ROLE {role} PASSWORD '{password}';\n"
                )?;
            }
            let owner = owner_role(name);
            write!(
                sql,
                "SELECT 'CREATE DATABASE {name} OWNER {owner}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{name}') \\gexec\n\
                 REVOKE ALL ON DATABASE {name} FROM PUBLIC;\n\
                 ALTER DATABASE {name} OWNER TO {owner};\n\
                 GRANT CONNECT ON DATABASE {name} TO {name};\n\
                 \\connect {name}\n\
                 REASSIGN OWNED BY {name} TO {owner};\n\
                 ALTER SCHEMA public OWNER TO {owner};\n\
                 GRANT USAGE ON SCHEMA public TO {name};\n\
                 ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {name};\n\
                 ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE ON SEQUENCES TO {name};\n\
                 SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO {name}', oid::regclass) FROM pg_class \
                 WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relacl IS NULL \\gexec\n\
                 GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {name};\n\
                 \\connect postgres\n"
            )?;
        }
        self.run_sql(&sql)
    }

    /// Runs SQL as superuser over the socket, so that no password is on a command
    /// line.
    pub(crate) fn run_sql(&self, sql: &str) -> Result<()> {
        let mut psql = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-U", SUPERUSER, "-d", "postgres"])
            .arg("-h")
            .arg(&self.sockets)
            .args(["-p", &self.port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run psql")?;
        if let Some(mut input) = psql.stdin.take() {
            input.write_all(sql.as_bytes()).context("cannot write to psql")?;
        }
        let output = psql.wait_with_output()?;
        if !output.status.success() {
            bail!("psql: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(())
    }

    /// The URL of a database for the superuser.
    pub(crate) fn superuser_url(&self, password: &str, database: &str) -> String {
        url(SUPERUSER, password, self.port, database)
    }

    /// Removes the data; the server must be down.
    pub(crate) fn erase(&self) -> Result<()> {
        remove(&self.data)?;
        remove(&self.sockets)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir("/").env("HOME", "/tmp").stdin(Stdio::null());
        if let Some(Account { uid, gid }) = self.account {
            command.uid(uid).gid(gid);
        }
        command
    }

    fn change_owner(&self, path: &Path) -> Result<()> {
        if let Some(Account { uid, gid }) = self.account {
            chown(path, Some(uid), Some(gid))
                .with_context(|| format!("cannot change the owner of {}", path.display()))?;
        }
        Ok(())
    }
}

/// The two roles of a service's database.
pub(crate) struct ServiceRoles {
    /// The service, its database and the role that uses the tables.
    pub(crate) name: &'static str,
    pub(crate) user_password: String,
    pub(crate) owner_password: String,
}

/// The URL of a service's database, for the service.
pub(crate) fn service_url(instance: &Instance, name: &str, password: &str) -> String {
    url(name, password, instance.ports.postgres, name)
}

/// The URL of a service's database, for migrations.
pub(crate) fn owner_url(instance: &Instance, name: &str, password: &str) -> String {
    url(&owner_role(name), password, instance.ports.postgres, name)
}

fn url(role: &str, password: &str, port: u16, database: &str) -> String {
    format!("postgres://{role}:{password}@127.0.0.1:{port}/{database}")
}

/// The user that the server runs as; `None` for the current user.
fn account() -> Result<Option<Account>> {
    if !Uid::effective().is_root() {
        return Ok(None);
    }
    for name in ["postgres", "nobody"] {
        if let Some(user) = User::from_name(name)? {
            return Ok(Some(Account { uid: user.uid.as_raw(), gid: user.gid.as_raw() }));
        }
    }
    bail!("PostgreSQL may not run as root, and there is neither a user postgres nor nobody")
}

/// The folder for the data: the instance's folder, unless the other user has no access (a checkout
/// below /root).
fn data_home(instance: &Instance, account: Option<Account>) -> PathBuf {
    if account.is_none() || passable(&instance.dir) {
        instance.dir.clone()
    } else {
        Path::new("/var/tmp").join(format!("playon-{:08x}", digest(&instance.dir)))
    }
}

/// Whether every user may pass through the folder and all folders above it.
fn passable(folder: &Path) -> bool {
    folder
        .ancestors()
        .all(|above| fs::metadata(above).is_ok_and(|found| found.permissions().mode() & 0o001 != 0))
}

/// FNV-1a, which is stable over builds of this program: they must find the folder again.
fn digest(path: &Path) -> u32 {
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0x811c_9dc5, |digest, byte| (digest ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The major version: each version has its own folder, since it cannot read the data of another.
fn major(programs: &Path) -> Result<u32> {
    let output = Command::new(programs.join("postgres"))
        .arg("--version")
        .output()
        .context("cannot run postgres --version")?;
    let text = String::from_utf8_lossy(&output.stdout);
    parse_major(&text).with_context(|| format!("`postgres --version` printed {text:?}"))
}

fn parse_major(text: &str) -> Option<u32> {
    let version = text.split_ascii_whitespace().nth(2)?;
    let end = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_major_version_from_the_lines_of_several_vendors() {
        let debian = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(parse_major(debian), Some(15));
        assert_eq!(parse_major("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(parse_major("no such thing"), None);
    }

    #[test]
    fn a_folder_below_one_without_access_is_not_passable() {
        let closed = std::env::temp_dir().join(format!("xtask-closed-{}", std::process::id()));
        fs::create_dir_all(closed.join("inner")).unwrap();
        assert!(passable(&closed.join("inner")));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!passable(&closed.join("inner")));
        fs::remove_dir_all(&closed).unwrap();
    }
}
