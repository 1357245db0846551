//! Listing {{nouns_words}} in pages.

use std::collections::HashSet;

use proto::{{name}}::v1::List{{Nouns}}Request;
use testkit::BEGINNING;
use time::Duration;
use tonic::Status;
use tonic_types::StatusExt as _;
use types::PlayerId;
use uuid::Uuid;

use crate::harness::{Service, signed};

impl Service {
    /// Inserts {{nouns_words}} with these numbers as their ids and codes.
    async fn insert(&self, player: PlayerId, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            sqlx::query(
                "INSERT INTO {{noun}} (id, player_id, name, code, created_at, expires_at)
                 VALUES ($1, $2, 'Simba', $3, $4, $5)",
            )
            .bind(id(number))
            .bind(player.uuid())
            .bind(format!("{number:010}"))
            .bind(BEGINNING)
            .bind(BEGINNING + Duration::days(30))
            .execute(&self.database.pool)
            .await
            .unwrap();
        }
    }

    /// The ids of a page, and the token of the next one.
    async fn page(&mut self, token: &str, page_token: &str) -> Result<(Vec<Uuid>, String), Status> {
        let request = List{{Nouns}}Request { page_size: 40, page_token: page_token.to_owned() };
        let reply = self.client.list_{{nouns}}(signed(token, request)).await?.into_inner();
        let ids = reply.{{nouns}}.iter().map(|{{noun}}| {{noun}}.id.parse().unwrap());
        Ok((ids.collect(), reply.next_page_token))
    }
}

fn id(number: u32) -> Uuid {
    Uuid::from_u128(number.into())
}

#[tokio::test]
async fn pages_are_complete_and_without_repeats_while_rows_are_inserted() {
    let mut service = Service::start().await;
    let (player, token) = service.tokens.player();
    // Even numbers from the beginning; odd ones come while the pages are read.
    service.insert(player, (1..=250).map(|number| 2 * number)).await;

    let (mut seen, mut next) = (Vec::new(), String::new());
    for odd in (1..).step_by(70) {
        let (ids, token_of_next) = service.page(&token, &next).await.unwrap();
        seen.extend(ids);
        service.insert(player, [odd, 1_000 + odd]).await;
        next = token_of_next;
        if next.is_empty() {
            break;
        }
    }

    assert!(seen.is_sorted_by(|newer, older| newer > older), "newest first, none twice");
    let seen: HashSet<Uuid> = seen.into_iter().collect();
    let missing: Vec<u32> =
        (1..=250).map(|number| 2 * number).filter(|number| !seen.contains(&id(*number))).collect();
    assert!(missing.is_empty(), "of those there from the beginning: {missing:?}");
}

#[tokio::test]
async fn the_list_has_only_the_callers_own() {
    let mut service = Service::start().await;
    let ((one, token), (other, _)) = (service.tokens.player(), service.tokens.player());
    service.insert(one, [1, 3]).await;
    service.insert(other, [2]).await;

    let (ids, next) = service.page(&token, "").await.unwrap();

    assert_eq!((ids, next.as_str()), (vec![id(3), id(1)], ""));
}

#[tokio::test]
async fn a_token_that_was_not_given_out_is_refused() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();

    let refused = service.page(&token, "page-2").await.unwrap_err();

    assert_eq!(refused.get_details_error_info().unwrap().reason, "INVALID_PAGE_TOKEN");
}
