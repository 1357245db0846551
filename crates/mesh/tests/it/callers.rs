//! Which callers are accepted: by the edges of the mesh, and by the options of each RPC.

use mesh::edges::{self, EDGES};
use proto::{Access, RPCS};
use testkit::Authority;
use tonic::Code;

use crate::harness::{PROCESSES, Process, call};

/// The process that serves a service of the contract.
fn callee_of(service: &str) -> &'static str {
    EDGES.iter().find(|edge| edge.services.contains(&service)).unwrap().callee
}

#[tokio::test]
async fn every_service_of_the_contract_has_a_caller_and_one_callee_or_else_one_caller() {
    for rpc in RPCS {
        if rpc.service() == "playon.privacy.v1.PlayerDataService" {
            let mut edges = EDGES.iter().filter(|edge| edge.services.contains(&rpc.service()));
            assert!(edges.all(|edge| edge.caller == "svc-auth"), "{}", rpc.path);
            continue;
        }
        let mut callees: Vec<_> = EDGES
            .iter()
            .filter(|edge| edge.services.contains(&rpc.service()))
            .map(|edge| edge.callee)
            .collect();
        callees.dedup();
        assert_eq!(callees.len(), 1, "{}", rpc.path);
    }
}

#[tokio::test]
async fn only_processes_with_an_edge_can_connect() {
    for callee in PROCESSES {
        let process = Process::start(callee).await;
        for caller in PROCESSES {
            let code = call(&process.client(caller), "/playon.none.v1.None/None", None).await;
            let refused = code == Code::Unavailable;
            let expected = edges::find(caller, callee).is_none();
            assert_eq!(refused, expected, "{caller} to {callee}: {code:?}");
            assert_eq!(
                process.base.upstream(caller, "https://127.0.0.1:1").is_err(),
                edges::find(callee, caller).is_none()
            );
        }
        process.stop().await;
    }
}

#[tokio::test]
async fn every_rpc_refuses_callers_off_its_edges() {
    for callee in PROCESSES.into_iter().filter(|name| *name != "gateway") {
        let process = Process::start(callee).await;
        let (_, token) = process.tokens.player();
        for caller in PROCESSES.into_iter().filter(|name| edges::find(name, callee).is_some()) {
            let client = process.client(caller);
            for rpc in RPCS.iter().filter(|rpc| callee_of(rpc.service()) == callee) {
                let before = process.calls.count();
                let code = call(&client, rpc.path, Some(&token)).await;
                let allowed = edges::allow(caller, rpc.service());
                let expected = if allowed { Code::Ok } else { Code::PermissionDenied };
                assert_eq!(code, expected, "{caller} calls {}", rpc.path);
                assert_eq!(process.calls.count() - before, u32::from(allowed));
            }
        }
        process.stop().await;
    }
}

#[tokio::test]
async fn an_rpc_for_players_needs_a_valid_token() {
    let process = Process::start("svc-wallet").await;
    let client = process.client("gateway");
    let (_, token) = process.tokens.player();
    let (_, forged) = testkit::Tokens::new(&process.base.clock).player();
    // All other RPCs refuse the gateway, whatever its token.
    let is_open = |service| callee_of(service) == "svc-wallet" && edges::allow("gateway", service);
    for rpc in RPCS.iter().filter(|rpc| is_open(rpc.service())) {
        let codes = [
            call(&client, rpc.path, None).await,
            call(&client, rpc.path, Some(&forged)).await,
            call(&client, rpc.path, Some(&token)).await,
        ];
        let expected = match rpc.access {
            Access::Player | Access::Active => {
                [Code::Unauthenticated, Code::Unauthenticated, Code::Ok]
            }
            _ => [Code::Ok; 3],
        };
        assert_eq!(codes, expected, "{}", rpc.path);
    }
}

#[tokio::test]
async fn a_player_on_a_break_cannot_make_calls_that_need_an_active_player() {
    let process = Process::start("svc-wallet").await;
    let client = process.client("gateway");
    let (player, _) = process.tokens.player();
    let now = process.base.clock.now().unix_timestamp();
    let token_until = |end| {
        let claims = process.tokens.claims(player);
        process.tokens.sign(&mesh::auth::Claims { break_until: Some(end), ..claims })
    };
    let (on_break, after) = (token_until(now + 1), token_until(now));
    let is_open = |service| callee_of(service) == "svc-wallet" && edges::allow("gateway", service);
    for rpc in RPCS.iter().filter(|rpc| is_open(rpc.service())) {
        let refused = call(&client, rpc.path, Some(&on_break)).await;
        let expected = match rpc.access {
            Access::Active => Code::PermissionDenied,
            _ => Code::Ok,
        };
        assert_eq!(refused, expected, "{}", rpc.path);
        assert_eq!(call(&client, rpc.path, Some(&after)).await, Code::Ok, "{}", rpc.path);
    }
}

#[test]
fn money_can_leave_on_a_break_and_not_come_in() {
    for (path, access) in [
        ("/playon.wallet.v1.WalletService/TopUp", Access::Active),
        ("/playon.wallet.v1.SubscriptionService/Subscribe", Access::Active),
        ("/playon.games.v1.PlayService/StartSession", Access::Active),
        ("/playon.chat.v1.ChatService/SendMessage", Access::Active),
        ("/playon.wallet.v1.PayoutService/Withdraw", Access::Player),
        ("/playon.wallet.v1.WalletService/GetBalance", Access::Player),
        ("/playon.auth.v1.PlayerService/StartPayoutPhone", Access::Player),
        ("/playon.chat.v1.SupportService/SendFeedback", Access::Guest),
    ] {
        assert_eq!(proto::Rpc::of(path).map(|rpc| rpc.access), Some(access), "{path}");
    }
}

#[tokio::test]
async fn the_players_token_is_not_sent_to_rpcs_for_services() {
    let process = Process::start("svc-auth").await;
    let client = process.client("gateway");
    let of_callee = |rpc: &&proto::Rpc| callee_of(rpc.service()) == "svc-auth";
    let is_open = |rpc: &&proto::Rpc| edges::allow("gateway", rpc.service());
    for rpc in RPCS.iter().filter(of_callee).filter(is_open) {
        let (_, token) = process.tokens.player();
        assert_eq!(call(&client, rpc.path, Some(&token)).await, Code::Ok, "{}", rpc.path);
        let sent = process.calls.last_headers().contains_key("authorization");
        assert_eq!(sent, rpc.access != Access::Service, "{}", rpc.path);
    }
}

#[tokio::test]
async fn a_caller_of_another_authority_is_refused() {
    let process = Process::start("svc-auth").await;
    let folder = Authority::new().issue("gateway");
    // The caller accepts the callee, but the callee accepts its own authority only.
    let shared = Authority::shared().issue("gateway");
    std::fs::copy(shared.join("ca.crt"), folder.join("ca.crt")).unwrap();
    let certificates = mesh::tls::Certificates::load(&folder, "gateway").unwrap();
    let url = format!("https://{}", process.addr);
    let client =
        mesh::grpc::client::connect(&url, "svc-auth", certificates, process.base.rng.clone());
    let code = call(&client.unwrap(), "/playon.auth.v1.KeyService/GetKeySet", None).await;
    assert_eq!((code, process.calls.count()), (Code::Unavailable, 0));
}

#[tokio::test]
async fn an_upstream_with_another_name_gets_no_call() {
    let process = Process::start("svc-chat").await;
    let client = testkit::upstream("gateway", "svc-games", process.addr);
    let code = call(&client, "/playon.games.v1.GamesService/ListGames", None).await;
    assert_eq!((code, process.calls.count()), (Code::Unavailable, 0));
}

#[tokio::test]
async fn a_refused_caller_connects_again_with_pauses() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let certificates = testkit::certificates("svc-chat");
    let rng = types::Rng::system();
    // Two authorities that do not know each other: the caller is refused after its
    // handshake has ended for itself.
    let folder = Authority::new().issue("svc-wallet");
    let shared = Authority::shared().issue("svc-wallet");
    std::fs::copy(shared.join("ca.crt"), folder.join("ca.crt")).unwrap();
    let caller = mesh::tls::Certificates::load(&folder, "svc-wallet").unwrap();
    let _client = mesh::grpc::client::connect(&url, "svc-chat", caller, rng).unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(certificates.server());
    let counting = async {
        let mut accepted = 0;
        loop {
            let (tcp, _) = listener.accept().await.unwrap();
            assert!(acceptor.accept(tcp).await.is_err());
            accepted += 1;
            if accepted == 6 {
                return;
            }
        }
    };
    let started = tokio::time::Instant::now();
    counting.await;
    // 100, 200, 400, 800 ms and 1 s between six attempts.
    assert!(started.elapsed() > std::time::Duration::from_secs(2));
}
