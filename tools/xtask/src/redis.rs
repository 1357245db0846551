//! A Redis of our own. It holds only what may be lost, so it never touches the disk.

use std::io::{Read as _, Write as _};
use std::path::Path;

use anyhow::Result;

use crate::daemon::{Daemon, Ready};
use crate::instance::Instance;
use crate::ports;

/// The process's name.
pub(crate) const NAME: &str = "redis";

/// How Redis is started.
pub(crate) fn daemon(instance: &Instance, program: &Path) -> Result<Daemon> {
    let folder = instance.dir.join("redis");
    std::fs::create_dir_all(&folder)?;
    let port = instance.ports.redis();
    let port_text = port.to_string();
    let arguments = [
        "--port",
        &port_text,
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--daemonize",
        "no",
    ];
    Ok(Daemon {
        name: NAME.to_owned(),
        program: program.to_path_buf(),
        arguments: arguments.map(str::to_owned).to_vec(),
        environment: Vec::new(),
        folder,
        user: None,
        ports: vec![port],
        ready: Ready::Redis,
    })
}

/// Where clients find it.
pub(crate) fn url(instance: &Instance) -> String {
    format!("redis://127.0.0.1:{}", instance.ports.redis())
}

/// Whether it answers, in its own protocol.
pub(crate) fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = ports::connect(port)?;
        stream.write_all(b"PING\r\n")?;
        let mut reply = [0_u8; 7];
        stream.read_exact(&mut reply)?;
        Ok(&reply == b"+PONG\r\n")
    };
    ask().unwrap_or(false)
}
