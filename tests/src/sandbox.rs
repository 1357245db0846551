//! A client of the sandbox's control API.

use reqwest::{Url, header::LOCATION};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use time::OffsetDateTime;
use types::Msisdn;

use crate::{
    eventually,
    inbox::{Mail, Sms},
};

/// The sandbox, which stands in for the providers.
pub struct Sandbox {
    url: String,
    http: reqwest::Client,
}

/// A line of the sandbox's bank book: a payment it received.
#[derive(Debug, Clone, Deserialize)]
pub struct Received {
    /// M-Pesa's receipt number.
    pub receipt: String,
    /// Whole shillings.
    pub amount: i64,
    msisdn: String,
}

/// An STK push, as the sandbox records it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StkPush {
    /// The requested amount in whole shillings.
    pub amount: i64,
    /// The address of the push's callback; the path ends in the payment's secret.
    pub callback_url: String,
    /// The end of the push; `None` while it is open.
    pub settled: Option<Settled>,
    /// The callbacks posted so far.
    pub deliveries: Vec<Delivery>,
    msisdn: String,
}

/// The end of an STK push.
#[derive(Debug, Clone, Deserialize)]
pub struct Settled {
    /// When the push ended. The callback is posted then, unless the handset's script delays it.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

/// A posted callback.
#[derive(Debug, Clone, Deserialize)]
pub struct Delivery {
    /// The gateway's HTTP status; `None` when it could not be reached.
    pub status: Option<u16>,
}

/// A line of the sandbox's bank book: a payout.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaidOut {
    /// The payment's id.
    pub reference: String,
    /// The amount that the phone got.
    pub amount_cents: i64,
    /// The phone.
    party: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Book {
    received: Side<Received>,
    paid_out: Side<PaidOut>,
}

#[derive(Deserialize)]
struct Side<T> {
    entries: Vec<T>,
}

impl Sandbox {
    pub(crate) fn new(url: String, http: reqwest::Client) -> Self {
        Self { url, http }
    }

    /// Replaces a handset's script.
    pub async fn set_handset(&self, phone: &str, script: &Value) {
        let request = self.http.put(self.at(&format!("handsets/{}", digits(phone)))).json(script);
        Self::read::<Value>(request).await;
    }

    /// Enters a PIN into the handset's open prompt.
    pub async fn enter_pin(&self, phone: &str, pin: &str) {
        self.answer_prompt(phone, &json!({"action": "pin", "pin": pin})).await;
    }

    /// Cancels the handset's open prompt.
    pub async fn cancel_prompt(&self, phone: &str) {
        self.answer_prompt(phone, &json!({"action": "cancel"})).await;
    }

    /// Pays on a card's page.
    pub async fn pay_on_card_page(&self, page: &str) {
        let access_code = page.rsplit('/').next().expect("a path");
        let request = self.http.post(self.at(&format!("cards/{access_code}")));
        Self::read::<Value>(request.json(&json!({"action": "pay"}))).await;
    }

    async fn answer_prompt(&self, phone: &str, act: &Value) {
        let url = self.at(&format!("handsets/{}/prompt", digits(phone)));
        Self::read::<Value>(self.http.post(url).json(act)).await;
    }

    /// The payments from a phone in the sandbox's bank book, newest first.
    pub async fn received_from(&self, phone: &str) -> Vec<Received> {
        let phone = digits(phone);
        self.book().await.received.entries.into_iter().filter(|line| line.msisdn == phone).collect()
    }

    /// The payouts to a phone in the sandbox's bank book, newest first.
    pub async fn paid_out_to(&self, phone: &str) -> Vec<PaidOut> {
        let phone = digits(phone);
        self.book().await.paid_out.entries.into_iter().filter(|line| line.party == phone).collect()
    }

    async fn book(&self) -> Book {
        Self::read(self.http.get(self.at("bank"))).await
    }

    /// The STK pushes to a phone, newest first.
    pub async fn pushes_to(&self, phone: &str) -> Vec<StkPush> {
        let pushes: Vec<StkPush> = Self::read(self.http.get(self.at("payments"))).await;
        let phone = digits(phone);
        pushes.into_iter().filter(|push| push.msisdn == phone).collect()
    }

    /// The text messages to a phone, newest first.
    pub async fn texts_to(&self, phone: &str) -> Vec<Sms> {
        let query = [("to", format!("+{}", digits(phone)))];
        Self::read(self.http.get(self.at("sms")).query(&query)).await
    }

    /// Waits for a text message to a phone, and returns the code in the newest one.
    pub async fn code_sent_to(&self, phone: &str) -> String {
        eventually("a text with a code", || async {
            self.texts_to(phone).await.first().map(Sms::code)
        })
        .await
    }

    /// Waits until an address has `count` mails with a code, and returns the newest one's code.
    pub async fn code_mailed_to(&self, address: &str, count: usize) -> String {
        eventually(&format!("{count} mails with a code"), || async {
            let mails = self.mails_to(address).await;
            let codes: Vec<_> = mails.iter().filter_map(Mail::code).collect();
            (codes.len() == count).then(|| codes[0].clone())
        })
        .await
    }

    /// The mails to an address, newest first.
    pub async fn mails_to(&self, address: &str) -> Vec<Mail> {
        Self::read(self.http.get(self.at("mail")).query(&[("to", address)])).await
    }

    /// Waits until an address has `count` mails with a link to a screen, and returns
    /// the tokens of the links, newest first.
    pub async fn tokens_mailed_to(&self, address: &str, screen: &str, count: usize) -> Vec<String> {
        eventually(&format!("{count} mails with a link to {screen}"), || async {
            let mails = self.mails_to(address).await;
            let tokens: Vec<_> = mails.iter().filter_map(|mail| mail.token(screen)).collect();
            (tokens.len() == count).then_some(tokens)
        })
        .await
    }

    /// Submits the form of a provider's consent page, and returns the address it
    /// redirects to.
    pub(crate) async fn post_form(&self, page: Url, form: &[(&str, &str)]) -> Url {
        let response = self.http.post(page).form(form).send().await.expect("the sandbox answers");
        let status = response.status();
        let location = response.headers().get(LOCATION).cloned();
        let body = response.text().await.expect("a whole reply");
        let location =
            location.unwrap_or_else(|| panic!("no redirect from the provider, {status}: {body}"));
        Url::parse(location.to_str().expect("text")).expect("a whole address")
    }

    /// Makes the next ID token of the sandbox's Google invalid in this way.
    pub async fn tamper_next_id_token(&self, tamper: &str) {
        let body = json!({"tamper": tamper});
        Self::read::<Value>(self.http.put(self.at("social")).json(&body)).await;
    }

    fn at(&self, path: &str) -> String {
        format!("{}/control/{path}", self.url)
    }

    async fn read<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> T {
        let response = request.send().await.expect("the sandbox answers");
        let status = response.status();
        let body = response.text().await.expect("a whole reply");
        assert!(status.is_success(), "the sandbox answers {status}: {body}");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }
}

/// A phone number as the provider writes it: `2547…`.
fn digits(phone: &str) -> String {
    Msisdn::parse(phone).expect("a Kenyan mobile number").digits().to_owned()
}
