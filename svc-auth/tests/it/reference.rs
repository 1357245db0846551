//! Lists of countries and currencies.

use proto::auth::v1::{Country, Currency, ListCountriesRequest, ListCurrenciesRequest};

use crate::harness::{Service, connect};

async fn countries(auth: &Service) -> Vec<Country> {
    let reply = auth.players.clone().list_countries(ListCountriesRequest {}).await.unwrap();
    reply.into_inner().countries
}

async fn currencies(auth: &Service) -> Vec<Currency> {
    let reply = auth.players.clone().list_currencies(ListCurrenciesRequest {}).await.unwrap();
    reply.into_inner().currencies
}

#[tokio::test]
async fn guests_list_all_countries_by_name() {
    let auth = Service::start().await;
    let countries = countries(&auth).await;
    assert_eq!(countries.len(), 249);
    let names: Vec<_> = countries.iter().map(|country| country.name.as_str()).collect();
    assert_eq!(names[..3], ["Afghanistan", "Åland Islands", "Albania"]);
    assert_eq!(names.last(), Some(&"Zimbabwe"));
    let kenya = countries.into_iter().find(|country| country.id == "KE");
    let expected = Country {
        id: "KE".to_owned(),
        name: "Kenya".to_owned(),
        alpha2_code: "KE".to_owned(),
        alpha3_code: "KEN".to_owned(),
        region: "Africa".to_owned(),
    };
    assert_eq!(kenya, Some(expected));
}

#[tokio::test]
async fn guests_list_all_currencies_by_name() {
    let auth = Service::start().await;
    let currencies = currencies(&auth).await;
    assert!(currencies.len() > 150);
    let names: Vec<_> = currencies.iter().map(|currency| &currency.name).collect();
    assert_eq!(names[..2], ["ADB Unit of Account", "Afghani"]);
    let shilling = currencies.iter().find(|currency| currency.id == "KES").unwrap();
    let expected = Currency {
        id: "KES".to_owned(),
        code: "KES".to_owned(),
        name: "Kenyan Shilling".to_owned(),
        country_id: Some("KE".to_owned()),
    };
    assert_eq!(shilling, &expected);
    let euro = currencies.iter().find(|currency| currency.id == "EUR").unwrap();
    assert_eq!(euro.country_id, None, "no single country stands behind it");
}

#[tokio::test]
async fn the_lists_are_cached() {
    let auth = Service::start().await;
    let before = (countries(&auth).await, currencies(&auth).await);
    let mut conn = connect(&auth.database).await;
    sqlx::query("UPDATE country SET name = 'X'").execute(&mut conn).await.unwrap();
    sqlx::query("UPDATE currency SET name = 'X'").execute(&mut conn).await.unwrap();
    assert_eq!((countries(&auth).await, currencies(&auth).await), before);
}
