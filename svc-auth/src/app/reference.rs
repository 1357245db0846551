//! Lists countries and currencies.

use mesh::instrument;

use super::Cx;
use crate::{
    domain::{Country, Currency},
    error::Error,
    store,
};

/// All countries, sorted by name.
#[instrument(name = "auth.list_countries", skip_all)]
pub(crate) async fn list_countries(cx: &Cx) -> Result<&[Country], Error> {
    let read = || async { store::reference::list_countries(&mut *cx.db.acquire().await?).await };
    Ok(cx.reference.countries.get_or_try_init(read).await?.as_slice())
}

/// All currencies, sorted by name.
#[instrument(name = "auth.list_currencies", skip_all)]
pub(crate) async fn list_currencies(cx: &Cx) -> Result<&[Currency], Error> {
    let read = || async { store::reference::list_currencies(&mut *cx.db.acquire().await?).await };
    Ok(cx.reference.currencies.get_or_try_init(read).await?.as_slice())
}
