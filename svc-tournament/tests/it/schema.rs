//! Rules that every table follows.

use crate::harness::Service;

#[tokio::test]
async fn every_table_says_how_long_its_rows_stay() {
    let service = Service::start().await;
    assert_eq!(service.database.tables_without_retention().await, Vec::<String>::new());
}
