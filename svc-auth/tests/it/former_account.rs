//! The money of erased accounts, for players who come back with the same phone.

use std::sync::{Arc, Mutex};

use proto::{
    auth::v1::{BreakLength, Session},
    wallet::v1::{
        MoveFormerMoneyRequest, MoveFormerMoneyResponse,
        former_account_service_server::{FormerAccountService, FormerAccountServiceServer},
    },
};
use tonic::{Request, Response, Status};

use crate::{
    breaks::claims,
    deletion::delete,
    harness::{Service, days},
    world::{PHONE, World},
};

/// A stub of svc-wallet that remembers what it was asked to move.
#[derive(Clone, Default)]
pub(crate) struct FormerAccounts(Arc<Mutex<Vec<(String, String)>>>);

impl FormerAccounts {
    pub(crate) fn service(&self) -> FormerAccountServiceServer<Self> {
        FormerAccountServiceServer::new(self.clone())
    }

    /// The erased and the new accounts of all calls.
    fn moved(&self) -> Vec<(String, String)> {
        self.0.lock().unwrap().clone()
    }
}

#[tonic::async_trait]
impl FormerAccountService for FormerAccounts {
    async fn move_former_money(
        &self,
        request: Request<MoveFormerMoneyRequest>,
    ) -> Result<Response<MoveFormerMoneyResponse>, Status> {
        let request = request.into_inner();
        self.0.lock().unwrap().push((request.former_player_id, request.player_id));
        Ok(Response::new(MoveFormerMoneyResponse {}))
    }
}

impl World {
    pub(crate) async fn sign_in_with_phone(&self, auth: &Service, phone: &str) -> Session {
        let challenge = auth.start_phone(phone).await.unwrap().challenge_id;
        auth.verify_phone(&challenge, &self.code(phone).await).await.unwrap()
    }

    /// Deletes the account of a phone, and lets it be erased; returns its id, and a replica of 30
    /// days later.
    async fn erase_account_of(&self, phone: &str) -> (String, Service) {
        let leaving = self.sign_in_with_phone(&self.auth, phone).await;
        delete(&self.auth, &leaving).await.unwrap();
        self.auth.clock.advance(days(30));
        let later = self.another(&[]).await;
        testkit::eventually("the erasure", || async {
            let erased = "SELECT erased_at IS NOT NULL FROM player WHERE id = $1::text::uuid";
            let erased = sqlx::query_scalar(erased).bind(&leaving.uid);
            let erased: bool = erased.fetch_one(&self.auth.database.pool).await.unwrap();
            erased.then_some(())
        })
        .await;
        (leaving.uid, later)
    }

    /// Waits until nothing is left to be moved; returns what was.
    async fn moved(&self, later: &Service) -> Vec<(String, String)> {
        testkit::eventually("no delivery waits", || async {
            let waiting = "SELECT count(*) FROM outbox WHERE topic = 'wallet.former_money'";
            let waiting: i64 =
                sqlx::query_scalar(waiting).fetch_one(&self.auth.database.pool).await.unwrap();
            (waiting == 0).then_some(())
        })
        .await;
        let replicas = [&self.auth, later];
        replicas.into_iter().flat_map(|auth| auth.data_sources.former_accounts.moved()).collect()
    }
}

#[tokio::test]
async fn who_signs_up_with_the_phone_of_an_erased_account_gets_its_money() {
    let world = World::new().await;
    let (former, later) = world.erase_account_of(PHONE).await;
    // Another phone gets nothing.
    world.sign_in_with_phone(&later, "0712345679").await;
    assert_eq!(world.moved(&later).await, []);

    let back = world.sign_in_with_phone(&later, PHONE).await;
    assert_ne!(back.uid, former);
    assert_eq!(world.moved(&later).await, [(former, back.uid)]);
    // The phone is not kept beyond that.
    let left = "SELECT count(*) FROM former_account";
    let left: i64 = sqlx::query_scalar(left).fetch_one(&world.auth.database.pool).await.unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_break_is_not_ended_by_deleting_the_account() {
    let world = World::new().await;
    let session = world.sign_in_with_phone(&world.auth, PHONE).await;
    let ends_at = world.auth.start_break(&session, BreakLength::Year).await.unwrap();
    world.auth.clock.advance(std::time::Duration::from_mins(2));
    let (_, later) = world.erase_account_of(PHONE).await;
    let returned = world.sign_in_with_phone(&later, PHONE).await;
    assert_eq!(later.break_until(&returned).await, Some(ends_at));
    assert_eq!(claims(&returned).break_until, Some(ends_at.unix_timestamp()));
}

#[tokio::test]
async fn after_60_days_without_use_a_phone_may_be_another_persons() {
    let world = World::new().await;
    let (_, later) = world.erase_account_of(PHONE).await;
    later.clock.advance(days(30));
    world.sign_in_with_phone(&later, PHONE).await;
    assert_eq!(world.moved(&later).await, []);
}

#[tokio::test]
async fn the_next_owner_of_a_number_gets_no_money_by_deleting_the_account() {
    let world = World::new().await;
    world.sign_in_with_phone(&world.auth, PHONE).await;
    world.auth.clock.advance(days(61));
    let (_, later) = world.erase_account_of(PHONE).await;
    world.sign_in_with_phone(&later, PHONE).await;
    assert_eq!(world.moved(&later).await, []);
}
