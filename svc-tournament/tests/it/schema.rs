//! Rules that every table follows.

use crate::harness::Service;

#[tokio::test]
async fn every_table_says_how_long_its_rows_stay() {
    let service = Service::start().await;
    let tables = service.world.database.tables_without_retention().await;
    assert_eq!(tables, Vec::<String>::new());
}
