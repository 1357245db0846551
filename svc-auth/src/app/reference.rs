//! ISO's lists.

use tokio::sync::OnceCell;
use tracing::instrument;

use super::Cx;
use crate::{
    domain::{Country, Currency},
    error::Error,
    store,
};

/// The lists as they were read first. They change by migration alone, and so with
/// the next process.
#[derive(Default)]
pub(crate) struct Lists {
    countries: OnceCell<Vec<Country>>,
    currencies: OnceCell<Vec<Currency>>,
}

/// All countries, by name.
#[instrument(name = "auth.list_countries", skip_all)]
pub(crate) async fn list_countries(cx: &Cx) -> Result<&[Country], Error> {
    let read = || async { store::codes::countries(&mut *cx.db.acquire().await?).await };
    Ok(cx.lists.countries.get_or_try_init(read).await?)
}

/// All currencies, by name.
#[instrument(name = "auth.list_currencies", skip_all)]
pub(crate) async fn list_currencies(cx: &Cx) -> Result<&[Currency], Error> {
    let read = || async { store::codes::currencies(&mut *cx.db.acquire().await?).await };
    Ok(cx.lists.currencies.get_or_try_init(read).await?)
}
