//! Countries and currencies, which change once in a few years.

use axum::extract::State;
use proto::auth::v1::{self as rpc, ListCountriesRequest, ListCurrenciesRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::HandlerResult;
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// Cached for a day.
const CACHING: &str = "public, max-age=86400";

/// `GET /countries/list`
pub(crate) async fn countries(State(gateway): State<Gateway>) -> HandlerResult<Vec<Country>> {
    let reply = gateway.upstreams().players().list_countries(ListCountriesRequest {}).await?;
    let countries = reply.into_inner().countries;
    Ok(Reply::ok(countries.into_iter().map(Into::into).collect()).cached(CACHING))
}

/// `GET /currencies/list`
pub(crate) async fn currencies(State(gateway): State<Gateway>) -> HandlerResult<Vec<Currency>> {
    let reply = gateway.upstreams().players().list_currencies(ListCurrenciesRequest {}).await?;
    let currencies = reply.into_inner().currencies;
    Ok(Reply::ok(currencies.into_iter().map(Into::into).collect()).cached(CACHING))
}

payloads!(Country, Currency);

/// A country of ISO 3166-1.
#[derive(Serialize, ToSchema)]
pub(crate) struct Country {
    id: String,
    name: String,
    #[serde(rename = "alpha2Code")]
    alpha2_code: String,
    #[serde(rename = "alpha3Code")]
    alpha3_code: String,
    region: String,
}

impl From<rpc::Country> for Country {
    fn from(country: rpc::Country) -> Self {
        Self {
            id: country.id,
            name: country.name,
            alpha2_code: country.alpha2_code,
            alpha3_code: country.alpha3_code,
            region: country.region,
        }
    }
}

/// A currency of ISO 4217.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Currency {
    id: String,
    code: String,
    name: String,
    country_id: Option<String>,
}

impl From<rpc::Currency> for Currency {
    fn from(currency: rpc::Currency) -> Self {
        Self {
            id: currency.id,
            code: currency.code,
            name: currency.name,
            country_id: currency.country_id,
        }
    }
}
