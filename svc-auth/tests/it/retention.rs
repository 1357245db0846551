//! Retention: every table states how long its rows stay.

use crate::harness::Service;

#[tokio::test]
async fn every_table_states_how_long_its_rows_stay() {
    let auth = Service::start().await;
    assert_eq!(auth.database.tables_without_retention().await, Vec::<String>::new());
}
