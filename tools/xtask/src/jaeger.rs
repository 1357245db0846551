//! `up --jaeger`: a Jaeger beside the mesh, from an installed program or in a container.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::command::in_path;
use crate::daemon::{Daemon, Ready};
use crate::instance::Instance;
use crate::ports::{Ports, local};
use crate::services::JAEGER;

/// The image, which k8s/components/jaeger runs, too.
const IMAGE: &str = "cr.jaegertracing.io/jaegertracing/jaeger:2.21.0";
/// The port of Jaeger v2's UI and query API.
const UI: u16 = 16_686;
/// The port of Jaeger's query API by gRPC, which is not used.
const QUERY_GRPC: u16 = 16_685;

/// The means to run Jaeger here.
#[derive(Debug)]
pub(crate) enum Jaeger {
    /// Jaeger v2's own program.
    Program(PathBuf),
    /// `docker` or `podman`, whose engine answers.
    Container(PathBuf),
}

impl Jaeger {
    /// Finds a Jaeger, or fails with the ways to get one.
    pub(crate) fn find() -> Result<Self> {
        if let Some(path) = std::env::var_os("JAEGER_BIN").map(PathBuf::from) {
            if !path.is_file() {
                bail!("JAEGER_BIN={} is not a file", path.display());
            }
            return Ok(Self::Program(path));
        }
        if let Some(program) = in_path("jaeger") {
            return Ok(Self::Program(program));
        }
        let mut engines = ["docker", "podman"].into_iter().filter_map(in_path);
        let engine = engines.find(answers);
        engine.map(Self::Container).context(INSTRUCTION.replace("IMAGE", IMAGE))
    }

    /// The daemon that runs Jaeger. OTLP is on the port of the journeys' collector, so the mesh
    /// sends its spans as it does in tests.
    pub(crate) fn daemon(&self, instance: &Instance) -> Result<Daemon> {
        let (ui, otlp) = (ui(instance.ports), instance.ports.collector);
        let (program, arguments, ports) = match self {
            Self::Program(program) => {
                let path = instance.dir.join("jaeger.yaml");
                let grpc = query_grpc(instance.ports);
                fs::write(&path, configuration(local(ui), local(grpc), local(otlp)))
                    .with_context(|| format!("cannot write {}", path.display()))?;
                let arguments = vec!["--config".to_owned(), path.display().to_string()];
                (program, arguments, vec![ui, otlp, grpc])
            }
            Self::Container(engine) => {
                let name = format!("playon-jaeger-{}", instance.ports.offset);
                if instance.running(JAEGER).is_none() {
                    // Removes a container that a killed `docker run` has left. Usually there is
                    // none.
                    let _ = quiet(Command::new(engine).args(["rm", "--force", &name]));
                }
                (engine, container(&name, ui, otlp), vec![ui, otlp])
            }
        };
        Ok(Daemon {
            name: JAEGER.to_owned(),
            program: program.clone(),
            arguments,
            environment: Vec::new(),
            folder: instance.dir.clone(),
            user: None,
            ports,
            ready: Ready::Http("/"),
        })
    }
}

/// The address of Jaeger's UI.
pub(crate) fn url(ports: Ports) -> String {
    format!("http://{}", local(ui(ports)))
}

fn ui(ports: Ports) -> u16 {
    UI.saturating_add(ports.offset)
}

fn query_grpc(ports: Ports) -> u16 {
    QUERY_GRPC.saturating_add(ports.offset)
}

/// The arguments of an engine that runs the image in the foreground: the signal that
/// stops the engine's program stops the container.
fn container(name: &str, ui: u16, otlp: u16) -> Vec<String> {
    let publish = |port: u16, inner: u16| format!("--publish=127.0.0.1:{port}:{inner}");
    let name = format!("--name={name}");
    let (ui, otlp) = (publish(ui, UI), publish(otlp, 4_317));
    let arguments = ["run", "--rm", &name, &ui, &otlp, "--env=JAEGER_LISTEN_HOST=0.0.0.0", IMAGE];
    arguments.map(str::to_owned).to_vec()
}

/// Jaeger's configuration with these addresses. Without one it keeps all traces, and uses the documented ports,
/// and many others for protocols that we do not speak.
fn configuration(ui: SocketAddr, grpc: SocketAddr, otlp: SocketAddr) -> String {
    format!(
        "service:
  extensions: [jaeger_storage, jaeger_query]
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [jaeger_storage_exporter]
  telemetry:
    metrics:
      level: none
extensions:
  jaeger_query:
    storage:
      traces: memory
    http:
      endpoint: {ui}
    grpc:
      endpoint: {grpc}
  jaeger_storage:
    backends:
      memory:
        memory:
          max_traces: 5000
receivers:
  otlp:
    protocols:
      grpc:
        endpoint: {otlp}
exporters:
  jaeger_storage_exporter:
    trace_storage: memory
"
    )
}

/// Whether an engine runs: its client may be installed alone.
fn answers(engine: &PathBuf) -> bool {
    quiet(Command::new(engine).arg("info"))
}

fn quiet(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

const INSTRUCTION: &str = "--jaeger needs a Jaeger v2, and there is none here. Any of these will do:
       - its program (https://www.jaegertracing.io/download/) on the PATH as `jaeger`, or JAEGER_BIN=/path/to/it
       - a running Docker or Podman: then it is fetched as IMAGE
       - one that runs elsewhere, without --jaeger: OTEL_EXPORTER_OTLP_ENDPOINT=http://host:4317 cargo xtask up";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_reached_on_this_machine_only_and_at_moved_ports() {
        let ports = Ports::documented(300).unwrap();
        let arguments = container("playon-jaeger-300", ui(ports), ports.collector).join(" ");
        assert!(arguments.contains("--publish=127.0.0.1:16986:16686"), "{arguments}");
        assert!(arguments.contains("--publish=127.0.0.1:4617:4317"), "{arguments}");
        assert!(arguments.ends_with(IMAGE), "{arguments}");
    }

    #[test]
    fn the_program_listens_on_moved_ports_of_this_machine() {
        let ports = Ports::documented(300).unwrap();
        let otlp = local(ports.collector);
        let text = configuration(local(ui(ports)), local(query_grpc(ports)), otlp);
        for address in ["127.0.0.1:16986", "127.0.0.1:16985", "127.0.0.1:4617"] {
            assert!(text.contains(&format!("endpoint: {address}\n")), "{text}");
        }
        assert!(!text.contains("0.0.0.0"));
    }

    #[test]
    fn kubernetes_runs_the_same_version_with_the_same_configuration() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../k8s/components/jaeger");
        let text = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        let deployment = text("deployment.yaml");
        assert!(deployment.contains(&format!("image: {IMAGE}\n")), "{deployment}");
        let open = |port: u16| SocketAddr::from(([0, 0, 0, 0], port));
        let expected = super::configuration(open(UI), open(QUERY_GRPC), open(4_317));
        let configuration = text("config.yaml");
        let (_comment, configuration) = configuration.split_once('\n').unwrap();
        assert_eq!(configuration, expected);
    }
}
