//! Compares `openapi.json` with the document that the routes and their types make. With
//! `BLESS=1`, which `cargo xtask proto` sets, it writes the file instead.

use std::{collections::BTreeSet, fs, path::Path};

use gateway::{api_document::document, routes::ROUTES};
use serde_json::Value;

#[test]
fn the_committed_document_matches_the_routes() {
    let file = Path::new("openapi.json");
    let fresh = document().to_pretty_json().expect("the document is JSON") + "\n";
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, fresh).expect("write the document");
        return;
    }
    let committed = fs::read_to_string(file).expect("the committed document");
    assert!(
        committed == fresh,
        "gateway/openapi.json does not match the routes: run `cargo xtask proto`"
    );
}

#[test]
fn every_route_is_in_the_document_and_no_other() {
    let routes: BTreeSet<_> = ROUTES
        .iter()
        .map(|route| format!("{} {}", route.method.as_str().to_lowercase(), route.path))
        .collect();
    let document = serde_json::to_value(document()).expect("the document is JSON");
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let methods = item.as_object().expect("a path's methods").keys();
        described.extend(methods.map(|method| format!("{method} {path}")));
    }
    assert_eq!(described, routes);
}

#[test]
fn each_operation_has_an_id_of_its_own_and_every_reference_a_component() {
    let document = serde_json::to_value(document()).expect("the document is JSON");
    let mut ids = BTreeSet::new();
    for item in document["paths"].as_object().expect("paths").values() {
        for operation in item.as_object().expect("a path's methods").values() {
            let id = operation["operationId"].as_str().expect("an id");
            // Two paths have the same handler.
            assert!(ids.insert(id) || id == "usersPublic", "{id} is there twice");
        }
    }
    let mut references = BTreeSet::new();
    collect_references(&document, &mut references);
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a reference within the document");
        assert!(document.pointer(pointer).is_some(), "{reference} is not there");
    }
}

fn collect_references<'a>(value: &'a Value, references: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(object) => {
            references.extend(object.get("$ref").and_then(Value::as_str));
            for value in object.values() {
                collect_references(value, references);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_references(item, references);
            }
        }
        _ => {}
    }
}
