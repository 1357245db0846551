//! `FindUnusedMedia`: which files the media store may delete.

use proto::{
    chat::v1::{
        DeleteMessageRequest, FindUnusedMediaRequest, SendMessageRequest,
        chat_media_service_client::ChatMediaServiceClient,
    },
    types::v1::ChatType,
};

use crate::harness::{Service, signed};

#[tokio::test]
async fn a_file_is_unused_unless_a_message_has_it() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let file = |digit: char| {
        format!("/media/chat/{player}/{}.jpg", std::iter::repeat_n(digit, 32).collect::<String>())
    };
    let mut ids = Vec::new();
    for digit in ['1', '2'] {
        let request = SendMessageRequest {
            chat_room_id: "lobby".to_owned(),
            text: file(digit),
            chat_type: ChatType::Image.into(),
            client_message_id: format!("m-{digit}"),
        };
        ids.push(service.send(&token, request).await.unwrap().id);
    }
    let unused = async || {
        let urls = ['1', '2', '3'].map(file).to_vec();
        let mut client = ChatMediaServiceClient::new(service.as_gateway());
        let reply = client.find_unused_media(FindUnusedMediaRequest { urls }).await.unwrap();
        let mut urls = reply.into_inner().urls;
        urls.sort();
        urls
    };
    assert_eq!(unused().await, [file('3')]);
    let request = DeleteMessageRequest { id: ids.remove(0) };
    service.client.clone().delete_message(signed(&token, request)).await.unwrap();
    assert_eq!(unused().await, [file('1'), file('3')]);
}

#[tokio::test]
async fn a_file_of_evidence_and_one_of_a_text_are_used() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let (_, reporter) = service.member("lobby").await;
    let file = |name: &str| format!("/media/chat/{player}/{name:0>32}.jpg");
    let text_file = format!("/media/chat/{player}/{:0>32}.txt", "4");
    let send = async |url: &str, chat_type: ChatType| {
        let request = SendMessageRequest {
            chat_room_id: "lobby".to_owned(),
            text: url.to_owned(),
            chat_type: chat_type.into(),
            client_message_id: url.to_owned(),
        };
        service.send(&token, request).await.unwrap().id
    };
    let reported = send(&file("1"), ChatType::Image).await;
    let hidden = send(&file("2"), ChatType::Image).await;
    let removed = send(&file("3"), ChatType::Image).await;
    send(&text_file, ChatType::Text).await;
    let reported_text_file = format!("/media/chat/{player}/{:0>32}.txt", "5");
    let reported_text = send(&reported_text_file, ChatType::Text).await;
    service.report(&reporter, &reported).await.unwrap();
    service.report(&reporter, &reported_text).await.unwrap();
    service.hide(&hidden, "an insult").await.unwrap();
    for id in [reported, reported_text, removed] {
        let request = DeleteMessageRequest { id };
        service.client.clone().delete_message(signed(&token, request)).await.unwrap();
    }

    let urls = vec![file("1"), file("2"), file("3"), text_file, reported_text_file];
    let mut client = ChatMediaServiceClient::new(service.as_gateway());
    let reply = client.find_unused_media(FindUnusedMediaRequest { urls }).await.unwrap();
    assert_eq!(reply.into_inner().urls, [file("3")]);
}
