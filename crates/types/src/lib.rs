//! The words that every service means alike: ids, money, time, chance, pages,
//! phone numbers. Pure: nothing here reads a clock it was not given, opens a
//! socket or knows a table.
//!
//! A value of these types has been judged already. Each has one `parse`, and
//! its fields are private, so what holds a [`Money`] or a [`Msisdn`] need not
//! ask again.

mod chance;
mod clock;
mod ids;
mod money;
mod page;
mod phone;

pub use chance::Chance;
pub use clock::Clock;
pub use ids::{Id, IdError, Noun, Player, PlayerId, Session, SessionId};
pub use money::{Money, MoneyError};
pub use page::{Page, PageError};
pub use phone::{Msisdn, PhoneError};
pub use secrecy::{ExposeSecret, SecretString};
