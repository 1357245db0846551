//! The types that every service shares: ids, money, time, randomness, pages, phone
//! numbers, email addresses, what people write, texts for players, rate windows, operators'
//! content. Pure: nothing here reads the machine's clock by itself, opens a socket or knows a
//! table.
//!
//! A value of these types is valid. Each has one `parse`, and its fields are private,
//! so code that is given a [`Money`] or a [`Msisdn`] need not check it again.

mod clock;
mod content;
mod cursor;
mod email;
mod erased;
mod ids;
mod language;
mod local_text;
mod money;
mod nairobi;
mod page;
mod phone;
mod rng;
mod role;
mod text;
mod window;
pub mod writing;

pub use clock::Clock;
pub use content::{Change, InvalidContent, Key, content_id};
pub use cursor::{Cursor, CursorError};
pub use email::{Email, EmailError};
pub use erased::ErasedPlayer;
pub use ids::{IdError, PlayerId, SessionId, derived_id};
pub use language::Language;
pub use local_text::LocalText;
pub use money::{Money, MoneyError};
pub use nairobi::{NAIROBI, full_date, time_and_date};
pub use page::{Page, PageError};
pub use phone::{Msisdn, PhoneError};
pub use rng::Rng;
pub use role::Role;
pub use secrecy::{ExposeSecret, SecretSlice, SecretString};
pub use text::{Params, Text};
pub use window::SlidingWindow;

// The names that the `id!` macro uses.
#[doc(hidden)]
pub use {serde, uuid};
