//! The work of a captcha.

use std::time::Duration;

use crate::world::{PHONE, World};

#[tokio::test]
async fn a_captcha_takes_more_work_when_much_of_the_sms_budget_is_spent() {
    let world = World::with(&["--sms-per-hour=4"]).await;
    // At most 8 tries, and at least half as many.
    for (factor, codes) in [(1, 1), (2, 2), (8, 0)] {
        let counter = world.auth.solved().await.solution.counter;
        assert!((4 * factor..8 * factor).contains(&counter), "{counter} of {factor}");
        for _ in 0..codes {
            // The phone has an account from the first code on: phones without one have half of the
            // budget.
            let sent = world.auth.start_phone(PHONE).await.unwrap();
            let code = world.code(PHONE).await;
            world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
            world.auth.clock.advance(Duration::from_mins(1));
        }
    }
    world.auth.clock.advance(Duration::from_hours(1));
    assert!((4..8).contains(&world.auth.solved().await.solution.counter));
}
