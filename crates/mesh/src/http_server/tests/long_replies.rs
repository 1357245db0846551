//! Replies that leave hyper: what their readers see of it.

use http_body_util::BodyExt as _;

use super::*;

/// Calls `/long` on a new connection, which has served a call before.
async fn begin(server: &mut TestServer) -> (TcpStream, mpsc::Sender<Part>) {
    let mut stream = server.dial().await;
    call(&mut stream, GET).await;
    stream.write_all(GET_LONG).await.unwrap();
    let events = server.replies.recv().await.unwrap();
    (stream, events)
}

async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut read = Vec::new();
    while !read.ends_with(end.as_bytes()) {
        assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0);
    }
    String::from_utf8(read).unwrap()
}

#[tokio::test]
async fn a_long_reply_is_one_in_chunks_after_which_the_connection_is_closed() {
    let mut server = start(UNLIMITED).await;
    let (mut stream, events) = begin(&mut server).await;
    let head = read_until(&mut stream, "\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    for line in ["transfer-encoding: chunked", "connection: close", "date: "] {
        assert!(head.contains(line), "{line} in {head}");
    }
    // One event at a time, then several at once, then the end.
    events.send(Ok(part("one"))).await.unwrap();
    assert_eq!(read_until(&mut stream, "one\r\n").await, "3\r\none\r\n");
    for text in ["", "of seventeen byte"] {
        events.send(Ok(part(text))).await.unwrap();
    }
    drop(events);
    assert_eq!(read_to_end(stream).await, "11\r\nof seventeen byte\r\n0\r\n\r\n");
}

#[tokio::test]
async fn a_long_reply_of_many_bytes_arrives_whole() {
    let mut server = start(UNLIMITED).await;
    let (mut stream, events) = begin(&mut server).await;
    let reader = async {
        read_until(&mut stream, "\r\n\r\n").await;
        read_to_end(stream).await
    };
    let writer = async {
        for _ in 0..8 {
            events.send(Ok(Frame::data(vec![b'a'; BIG].into()))).await.unwrap();
        }
        drop(events);
    };
    let (body, ()) = tokio::join!(reader, writer);
    let chunk = format!("{BIG:x}\r\n{}\r\n", "a".repeat(BIG));
    assert!(body == chunk.repeat(8) + "0\r\n\r\n", "{} bytes", body.len());
}

#[tokio::test]
async fn a_long_reply_ends_with_its_reader() {
    let mut server = start(UNLIMITED).await;
    let (stream, events) = begin(&mut server).await;
    drop(stream);
    events.closed().await;
}

#[tokio::test]
async fn a_long_reply_whose_reader_takes_nothing_is_given_up() {
    let mut server = start(Timeouts { stall: Duration::from_millis(500), ..UNLIMITED }).await;
    let (_stream, events) = begin(&mut server).await;
    let part = Bytes::from(vec![0; 64 * 1024]);
    while events.send(Ok(Frame::data(part.clone()))).await.is_ok() {}
}

#[tokio::test]
async fn what_is_sent_after_the_call_of_a_long_reply_is_not_served() {
    let mut server = start(UNLIMITED).await;
    let mut stream = server.dial().await;
    stream.write_all(&[GET_LONG, GET].concat()).await.unwrap();
    let events = server.replies.recv().await.unwrap();
    stream.write_all(GET).await.unwrap();
    events.send(Ok(part("one"))).await.unwrap();
    read_until(&mut stream, "one\r\n").await;
    drop(events);
    assert_eq!(read_to_end(stream).await, "0\r\n\r\n");
}

#[tokio::test]
async fn a_long_reply_holds_its_place_among_the_connections_until_its_end() {
    let limits = HttpLimits { connections: 1, ..limits() };
    let mut server = start_with(Timeouts { idle: SHORT, ..UNLIMITED }, limits).await;
    let (stream, events) = begin(&mut server).await;
    tokio::time::sleep(SHORT * 3).await;
    assert_eq!(server.send_and_read_to_end(GET).await, "");
    drop(events);
    assert!(read_to_end(stream).await.ends_with("0\r\n\r\n"));
    while server.send_and_read_to_end(GET).await.is_empty() {}
}

#[tokio::test]
async fn a_stop_waits_for_a_long_reply() {
    let mut server = start(UNLIMITED).await;
    let (stream, events) = begin(&mut server).await;
    server.shutdown.stop();
    events.send(Ok(part("the rest"))).await.unwrap();
    drop(events);
    assert!(read_to_end(stream).await.ends_with("8\r\nthe rest\r\n0\r\n\r\n"));
    assert!(server.shutdown.drained(LONG).await);
}

#[tokio::test]
async fn over_http2_a_long_reply_is_as_any_other() {
    let mut server = start(UNLIMITED).await;
    let (mut client, _connection) = server.http2(65_535).await;
    let reply = client.send_request(request("/long")).await.unwrap();
    let events = server.replies.recv().await.unwrap();
    events.send(Ok(part("one"))).await.unwrap();
    drop(events);
    assert_eq!(reply.into_body().collect().await.unwrap().to_bytes(), "one");
    assert_eq!(client.send_request(request("/")).await.unwrap().status(), 200);
}
