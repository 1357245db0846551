//! Which layer of a service may import what: `rpc → app → domain`,
//! `app → store → domain`, `app → clients`.

use super::source::{Fault, Kind, NamedPath, Source};

/// The imports that a layer of a service must not have.
struct Layer {
    name: &'static str,
    /// Forbidden modules of the same service.
    modules: &'static [&'static str],
    crates: &'static [&'static str],
    /// The reason that is printed with the fault.
    reason: &'static str,
}

const LAYERS: &[Layer] = &[
    Layer {
        name: "domain",
        modules: &["app", "store", "clients", "rpc", "jobs", "config", "error"],
        crates: &["tonic", "sqlx", "tokio", "proto", "mesh", "redis", "reqwest", "axum", "tracing"],
        reason: "domain is pure and imports only crates/types",
    },
    Layer {
        name: "store",
        modules: &["app", "clients", "rpc", "jobs"],
        crates: &["tonic", "proto", "reqwest", "axum"],
        reason: "store imports SQL and domain, nothing above",
    },
    Layer {
        name: "clients",
        modules: &["app", "store", "rpc", "jobs"],
        crates: &["sqlx", "axum"],
        reason: "clients call upstreams and providers, nothing else",
    },
    Layer {
        name: "app",
        modules: &["rpc", "jobs"],
        crates: &["tonic", "proto", "reqwest", "axum"],
        reason: "a use case imports domain, store and clients, and no wire types",
    },
    Layer {
        name: "rpc",
        modules: &["store", "clients", "jobs"],
        crates: &["sqlx", "reqwest"],
        reason: "a handler decodes, makes one app call and encodes",
    },
    Layer {
        name: "jobs",
        modules: &["rpc"],
        crates: &["tonic", "proto", "axum"],
        reason: "a loop calls use cases; wire types stay in rpc and clients",
    },
];

/// The crates that domain may import: crates/types, the crates that crates/types is itself written
/// with, and crates that read and write text: strum, url, `unicode_normalization`.
const PURE: &[&str] = &[
    "std",
    "core",
    "alloc",
    "types",
    "strum",
    "thiserror",
    "time",
    "url",
    "unicode_normalization",
    "uuid",
    "proptest",
];

/// Faults in one file of a service; `path` is relative to its src folder.
pub(super) fn service_file(path: &str, source: &Source) -> Vec<Fault> {
    let module = module_of(path);
    let own = module.first().map_or("", String::as_str);
    let mut faults = queries(own, source);
    // The crate's root builds everything, so it may import everything.
    if module.is_empty() {
        return faults;
    }
    let layer = LAYERS.iter().find(|layer| layer.name == own);
    for path in &source.paths {
        let Some(fault) = import_fault(own, layer, path, &module, source) else { continue };
        faults.push((path.line, fault));
    }
    faults.dedup();
    faults
}

fn import_fault(
    own: &str,
    layer: Option<&Layer>,
    path: &NamedPath,
    module: &[String],
    source: &Source,
) -> Option<String> {
    if let Some(target) = top_module(path, module) {
        if target == "rpc" && own != "rpc" {
            return Some("only lib.rs imports rpc".to_owned());
        }
        let layer = layer.filter(|layer| layer.modules.contains(&target))?;
        return Some(format!("{own} imports {target}: {}", layer.reason));
    }
    let name = other_crate(path, source)?;
    let impure = own == "domain" && path.is_import() && !PURE.contains(&name);
    if let Some(layer) = layer.filter(|layer| impure || layer.crates.contains(&name)) {
        return Some(format!("{own} imports {name}: {}", layer.reason));
    }
    let wire = name == "proto" && !matches!(own, "rpc" | "clients");
    wire.then(|| format!("{own} imports proto: wire types stay in rpc and clients"))
}

/// Faults in one file of a crate that must not import some crates at all.
pub(super) fn without(crates: &[&str], reason: &str, source: &Source) -> Vec<Fault> {
    let forbidden = |path: &NamedPath| {
        let name = other_crate(path, source).filter(|name| crates.contains(name))?;
        Some((path.line, format!("imports {name}: {reason}")))
    };
    let mut faults = source.paths.iter().filter_map(forbidden).collect::<Vec<_>>();
    faults.dedup();
    faults
}

/// Finds SQL outside of store.
fn queries(own: &str, source: &Source) -> Vec<Fault> {
    let is_query = |path: &&NamedPath| {
        let last = path.segments.last().is_some_and(|last| last.starts_with("query"));
        let bare_macro = path.segments.len() == 1 && path.kind == Kind::Macro;
        last && (path.first() == "sqlx" || bare_macro)
    };
    let found = source.paths.iter().filter(|path| own != "store" && is_query(path));
    found.map(|path| (path.line, "SQL outside store".to_owned())).collect()
}

/// The top module of the same crate that a path leads to.
fn top_module<'a>(path: &'a NamedPath, module: &[String]) -> Option<&'a str> {
    let supers = path.segments.iter().take_while(|segment| *segment == "super").count();
    let root = match path.first() {
        "crate" => 1,
        "super" if supers >= module.len() => supers,
        _ => return None,
    };
    path.segments.get(root).map(String::as_str)
}

/// The other crate that a path begins with. A single segment outside of `use` is a name of the file
/// itself, as is a path that begins with a type or a declared module.
fn other_crate<'a>(path: &'a NamedPath, source: &Source) -> Option<&'a str> {
    let first = path.first();
    let qualified = path.segments.len() > 1 || path.is_import();
    let own = matches!(first, "crate" | "super" | "self")
        || first.starts_with(char::is_uppercase)
        || source.modules.iter().any(|module| module == first);
    (qualified && !own).then_some(first)
}

/// The module of a file below src: `app/top_up.rs` is `[app, top_up]`, `app.rs` and
/// `app/mod.rs` are `[app]`, the crate's root is empty.
pub(super) fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let segments = path.split('/').map(str::to_owned).collect();
    if matches!(path, "lib" | "main") { Vec::new() } else { segments }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(path: &str, text: &str) {
        let source = Source::parse(text).unwrap();
        assert!(!service_file(path, &source).is_empty(), "{path} may write {text:?}");
    }

    #[track_caller]
    fn accepted(path: &str, text: &str) {
        let source = Source::parse(text).unwrap();
        assert_eq!(service_file(path, &source), [], "{path}: {text:?}");
    }

    #[test]
    fn domain_is_pure() {
        for text in [
            "use sqlx::PgPool;",
            "use tonic::Status;",
            "async fn f() { tokio::task::yield_now().await }",
            "use proto::wallet::v1::Payment;",
            "use crate::store::holds;",
            "use super::super::error::Failure;",
            "use chrono::Utc;",
        ] {
            refused("domain/hold.rs", text);
        }
        accepted(
            "domain/hold.rs",
            "use std::fmt; use types::{Money, Clock}; use super::state::State; use crate::domain::Fee;",
        );
    }

    #[test]
    fn modules_and_types_of_the_file_are_not_crates() {
        accepted("domain/mod.rs", "mod hold;\npub use hold::Hold;\nuse State::{Held, Released};");
        refused("domain/mod.rs", "mod hold;\npub use sqlx::PgPool;");
    }

    #[test]
    fn only_the_root_imports_rpc() {
        for path in [
            "app/top_up.rs",
            "store/holds.rs",
            "clients/daraja.rs",
            "jobs/settle.rs",
            "error.rs",
            "config.rs",
        ] {
            refused(path, "use crate::rpc::encode;");
        }
        refused("app.rs", "use super::rpc;");
        accepted(
            "lib.rs",
            "mod rpc; use crate::rpc::Wallet; use proto::wallet::v1::wallet_service_server::WalletServiceServer;",
        );
        accepted(
            "rpc/player.rs",
            "use super::wire; use crate::rpc::encode; use proto::wallet::v1 as pb;",
        );
    }

    #[test]
    fn no_layer_imports_one_above() {
        refused("store/holds.rs", "use crate::app::TopUp;");
        refused("store/holds.rs", "fn f() -> tonic::Status {}");
        refused("clients/daraja.rs", "use crate::{domain::Phone, store};");
        refused("rpc/player.rs", "use crate::store::holds;");
        refused("rpc/player.rs", "use crate::app; fn f(db: &sqlx::PgPool) {}");
        refused("app/top_up.rs", "use proto::wallet::v1::Payment;");
        accepted(
            "app/top_up.rs",
            "use crate::{clients::daraja::Daraja, domain::Payment, store::payments}; use sqlx::PgConnection;",
        );
        accepted(
            "store/holds.rs",
            "use crate::{domain::Hold, error::Failure}; fn f() { sqlx::query!(\"SELECT 1\"); }",
        );
    }

    #[test]
    fn sql_is_accepted_in_store_only() {
        for text in [
            "fn f() { sqlx::query!(\"SELECT 1\") }",
            "fn f() { sqlx::query_as::<_, X>(\"S\") }",
            "use sqlx::query_scalar; ",
            "fn f() { query_as!(X, \"S\") }",
        ] {
            refused("app/top_up.rs", text);
            refused("jobs/settle.rs", text);
            refused("lib.rs", text);
        }
        accepted(
            "app/top_up.rs",
            "async fn f() { let query = daraja.query(id).await?; if query != other {} }",
        );
        accepted("lib.rs", "async fn f() { sqlx::migrate!().run(&db).await?; }");
    }

    #[test]
    fn proto_is_accepted_in_rpc_and_clients_only() {
        refused("error.rs", "use proto::types::v1::Money;");
        accepted("clients/auth.rs", "use proto::auth::v1::GetUserRequest;");
    }

    #[test]
    fn a_fault_has_its_line() {
        let text = "//! Fees.\n\nuse types::Money;\nuse sqlx::PgPool;\n";
        let faults = service_file("domain/fee.rs", &Source::parse(text).unwrap());
        assert_eq!(faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn without_refuses_the_listed_crates() {
        let faults = |text| without(&["sqlx"], "no database", &Source::parse(text).unwrap());
        assert_eq!(faults("use sqlx::PgPool;").len(), 1);
        assert_eq!(faults("// sqlx::PgPool\nuse axum::Router;"), []);
    }
}
