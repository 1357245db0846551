//! The outside world, arranged and asked by its control API.

use reqwest::{Url, header::LOCATION};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use time::OffsetDateTime;
use types::Msisdn;

use crate::{
    eventually,
    inbox::{Mail, Sms},
};

/// The control API.
pub struct Sandbox {
    url: String,
    http: reqwest::Client,
}

/// A line of the bank's own book: money that came in.
#[derive(Debug, Clone, Deserialize)]
pub struct Received {
    /// M-Pesa's number of it.
    pub receipt: String,
    /// Whole shillings.
    pub amount: i64,
    msisdn: String,
}

/// A request to pay, as the provider knows it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StkPush {
    /// Whole shillings asked for.
    pub amount: i64,
    /// Where its callback goes: the path ends in the payment's secret.
    pub callback_url: String,
    /// How it ended, once it has.
    pub settled: Option<Settled>,
    /// The posted callbacks.
    pub deliveries: Vec<Delivery>,
    msisdn: String,
}

/// How a request to pay ended.
#[derive(Debug, Clone, Deserialize)]
pub struct Settled {
    /// When; its callback is posted right then, unless the script delays it.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

/// A callback that was posted.
#[derive(Debug, Clone, Deserialize)]
pub struct Delivery {
    /// What the gateway answered; nothing when it could not be reached.
    pub status: Option<u16>,
}

#[derive(Deserialize)]
struct Book {
    received: Side,
}

#[derive(Deserialize)]
struct Side {
    entries: Vec<Received>,
}

impl Sandbox {
    pub(crate) fn new(url: String, http: reqwest::Client) -> Self {
        Self { url, http }
    }

    /// Sets a handset's script as a whole.
    pub async fn set_handset(&self, phone: &str, script: &Value) {
        let request = self.http.put(self.at(&format!("handsets/{}", digits(phone)))).json(script);
        Self::read::<Value>(request).await;
    }

    /// Types a PIN into the prompt that is open.
    pub async fn enter_pin(&self, phone: &str, pin: &str) {
        self.answer_prompt(phone, &json!({"action": "pin", "pin": pin})).await;
    }

    /// Cancels the prompt that is open.
    pub async fn cancel_prompt(&self, phone: &str) {
        self.answer_prompt(phone, &json!({"action": "cancel"})).await;
    }

    async fn answer_prompt(&self, phone: &str, act: &Value) {
        let url = self.at(&format!("handsets/{}/prompt", digits(phone)));
        Self::read::<Value>(self.http.post(url).json(act)).await;
    }

    /// What the bank's own book has of a phone, newest first.
    pub async fn received_from(&self, phone: &str) -> Vec<Received> {
        let book: Book = Self::read(self.http.get(self.at("bank"))).await;
        let phone = digits(phone);
        book.received.entries.into_iter().filter(|line| line.msisdn == phone).collect()
    }

    /// The requests to pay that a phone was sent, newest first.
    pub async fn pushes_to(&self, phone: &str) -> Vec<StkPush> {
        let pushes: Vec<StkPush> = Self::read(self.http.get(self.at("payments"))).await;
        let phone = digits(phone);
        pushes.into_iter().filter(|push| push.msisdn == phone).collect()
    }

    /// The text messages that reached a phone, newest first.
    pub async fn texts_to(&self, phone: &str) -> Vec<Sms> {
        let query = [("to", format!("+{}", digits(phone)))];
        Self::read(self.http.get(self.at("sms")).query(&query)).await
    }

    /// The six digits of the newest text to a phone.
    pub async fn code_sent_to(&self, phone: &str) -> String {
        eventually("a text with a code", || async {
            self.texts_to(phone).await.first().map(Sms::code)
        })
        .await
    }

    /// What is in a mailbox, newest first.
    pub async fn mails_to(&self, address: &str) -> Vec<Mail> {
        Self::read(self.http.get(self.at("mail")).query(&[("to", address)])).await
    }

    /// The tokens of the links to a screen that a mailbox has got, newest first,
    /// once there are so many.
    pub async fn tokens_mailed_to(&self, address: &str, screen: &str, count: usize) -> Vec<String> {
        eventually(&format!("{count} mails with a link to {screen}"), || async {
            let mails = self.mails_to(address).await;
            let tokens: Vec<_> = mails.iter().filter_map(|mail| mail.token(screen)).collect();
            (tokens.len() == count).then_some(tokens)
        })
        .await
    }

    /// Sends what somebody decided on a provider's page, and gives the place to
    /// which the page sends the browser.
    pub(crate) async fn post_form(&self, page: Url, form: &[(&str, &str)]) -> Url {
        let response = self.http.post(page).form(form).send().await.expect("the sandbox answers");
        let status = response.status();
        let location = response.headers().get(LOCATION).cloned();
        let body = response.text().await.expect("a whole reply");
        let location = location.unwrap_or_else(|| panic!("the provider stays at {status}: {body}"));
        Url::parse(location.to_str().expect("text")).expect("a whole address")
    }

    /// What is wrong with the ID token of whoever comes by Google next.
    pub async fn spoil_next_id_token(&self, tamper: &str) {
        let orders = json!({"tamper": tamper});
        Self::read::<Value>(self.http.put(self.at("social")).json(&orders)).await;
    }

    fn at(&self, path: &str) -> String {
        format!("{}/control/{path}", self.url)
    }

    async fn read<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> T {
        let response = request.send().await.expect("the sandbox answers");
        let status = response.status();
        let body = response.text().await.expect("a whole reply");
        assert!(status.is_success(), "the sandbox says {status}: {body}");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }
}

/// As the provider writes a number.
fn digits(phone: &str) -> String {
    Msisdn::parse(phone).expect("a Kenyan mobile number").digits().to_owned()
}
