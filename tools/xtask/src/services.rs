//! The processes of a mesh by name.

/// A service's short name: database, role and folder (`svc-{name}`) follow from it.
/// Its index gives its ports: 50051 and up for gRPC, 9101 and up for metrics.
/// Append only.
pub(crate) const SERVICES: &[&str] = &["auth", "wallet", "games", "tournament", "chat"];

pub(crate) const POSTGRES: &str = "postgres";
pub(crate) const REDIS: &str = "redis";
/// A process that runs only with `up --jaeger`.
pub(crate) const JAEGER: &str = "jaeger";

/// The database role that owns a service's tables.
pub(crate) fn owner_role(name: &str) -> String {
    format!("{name}_owner")
}

/// Cargo packages (and programs) of everything that is built here, in the order of
/// their start.
pub(crate) fn packages() -> Vec<String> {
    let services = SERVICES.iter().map(|name| format!("svc-{name}"));
    let sandbox = std::iter::once("sandbox".to_owned());
    sandbox.chain(services).chain(std::iter::once("gateway".to_owned())).collect()
}

/// The name of a replica's process, counted from 0: `svc-wallet`, then `svc-wallet-2`.
pub(crate) fn replica_name(package: &str, replica: u16) -> String {
    match replica {
        0 => package.to_owned(),
        _ => format!("{package}-{}", replica + 1),
    }
}

/// All processes of a mesh with one replica of each service, the stores and Jaeger
/// first.
pub(crate) fn processes() -> Vec<String> {
    let stores = [POSTGRES, REDIS, JAEGER].map(str::to_owned);
    stores.into_iter().chain(packages()).collect()
}
