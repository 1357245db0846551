//! The lists of countries (ISO 3166-1) and currencies (ISO 4217).

use std::collections::HashSet;

use journeys::{Mesh, Reply};
use reqwest::Method;
use serde_json::{Value, json};

const REGIONS: [&str; 6] = ["Africa", "Americas", "Antarctica", "Asia", "Europe", "Oceania"];

async fn list(mesh: &Mesh, path: &str) -> Vec<Value> {
    mesh.get(path).await.ok().as_array().unwrap().clone()
}

/// The values of a field. Panics when two rows have the same value.
fn unique<'v>(rows: &'v [Value], field: &str) -> HashSet<&'v str> {
    let values: HashSet<&str> = rows.iter().map(|row| row[field].as_str().unwrap()).collect();
    assert_eq!(values.len(), rows.len(), "two rows have the same {field}");
    values
}

#[tokio::test]
async fn the_list_has_all_countries_with_their_regions() {
    let mesh = Mesh::from_env();
    let countries = list(&mesh, "/countries/list").await;
    assert_eq!(countries.len(), 249, "ISO 3166-1");
    for (field, length) in [("alpha2Code", 2), ("alpha3Code", 3)] {
        for code in unique(&countries, field) {
            assert!(code.len() == length && code.bytes().all(|b| b.is_ascii_uppercase()), "{code}");
        }
    }
    unique(&countries, "id");
    unique(&countries, "name");
    for country in &countries {
        assert!(REGIONS.contains(&country["region"].as_str().unwrap()), "{country}");
    }
    let kenya = countries.iter().find(|country| country["alpha2Code"] == "KE").unwrap();
    assert_eq!(
        *kenya,
        json!({"id": kenya["id"], "name": "Kenya", "alpha2Code": "KE", "alpha3Code": "KEN", "region": "Africa"})
    );
}

#[tokio::test]
async fn the_list_has_all_currencies_with_their_countries() {
    let mesh = Mesh::from_env();
    let countries = list(&mesh, "/countries/list").await;
    let ids = unique(&countries, "id");
    let currencies = list(&mesh, "/currencies/list").await;
    assert!(currencies.len() > 150, "ISO 4217 has more than {}", currencies.len());
    for code in unique(&currencies, "code") {
        assert!(code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase()), "{code}");
    }
    unique(&currencies, "id");
    for currency in &currencies {
        let country = &currency["countryId"];
        assert!(country.is_null() || ids.contains(country.as_str().unwrap()), "{currency}");
        assert!(!currency["name"].as_str().unwrap().is_empty());
    }
    let of = |code: &str| currencies.iter().find(|currency| currency["code"] == code).unwrap();
    let kenya = countries.iter().find(|country| country["alpha2Code"] == "KE").unwrap();
    assert_eq!(
        *of("KES"),
        json!({"id": of("KES")["id"], "code": "KES", "name": "Kenyan Shilling", "countryId": kenya["id"]})
    );
    assert_eq!(of("EUR")["countryId"], Value::Null);
}

#[tokio::test]
async fn guests_can_read_the_lists_and_players_can_choose_any_entry() {
    let mesh = Mesh::from_env();
    for path in ["/api/countries/list", "/api/currencies/list"] {
        for authorization in ["Bearer ", "Bearer nonsense", ""] {
            let call = mesh.call(Method::GET, path).header("authorization", authorization);
            assert!(Reply::to(call).await.ok().is_array(), "{path} with {authorization:?}");
        }
    }
    let player = mesh.new_player().await;
    for (country, currency) in [("KE", "KES"), ("CI", "XOF"), ("AQ", "EUR")] {
        let profile =
            player.edit(&json!({"countryId": country, "currencyId": currency})).await.ok();
        assert_eq!(profile["countryId"], country);
        assert_eq!(profile["currencyId"], currency);
    }
}
