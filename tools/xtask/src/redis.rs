//! A private Redis. Its data may be lost, so it writes nothing to the disk.

use std::path::Path;

use anyhow::Result;

use crate::daemon::{Daemon, Ready};
use crate::instance::Instance;
use crate::services::REDIS;

/// The daemon that runs Redis.
pub(crate) fn daemon(instance: &Instance, program: &Path) -> Result<Daemon> {
    let folder = instance.dir.join("redis");
    std::fs::create_dir_all(&folder)?;
    let port = instance.ports.redis.to_string();
    let settings = [
        ("--port", port.as_str()),
        ("--bind", "127.0.0.1"),
        ("--save", ""),
        ("--appendonly", "no"),
        ("--daemonize", "no"),
        // The command line must not change, so that a test can start the same Redis again.
        ("--set-proc-title", "no"),
    ];
    Ok(Daemon {
        name: REDIS.to_owned(),
        program: program.to_path_buf(),
        arguments: settings.iter().flat_map(|(k, v)| [*k, *v]).map(str::to_owned).collect(),
        environment: Vec::new(),
        folder,
        user: None,
        ports: vec![instance.ports.redis],
        ready: Ready::Redis,
    })
}

/// The URL for clients.
pub(crate) fn url(instance: &Instance) -> String {
    format!("redis://127.0.0.1:{}", instance.ports.redis)
}
