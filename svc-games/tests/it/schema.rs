//! Rules that every table follows.

use mesh::{args::DatabaseArgs, db::Migrated};

use crate::harness::Service;

#[tokio::test]
async fn every_table_says_how_long_its_rows_stay() {
    let service = Service::start().await;
    assert_eq!(service.database.tables_without_retention().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_process_that_only_migrates_ends_with_a_current_schema() {
    let database = testkit::empty_database("svc-games").await;
    let mut args = Service::args(&database, "https://127.0.0.1:1".to_owned());
    args.database = DatabaseArgs { db_migrate_only: true, ..DatabaseArgs::default() };

    let ended = svc_games::build(testkit::base("svc-games"), args).await.err().unwrap();

    assert!(ended.is::<Migrated>(), "{ended:#}");
    let mut args = Service::args(&database, "https://127.0.0.1:1".to_owned());
    args.owner_database_url = None;
    svc_games::build(testkit::base("svc-games"), args).await.unwrap();
}
