//! A failover to a standby that was behind: the database has lost a withdrawal that M-Pesa paid.

use std::{fs, path::Path, process::Command, time::Duration};

use journeys::{Mesh, Operator, Player, Process, eventually, within};
use serde_json::json;
use types::Money;

#[tokio::test]
async fn a_payout_that_a_failover_loses_stops_payouts_until_two_operators_have_compared() {
    let mesh = Mesh::alone();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let paid_in = player.top_up(1_000).await;
    assert_eq!(player.until_final(&paid_in).await["status"], "COMPLETED");
    player.prove_phone(&player.phone).await;

    let killed = Process::find(&mesh, "postgres").kill().await;
    let data = killed.data_folder();
    let standby = data.with_extension("standby");
    copy(&data, &standby);
    killed.restart().await;
    until_database_answers(&player).await;

    // M-Pesa pays after the failover.
    player.set_handset(json!({"delayMs": 40_000})).await;
    let withdrawal = player.withdraw(&player.phone, 500).await.ok();
    let withdrawal = withdrawal["paymentId"].as_str().unwrap().to_owned();
    player.until_status(&withdrawal, "IN_PROGRESS").await;
    let killed = Process::find(&mesh, "postgres").kill().await;
    fs::remove_dir_all(&data).unwrap();
    fs::rename(&standby, &data).unwrap();
    promote(&data);
    killed.restart().await;

    let lost = within(Duration::from_mins(2), "M-Pesa's result is a break", || async {
        Operator::of(&mesh).lost_payment().await
    })
    .await;
    until_database_answers(&player).await;
    assert_eq!(lost.theirs.map(Money::from), Some(Money::from_shillings(500)));
    assert_eq!(player.balance().await, Money::from_shillings(1_000), "the withdrawal is lost");
    let again = player.withdraw(&player.phone, 500).await;
    assert_eq!(again.refusal().1, "WITHDRAWALS_PAUSED");
    assert_eq!(mesh.sandbox().paid_out_to(&player.phone).await.len(), 1);

    let (first, second) = (Operator::of(&mesh), Operator::colleague_of(&mesh));
    first.resolve_break(&lost.id, "PlayOn bears the loss of the payout.").await;
    assert_eq!(first.resume_payouts("Compared with M-Pesa.").await.len(), 2);
    assert!(second.resume_payouts("Compared with M-Pesa.").await.is_empty());
    player.set_handset(json!({})).await;
    let next = player.withdraw(&player.phone, 100).await.ok();
    let next = player.until_final(next["paymentId"].as_str().unwrap()).await;
    assert_eq!(next["status"], "COMPLETED", "{next}");
    mesh.prove().await;
}

async fn until_database_answers(player: &Player) {
    for path in ["/wallets/balance", "/payment-methods/list", "/auth/login"] {
        eventually(path, || async { (player.get(path).await.status == 200).then_some(()) }).await;
    }
}

/// Copies a folder with its owners.
fn copy(from: &Path, to: &Path) {
    // An earlier run may have left it.
    let _ = fs::remove_dir_all(to);
    let copied = Command::new("cp").arg("-a").args([from, to]).status().unwrap();
    assert!(copied.success(), "cp -a {} {}", from.display(), to.display());
}

/// Has PostgreSQL go on from a copy of its data as a standby that is promoted: it replays the log
/// that it has, and begins a new timeline.
fn promote(data: &Path) {
    let settings = data.join("postgresql.auto.conf");
    let text = fs::read_to_string(&settings).unwrap() + "restore_command = 'false'\n";
    fs::write(settings, text).unwrap();
    fs::write(data.join("recovery.signal"), "").unwrap();
}
