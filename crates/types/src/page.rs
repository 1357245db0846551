//! Pages of a list.

use thiserror::Error;

/// A page from 0 and its size, both within a list's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    number: u32,
    size: u32,
}

/// Why a page is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PageError {
    /// The page is larger than the list's limit.
    #[error("a page holds at most {max} items")]
    TooLarge {
        /// The list's limit.
        max: u32,
    },
    /// The page begins beyond the farthest item that page numbers reach.
    #[error("there is no such page")]
    TooFar,
}

impl Page {
    /// The farthest item that page numbers reach; the cost of OFFSET grows with it.
    const FARTHEST: u64 = 1_000_000;

    /// Page `number` of `size` items; a size of 0 means `max`.
    pub fn parse(number: u32, size: u32, max: u32) -> Result<Self, PageError> {
        let size = if size == 0 { max } else { size };
        if size > max {
            return Err(PageError::TooLarge { max });
        }
        if u64::from(number) * u64::from(size) > Self::FARTHEST {
            return Err(PageError::TooFar);
        }
        Ok(Self { number, size })
    }

    /// Most items on the page (LIMIT).
    pub fn limit(self) -> i64 {
        i64::from(self.size)
    }

    /// Items before the page (OFFSET).
    pub fn offset(self) -> i64 {
        i64::from(self.number) * i64::from(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_zero_is_the_lists_limit() {
        let page = Page::parse(2, 0, 50).unwrap();
        assert_eq!((page.limit(), page.offset()), (50, 100));
    }

    #[test]
    fn pages_have_limits() {
        assert_eq!(Page::parse(0, 101, 100), Err(PageError::TooLarge { max: 100 }));
        assert_eq!(Page::parse(u32::MAX, 100, 100), Err(PageError::TooFar));
    }
}
