//! Readers that take a reply slowly, or not at all.

use http_body_util::BodyExt as _;

use super::*;

#[tokio::test]
async fn a_stream_between_two_events_is_neither_idle_nor_stalled() {
    let timeouts = Timeouts { first_call: SHORT, idle: SHORT, stall: SHORT, ..UNLIMITED };
    let mut server = start(timeouts).await;
    let (mut client, _connection) = server.http2(65_535).await;
    let mut body = client.send_request(request("/parts")).await.unwrap().into_body();
    let events = server.replies.recv().await.unwrap();
    for text in ["one", "two"] {
        tokio::time::sleep(SHORT * 3).await;
        events.send(Ok(part(text))).await.unwrap();
        let mut read = Vec::new();
        while read.len() < text.len() {
            read.extend(body.frame().await.unwrap().unwrap().into_data().unwrap());
        }
        assert_eq!(read, text.as_bytes());
    }

    let mut stream = server.dial().await;
    stream.write_all(GET_PARTS).await.unwrap();
    let events = server.replies.recv().await.unwrap();
    let mut read = Vec::new();
    for text in ["one", "two"] {
        tokio::time::sleep(SHORT * 3).await;
        events.send(Ok(part(text))).await.unwrap();
        while !read.windows(3).any(|part| part == text.as_bytes()) {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0);
        }
    }
}

/// Sends more and more until the server gives up the reply.
async fn send_until_given_up(server: &mut TestServer) {
    let reply = server.replies.recv().await.unwrap();
    let part = Bytes::from(vec![0; 64 * 1024]);
    while reply.send(Ok(Frame::data(part.clone()))).await.is_ok() {}
}

#[tokio::test]
async fn a_connection_whose_reader_takes_nothing_is_closed() {
    let mut server = start(Timeouts { stall: Duration::from_millis(500), ..UNLIMITED }).await;
    let mut stream = server.dial().await;
    stream.write_all(GET_PARTS).await.unwrap();
    send_until_given_up(&mut server).await;
}

#[tokio::test]
async fn a_stream_whose_reader_takes_nothing_is_reset_and_its_connection_serves_on() {
    let mut server = start(Timeouts { stall: SHORT, ..UNLIMITED }).await;
    let (mut client, _connection) = server.http2(1_024).await;
    let stalled = client.send_request(request("/parts")).await.unwrap();
    send_until_given_up(&mut server).await;
    assert!(stalled.into_body().collect().await.is_err());
    assert_eq!(client.send_request(request("/")).await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_stream_whose_reader_never_takes_the_last_frame_is_reset() {
    let server = start(Timeouts { stall: SHORT, ..UNLIMITED }).await;
    for path in ["/big", "/"] {
        let (mut client, _connection) = server.http2(1).await;
        let stalled = client.send_request(request(path)).await.unwrap();
        // The window has room for one byte until the reader takes it.
        tokio::time::sleep(SHORT * 5).await;
        assert!(stalled.into_body().collect().await.is_err(), "{path}");
    }
}

#[tokio::test]
async fn a_reply_in_pieces_arrives_whole() {
    let server = start(UNLIMITED).await;
    for window in [1_000, 65_535, 4 * 1024 * 1024] {
        let (mut client, _connection) = server.http2(window).await;
        let reply = client.send_request(request("/big")).await.unwrap();
        assert_eq!(reply.headers()["content-length"], BIG.to_string());
        assert_eq!(reply.into_body().collect().await.unwrap().to_bytes().len(), BIG);
    }
}
