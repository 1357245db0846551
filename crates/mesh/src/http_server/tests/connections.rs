//! Tests of the time limits and the number of connections.

use super::*;

#[tokio::test]
async fn a_connection_without_a_first_call_is_closed() {
    let server = start(Timeouts { first_call: SHORT, ..UNLIMITED }).await;
    for half in
        ["", "P", "PRI * HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nho"]
    {
        let read = server.send_and_read_to_end(half.as_bytes()).await;
        assert!(!read.contains("served"), "{half}");
    }
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let server = start(Timeouts { idle: SHORT, ..UNLIMITED }).await;
    assert!(server.send_and_read_to_end(GET).await.ends_with("served"));
    let (mut client, connection) = server.http2(65_535).await;
    assert_eq!(client.send_request(request("/")).await.unwrap().status(), 200);
    assert!(connection.drained(LONG).await);
}

#[tokio::test]
async fn a_client_that_ignores_the_graceful_shutdown_is_disconnected() {
    let server = start(Timeouts { idle: SHORT, drain: SHORT, ..UNLIMITED }).await;
    let mut stream = server.dial().await;
    // HTTP/2 by hand, so that the shutdown's ping is not answered: preface, no settings
    // of ours, and a call for `/` (static table: GET, http, "/").
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    stream.write_all(b"\0\0\x0a\x01\x05\0\0\0\x01\x82\x86\x84\x41\x05as.as").await.unwrap();
    assert!(read_to_end(stream).await.contains("serve"));
}

#[tokio::test]
async fn connections_of_one_address_leave_room_for_others() {
    let limits = HttpLimits { connections_per_client: 2, ..limits() };
    let server = start_with(UNLIMITED, limits).await;
    let (mut one, mut two) = (server.dial_from(2).await, server.dial_from(2).await);
    call(&mut one, GET).await;
    call(&mut two, GET).await;
    assert_eq!(read_to_end(server.dial_from(2).await).await, "");
    call(&mut server.dial_from(3).await, GET).await;
    call(&mut one, GET).await;
}

#[tokio::test]
async fn a_connection_beyond_the_limit_is_closed_and_the_others_are_served() {
    let limits = HttpLimits { connections: 2, ..limits() };
    let server = start_with(UNLIMITED, limits).await;
    let (mut one, mut two) = (server.dial().await, server.dial().await);
    call(&mut one, GET).await;
    call(&mut two, GET).await;
    assert_eq!(server.send_and_read_to_end(GET).await, "");
    call(&mut two, GET).await;

    drop(one);
    loop {
        let mut stream = server.dial().await;
        stream.write_all(GET).await.unwrap();
        if let Some(reply) = read_reply(&mut stream).await {
            assert!(reply.ends_with("served"));
            break;
        }
    }
}

#[tokio::test]
async fn idle_connections_are_closed_when_connections_run_short() {
    let limits = HttpLimits { connections: 5, ..limits() };
    let timeouts = Timeouts { idle_at_limit: SHORT, ..UNLIMITED };
    let server = start_with(timeouts, limits).await;
    let mut idle = Vec::new();
    for _ in 0..5 {
        let mut stream = server.dial().await;
        call(&mut stream, GET).await;
        idle.push(stream);
    }
    // All connections are taken. Each new one is refused, and makes the idle ones read their limit
    // again.
    loop {
        let mut stream = server.dial().await;
        // The refusal may come before the request is sent.
        let _ = stream.write_all(GET).await;
        if read_reply(&mut stream).await.is_some() {
            break;
        }
        tokio::time::sleep(SHORT).await;
    }
}

#[tokio::test]
async fn a_stop_waits_for_calls_in_flight_alone() {
    let mut server = start(UNLIMITED).await;
    let (silent, mut idle) = (server.dial().await, server.dial().await);
    call(&mut idle, GET).await;
    let mut half = server.dial().await;
    half.write_all(b"GET / HTTP/1.1\r\nho").await.unwrap();
    let mut busy = server.dial().await;
    busy.write_all(GET_PARTS).await.unwrap();
    let reply = server.replies.recv().await.unwrap();

    server.shutdown.stop();
    assert_eq!(
        (read_to_end(silent).await, read_to_end(idle).await),
        (String::new(), String::new())
    );
    reply.send(Ok(part("the rest"))).await.unwrap();
    drop(reply);
    assert!(read_to_end(busy).await.contains("the rest"));
    // The head of this request had a second to arrive.
    assert_eq!(read_to_end(half).await, "");
    assert!(server.shutdown.drained(LONG).await);
}
