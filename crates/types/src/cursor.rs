//! Pages that continue after the last item seen (keyset pagination).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Longest encoded cursor that is read, in bytes.
const MAX_LENGTH: usize = 512;

/// Where a page begins, and how many items it holds at most. `K` is the sort key of
/// the list, with the id that breaks ties: the SQL is `WHERE (key, id) > ($1, $2)
/// ORDER BY key, id LIMIT $3`, one index range for every page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor<K> {
    after: Option<K>,
    limit: u32,
}

/// Why a cursor is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CursorError {
    /// The token is not one that this list gave out.
    #[error("not a valid page token")]
    Invalid,
    /// The size is larger than the list's limit.
    #[error("a page holds at most {max} items")]
    TooLarge {
        /// The list's limit.
        max: u32,
    },
}

impl<K: Serialize + DeserializeOwned> Cursor<K> {
    /// Reads a page token and a size. An empty token is the first page; a size of 0
    /// is `max`.
    pub fn parse(token: &str, size: u32, max: u32) -> Result<Self, CursorError> {
        if size > max {
            return Err(CursorError::TooLarge { max });
        }
        let limit = if size == 0 { max } else { size };
        if token.is_empty() {
            return Ok(Self { after: None, limit });
        }
        if token.len() > MAX_LENGTH {
            return Err(CursorError::Invalid);
        }
        let json = URL_SAFE_NO_PAD.decode(token).map_err(|_| CursorError::Invalid)?;
        let after = serde_json::from_slice(&json).map_err(|_| CursorError::Invalid)?;
        Ok(Self { after: Some(after), limit })
    }

    /// The key that the page begins after; `None` for the first page.
    pub fn after(&self) -> Option<&K> {
        self.after.as_ref()
    }

    /// Items to fetch: one more than the page holds, which shows whether there is
    /// another page.
    pub fn fetch(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Cuts fetched items to the page, and returns the token of the next one: empty
    /// after the last page.
    pub fn finish<T>(&self, mut items: Vec<T>, key: impl Fn(&T) -> K) -> (Vec<T>, String) {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        if items.len() <= limit {
            return (items, String::new());
        }
        items.truncate(limit);
        let next = items.last().map(|last| Self::encode(&key(last))).unwrap_or_default();
        (items, next)
    }

    fn encode(key: &K) -> String {
        // Keys are numbers, texts and times, which JSON always holds.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(key).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type ByName = Cursor<(String, u32)>;

    fn page(token: &str) -> (Vec<u32>, String) {
        let cursor = Cursor::<u32>::parse(token, 2, 10).unwrap();
        let all = [10, 20, 30, 40, 50];
        let from = cursor.after().map_or(0, |after| all.partition_point(|item| item <= after));
        let most = usize::try_from(cursor.fetch()).unwrap();
        cursor.finish(all.into_iter().skip(from).take(most).collect(), |item| *item)
    }

    #[test]
    fn pages_follow_each_other_and_the_last_has_no_token() {
        let (first, token) = page("");
        let (second, token) = page(&token);
        let (third, end) = page(&token);
        assert_eq!((first, second, third), (vec![10, 20], vec![30, 40], vec![50]));
        assert_eq!(end, "");
    }

    #[test]
    fn a_page_has_a_limit() {
        assert_eq!(ByName::parse("", 11, 10), Err(CursorError::TooLarge { max: 10 }));
        assert_eq!(ByName::parse("", 0, 10).unwrap().fetch(), 11);
    }

    proptest! {
        #[test]
        fn any_other_text_is_refused(token in "[A-Za-z0-9_-]{1,600}") {
            let _ = ByName::parse(&token, 0, 10);
            prop_assert_eq!(ByName::parse("!", 0, 10), Err(CursorError::Invalid));
        }
    }
}
