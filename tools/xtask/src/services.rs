//! The five services by name. `new-service` appends here.

/// A service's short name: database, role and folder (`svc-{name}`) follow from
/// it. Its place in the list gives its ports: 50051 and up for gRPC, 9101 and
/// up for metrics. Append only.
pub(crate) const SERVICES: &[&str] = &["auth", "wallet", "games", "tournament", "chat"];
