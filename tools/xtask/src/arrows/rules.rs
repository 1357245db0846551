//! Which way the arrows point: `rpc → app → domain`, `app → store → domain`,
//! `app → clients`.

use super::source::{Named, paths};

/// What a room may not name.
struct Room {
    name: &'static str,
    /// Rooms of the same service.
    rooms: &'static [&'static str],
    /// Crates.
    crates: &'static [&'static str],
    /// The reason, as told to whoever crossed it.
    because: &'static str,
}

const ROOMS: &[Room] = &[
    Room {
        name: "domain",
        rooms: &["app", "store", "clients", "rpc", "jobs", "config", "error"],
        crates: &["tonic", "sqlx", "tokio", "proto", "mesh", "redis", "reqwest", "axum", "tracing"],
        because: "domain is pure and imports only crates/types",
    },
    Room {
        name: "store",
        rooms: &["app", "clients", "rpc", "jobs"],
        crates: &["tonic", "proto", "reqwest", "axum"],
        because: "store knows SQL and domain, nothing above",
    },
    Room {
        name: "clients",
        rooms: &["app", "store", "rpc", "jobs"],
        crates: &["sqlx", "axum"],
        because: "clients speak with neighbours and providers, nothing else",
    },
    Room {
        name: "app",
        rooms: &["rpc", "jobs"],
        crates: &["tonic", "proto", "reqwest", "axum"],
        because: "a use case knows domain, store and clients, and no wire",
    },
    Room {
        name: "rpc",
        rooms: &["store", "clients", "jobs"],
        crates: &["sqlx", "reqwest"],
        because: "a handler decodes, makes one app call and encodes",
    },
    Room {
        name: "jobs",
        rooms: &["rpc"],
        crates: &["tonic", "proto", "axum"],
        because: "a loop calls use cases; the wire is in rpc and clients",
    },
];

/// What domain may import from outside its own crate. thiserror, time and uuid
/// are the vocabulary that crates/types itself is written in.
const PURE: &[&str] = &["std", "core", "alloc", "types", "thiserror", "time", "uuid", "proptest"];

/// Faults in one file of a service; `path` is relative to its src folder.
pub(super) fn service_file(path: &str, text: &str) -> Vec<(usize, String)> {
    let module = module_of(path);
    let own = module.first().map_or("", String::as_str);
    // The crate's root puts everything together, so it may name everything.
    if matches!(path, "lib.rs" | "main.rs") {
        return queries(own, &paths(text));
    }
    let named = paths(text);
    let children = children(&named);
    let mut faults = queries(own, &named);
    let room = ROOMS.iter().find(|room| room.name == own);
    for name in &named {
        if let Some(target) = own_room(name, &module) {
            if target == "rpc" && own != "rpc" {
                faults.push((name.line, "nothing but lib.rs imports rpc".to_owned()));
            } else if let Some(room) = room.filter(|room| room.rooms.contains(&target)) {
                faults.push((name.line, format!("{own} names {target}: {}", room.because)));
            }
            continue;
        }
        let Some(origin) = foreign(name, &children) else { continue };
        let impure = own == "domain" && name.imported && !PURE.contains(&origin);
        if let Some(room) = room.filter(|room| impure || room.crates.contains(&origin)) {
            faults.push((name.line, format!("{own} names {origin}: {}", room.because)));
        } else if origin == "proto" && !matches!(own, "rpc" | "clients") {
            let fault = format!("{own} names proto: wire types stay in rpc and clients");
            faults.push((name.line, fault));
        }
    }
    faults.dedup();
    faults
}

/// Faults in one file of a crate that must not touch some crates at all.
pub(super) fn without(crates: &[&str], because: &str, text: &str) -> Vec<(usize, String)> {
    let named = paths(text);
    let children = children(&named);
    let crossed = named.iter().filter_map(|name| {
        let root = foreign(name, &children).filter(|root| crates.contains(root))?;
        Some((name.line, format!("names {root}: {because}")))
    });
    let mut faults = crossed.collect::<Vec<_>>();
    faults.dedup();
    faults
}

/// SQL is in store and nowhere else.
fn queries(own: &str, named: &[Named]) -> Vec<(usize, String)> {
    let is_query = |name: &&Named| {
        let last = name.path.last().is_some_and(|last| last.starts_with("query"));
        let of_sqlx = name.path.first().is_some_and(|first| first == "sqlx");
        last && (of_sqlx || (name.path.len() == 1 && name.called_as_macro))
    };
    if own == "store" {
        return Vec::new();
    }
    let found = named.iter().filter(is_query);
    found.map(|name| (name.line, "SQL outside store".to_owned())).collect()
}

/// The room of the same crate that a path leads to.
fn own_room<'a>(name: &'a Named, module: &[String]) -> Option<&'a str> {
    let first = name.path.first()?.as_str();
    let supers = name.path.iter().take_while(|segment| *segment == "super").count();
    match first {
        "crate" => name.path.get(1).map(String::as_str),
        "super" if supers >= module.len() => name.path.get(supers).map(String::as_str),
        _ => None,
    }
}

/// The other crate that a path begins with. Only a path of two segments or an
/// import tells: a single word is a name of the file's own, and so is whatever
/// begins with a module of the file or with a type.
fn foreign<'a>(name: &'a Named, children: &[&str]) -> Option<&'a str> {
    let first = name.path.first()?.as_str();
    let counts = name.path.len() > 1 || name.imported;
    let own = matches!(first, "crate" | "super" | "self") || children.contains(&first);
    let of_type = first.starts_with(char::is_uppercase);
    (counts && !own && !of_type).then_some(first)
}

/// The modules that the file declares.
fn children(named: &[Named]) -> Vec<&str> {
    let pairs = named.iter().zip(named.iter().skip(1));
    let declared = pairs.filter(|(keyword, _)| keyword.path == ["mod"]);
    declared.filter_map(|(_, name)| name.path.first().map(String::as_str)).collect()
}

/// `app/top_up.rs` is the module `[app, top_up]`, `app.rs` and `app/mod.rs` are `[app]`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(path: &str, text: &str) {
        assert!(!service_file(path, text).is_empty(), "{path} may write {text:?}");
    }

    #[track_caller]
    fn fine(path: &str, text: &str) {
        assert_eq!(service_file(path, text), [], "{path}: {text:?}");
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
        fine(
            "domain/hold.rs",
            "use std::fmt; use types::{Money, Clock}; use super::state::State; use crate::domain::Fee;",
        );
    }

    #[test]
    fn a_files_own_modules_and_types_are_no_crates() {
        fine("domain/mod.rs", "mod hold;\npub use hold::Hold;\nuse State::{Held, Released};");
        refused("domain/mod.rs", "mod hold;\npub use sqlx::PgPool;");
    }

    #[test]
    fn nobody_looks_up_to_rpc() {
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
        fine(
            "lib.rs",
            "mod rpc; use crate::rpc::Wallet; use proto::wallet::v1::wallet_service_server::WalletServiceServer;",
        );
        fine(
            "rpc/player.rs",
            "use super::wire; use crate::rpc::encode; use proto::wallet::v1 as pb;",
        );
    }

    #[test]
    fn arrows_point_down() {
        refused("store/holds.rs", "use crate::app::TopUp;");
        refused("store/holds.rs", "fn f() -> tonic::Status {}");
        refused("clients/daraja.rs", "use crate::{domain::Phone, store};");
        refused("rpc/player.rs", "use crate::store::holds;");
        refused("rpc/player.rs", "use crate::app; fn f(db: &sqlx::PgPool) {}");
        refused("app/top_up.rs", "use proto::wallet::v1::Payment;");
        fine(
            "app/top_up.rs",
            "use crate::{clients::daraja::Daraja, domain::Payment, store::payments}; use sqlx::PgConnection;",
        );
        fine(
            "store/holds.rs",
            "use crate::{domain::Hold, error::Failure}; fn f() { sqlx::query!(\"SELECT 1\"); }",
        );
    }

    #[test]
    fn sql_stays_in_store() {
        for text in [
            "sqlx::query!(\"SELECT 1\")",
            "sqlx::query_as::<_, X>(\"S\")",
            "use sqlx::query_scalar; ",
            "query_as!(X, \"S\")",
        ] {
            refused("app/top_up.rs", text);
            refused("jobs/settle.rs", text);
            refused("lib.rs", text);
        }
        fine("app/top_up.rs", "let query = daraja.query(id).await?; if query != other {}");
        fine("lib.rs", "sqlx::migrate!().run(&db).await?;");
    }

    #[test]
    fn proto_is_the_wires_own() {
        refused("error.rs", "use proto::types::v1::Money;");
        fine("clients/auth.rs", "use proto::auth::v1::GetUserRequest;");
    }

    #[test]
    fn the_line_is_told() {
        let faults =
            service_file("domain/fee.rs", "//! Fees.\n\nuse types::Money;\nuse sqlx::PgPool;\n");
        assert_eq!(faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn crates_can_be_kept_out_altogether() {
        assert_eq!(without(&["sqlx"], "no database here", "use sqlx::PgPool;").len(), 1);
        assert!(
            without(&["sqlx"], "no database here", "// sqlx::PgPool\nuse axum::Router;").is_empty()
        );
    }
}
