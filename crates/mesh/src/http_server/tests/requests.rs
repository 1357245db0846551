//! Heads that are too long, bodies that stay unread, calls that are too many.

use futures_util::future::join_all;

use super::*;

#[tokio::test]
async fn a_head_beyond_the_limit_is_refused() {
    let server = start(UNLIMITED).await;
    for (value, count, status) in [
        ("x".repeat(16 * 1024), 1, "200"),
        ("x".repeat(40 * 1024), 1, "431"),
        ("x".to_owned(), 60, "200"),
        ("x".to_owned(), 70, "431"),
    ] {
        let mut request = "GET / HTTP/1.1\r\nhost: playon\r\n".to_owned();
        for n in 0..count {
            request.extend(["x-", &n.to_string(), ": ", &value, "\r\n"]);
        }
        request.push_str("\r\n");
        let reply = call(&mut server.dial().await, request.as_bytes()).await;
        let expected = format!("HTTP/1.1 {status}");
        assert!(reply.starts_with(&expected), "{count} headers of {} bytes: {reply}", value.len());
    }
}

#[tokio::test]
async fn a_request_names_one_host() {
    let server = start(UNLIMITED).await;
    for (version, hosts, status) in [
        ("1.1", &["playon"][..], "200"),
        ("1.1", &["playon.example:443"], "200"),
        ("1.1", &["[::1]:8080"], "200"),
        ("1.1", &[""], "200"),
        ("1.0", &[], "200"),
        ("1.1", &[], "400"),
        ("1.1", &["playon", "playon"], "400"),
        ("1.1", &["a b"], "400"),
        ("1.1", &["a/b"], "400"),
        ("1.0", &["a", "b"], "400"),
    ] {
        let mut request = format!("GET / HTTP/{version}\r\n");
        for host in hosts {
            request.extend(["host: ", host, "\r\n"]);
        }
        request.push_str("\r\n");
        let reply = call(&mut server.dial().await, request.as_bytes()).await;
        let expected = format!("HTTP/{version} {status}");
        assert!(reply.starts_with(&expected), "{version} {hosts:?}: {reply}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_wanted_is_not_asked_for() {
    let server = start(UNLIMITED).await;
    let head = "HTTP/1.1\r\nhost: playon\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n";
    let mut stream = server.dial().await;
    let reply = call(&mut stream, format!("POST /refuse {head}").as_bytes()).await;
    assert!(reply.starts_with("HTTP/1.1 401") && reply.contains("connection: close"), "{reply}");
    assert_eq!(read_to_end(stream).await, "");

    let mut stream = server.dial().await;
    stream.write_all(format!("POST /read {head}").as_bytes()).await.unwrap();
    let mut leave = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut leave).await.unwrap();
    assert_eq!(&leave, b"HTTP/1.1 100 Continue\r\n\r\n");
    let reply = call(&mut stream, b"abc").await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.ends_with('3'), "{reply}");
}

/// Sends a call's head, a little later its body, and reads the reply.
async fn post(stream: &mut TcpStream, path: &str, length: usize) -> Option<String> {
    let head = format!("POST {path} HTTP/1.1\r\nhost: playon\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.ok()?;
    tokio::time::sleep(Duration::from_millis(1)).await;
    stream.write_all(&vec![b'x'; length]).await.ok()?;
    read_reply(stream).await
}

#[tokio::test]
async fn a_refusal_of_an_unread_body_loses_no_later_call_of_its_connection() {
    let server = start(UNLIMITED).await;
    let replies = join_all((0..8).map(async |client: usize| {
        let mut stream = server.dial().await;
        let mut refused = 0;
        for n in 0..60 {
            // Bodies of up to 64 KiB, most of them small.
            let length = [1, 100, 1_000, 20_000, 64 * 1024][(client + n) % 5];
            let path = if n % 10 == 9 { "/read" } else { "/refuse" };
            let reply = post(&mut stream, path, length).await.expect("a reply to each call");
            assert!(!reply.contains("connection: close"), "{reply}");
            if path == "/read" {
                assert!(reply.ends_with(&length.to_string()), "{reply}");
            } else {
                assert!(reply.starts_with("HTTP/1.1 401"), "{reply}");
                refused += 1;
            }
        }
        refused
    }));
    assert_eq!(replies.await.iter().sum::<usize>(), 8 * 54);
}

#[tokio::test]
async fn a_refusal_of_a_large_unread_body_closes_the_connection_and_says_so() {
    let server = start(UNLIMITED).await;
    let mut stream = server.dial().await;
    let head = "POST /refuse HTTP/1.1\r\nhost: playon\r\ncontent-length: 70000\r\n\r\n";
    let reply = call(&mut stream, head.as_bytes()).await;
    assert!(reply.starts_with("HTTP/1.1 401") && reply.contains("connection: close"), "{reply}");
    assert_eq!(read_to_end(stream).await, "");
}

#[tokio::test]
async fn a_body_without_a_length_is_read_up_to_the_same_limit() {
    let server = start(UNLIMITED).await;
    let head = "POST /refuse HTTP/1.1\r\nhost: playon\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("8000\r\n{}\r\n", "x".repeat(0x8000));
    for (chunks, is_closed) in [(1, false), (3, true)] {
        let mut stream = server.dial().await;
        let request = format!("{head}{}0\r\n\r\n", chunk.repeat(chunks));
        let reply = call(&mut stream, request.as_bytes()).await;
        assert_eq!(reply.contains("connection: close"), is_closed, "{chunks} chunks: {reply}");
    }
}

const WAIT: &str = "GET /wait HTTP/1.1\r\nhost: playon\r\n";

#[tokio::test]
async fn calls_beyond_the_limit_are_refused_until_one_has_ended() {
    let server = start_with(UNLIMITED, HttpLimits { calls: 1, ..limits() }).await;
    let (mut busy, mut other) = (server.dial().await, server.dial().await);
    busy.write_all(format!("{WAIT}\r\n").as_bytes()).await.unwrap();
    let refused = loop {
        let reply = call(&mut other, GET).await;
        if reply.starts_with("HTTP/1.1 503") {
            break reply;
        }
    };
    assert!(refused.ends_with("Total"), "{refused}");
    server.go_on.notify_one();
    assert!(read_reply(&mut busy).await.unwrap().ends_with("served"));
    assert!(call(&mut other, GET).await.ends_with("served"));
}

#[tokio::test]
async fn calls_of_one_client_network_leave_room_for_others() {
    let limits = HttpLimits {
        calls_per_client: 1,
        trusted_proxies: "127.0.0.0/8".parse().unwrap(),
        ..limits()
    };
    let server = start_with(UNLIMITED, limits).await;
    let (mut busy, mut other) = (server.dial().await, server.dial().await);
    let request = format!("{WAIT}x-forwarded-for: 203.0.113.9\r\n\r\n");
    busy.write_all(request.as_bytes()).await.unwrap();
    let from = |client: &str| {
        format!("GET / HTTP/1.1\r\nhost: playon\r\nx-forwarded-for: {client}\r\n\r\n").into_bytes()
    };
    loop {
        let reply = call(&mut other, &from("203.0.113.9")).await;
        if reply.ends_with("Key") {
            break;
        }
    }
    assert!(call(&mut other, &from("203.0.113.10")).await.ends_with("served"));
    server.go_on.notify_one();
    assert!(read_reply(&mut busy).await.unwrap().ends_with("served"));
}
