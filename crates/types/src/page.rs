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
    /// Larger than the list gives at once.
    #[error("a page holds at most {max} items")]
    TooLarge {
        /// The list's limit.
        max: u32,
    },
    /// So far back that only a mistake asks for it.
    #[error("there is no such page")]
    TooFar,
}

impl Page {
    /// No list is read further than this many items by page numbers.
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

    /// How many items at most.
    pub fn limit(self) -> i64 {
        i64::from(self.size)
    }

    /// How many items come before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.number) * i64::from(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_zero_means_the_lists_own() {
        let page = Page::parse(2, 0, 50).unwrap();
        assert_eq!((page.limit(), page.offset()), (50, 100));
    }

    #[test]
    fn pages_have_limits() {
        assert_eq!(Page::parse(0, 101, 100), Err(PageError::TooLarge { max: 100 }));
        assert_eq!(Page::parse(u32::MAX, 100, 100), Err(PageError::TooFar));
    }
}
