//! The delay proxy: routes between the processes of a mesh whose replies the fault tests
//! can delay.

use std::path::Path;

use crate::daemon::{Daemon, Ready};
use crate::ports::{Ports, local};
use crate::services::{POSTGRES, REDIS, SERVICES, replica_name};

/// The package and its program.
pub(crate) const NAME: &str = "delay-proxy";
/// Variables with addresses that a process listens on itself.
const OWN: [&str; 3] = ["LISTEN", "METRICS_LISTEN", "MAIL_LISTEN"];

/// The name by which replies are delayed, and the port behind the route.
type Route = (String, u16);

/// The origin of the proxy's control API.
pub(crate) fn control_url(ports: Ports) -> String {
    format!("http://{}", local(ports.proxy))
}

/// Adds the proxy to these processes, and sends their calls to stores, sandbox and
/// services through it.
pub(crate) fn insert(daemons: &mut Vec<Daemon>, programs: &Path, ports: Ports, replicas: u16) {
    let routes = routes(ports, replicas);
    let addresses = routes.iter().enumerate().map(|(index, (name, port))| {
        (name, local(ports.proxy_route(index)).to_string(), local(*port).to_string())
    });
    let addresses = addresses.collect::<Vec<_>>();
    for (name, value) in daemons.iter_mut().flat_map(|daemon| &mut daemon.environment) {
        if OWN.contains(&name.as_str()) {
            continue;
        }
        for (_, from, to) in &addresses {
            *value = replace_address(value, to, from);
        }
    }
    let routes = addresses.iter().map(|(name, from, to)| format!("{name}={from}={to}"));
    let environment = [
        ("LISTEN".to_owned(), local(ports.proxy).to_string()),
        ("ROUTES".to_owned(), routes.collect::<Vec<_>>().join(",")),
    ];
    let listening = (0..addresses.len()).map(|index| ports.proxy_route(index));
    daemons.insert(
        0,
        Daemon {
            name: NAME.to_owned(),
            program: programs.join(NAME),
            arguments: Vec::new(),
            environment: environment.to_vec(),
            folder: programs.to_path_buf(),
            user: None,
            ports: std::iter::once(ports.proxy).chain(listening).collect(),
            ready: Ready::Http("/healthz"),
        },
    );
}

fn routes(ports: Ports, replicas: u16) -> Vec<Route> {
    let stores = [(POSTGRES, ports.postgres), (REDIS, ports.redis)];
    let sandbox = [("sandbox", ports.sandbox), ("sandbox", ports.mail)];
    let mut routes = stores.into_iter().chain(sandbox).map(|(name, port)| (name.to_owned(), port));
    let mut all = routes.by_ref().collect::<Vec<_>>();
    for (index, service) in SERVICES.iter().enumerate() {
        all.extend((0..replicas).map(|replica| {
            (replica_name(&format!("svc-{service}"), replica), ports.service(index, replica))
        }));
    }
    all
}

/// Replaces an address with a port, but not the beginning of a longer port.
fn replace_address(text: &str, address: &str, by: &str) -> String {
    let mut parts = text.split(address);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_longer = part.starts_with(|c: char| c.is_ascii_digit());
        replaced.push_str(if is_longer { address } else { by });
        replaced.push_str(part);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_of_a_list_is_replaced_and_no_part_of_a_longer_one() {
        let text = "http://127.0.0.1:500,http://127.0.0.1:5001,http://127.0.0.1:500";
        assert_eq!(
            replace_address(text, "127.0.0.1:500", "127.0.0.1:7"),
            "http://127.0.0.1:7,http://127.0.0.1:5001,http://127.0.0.1:7"
        );
    }

    #[test]
    fn calls_go_through_the_proxy_and_own_addresses_stay() {
        let ports = Ports::reserved(0);
        let url =
            format!("http://{},http://{}", local(ports.service(1, 0)), local(ports.service(1, 1)));
        let own = local(ports.service(0, 0)).to_string();
        let daemon = Daemon {
            name: "svc-auth".to_owned(),
            program: "svc-auth".into(),
            arguments: Vec::new(),
            environment: vec![("LISTEN".to_owned(), own.clone()), ("WALLET_URL".to_owned(), url)],
            folder: "/".into(),
            user: None,
            ports: Vec::new(),
            ready: Ready::Listens,
        };
        let mut daemons = vec![daemon];
        insert(&mut daemons, Path::new("/programs"), ports, 2);
        let [proxy, service] = daemons.as_slice() else { panic!("{daemons:?}") };
        assert_eq!(proxy.ports.len(), 1 + 4 + 2 * SERVICES.len());
        let [(_, listen), (_, url)] = service.environment.as_slice() else { panic!("{service:?}") };
        assert_eq!(*listen, own);
        let (first, second) = (ports.proxy_route(6), ports.proxy_route(7));
        assert_eq!(*url, format!("http://{},http://{}", local(first), local(second)));
    }
}
