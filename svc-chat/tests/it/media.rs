//! Which files the media store may delete.

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
