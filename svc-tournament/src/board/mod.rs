//! Boards in memory: the standings of a tournament in order, with ranks and pages that need no
//! scan. This module does not read the database; `app/read_board.rs` keeps the boards up to date
//! with it until they are final.

mod final_board;
mod ranking;
mod shelf;
mod standings;

pub(crate) use final_board::{FinalBoard, FinalBoards, final_boards};
pub(crate) use shelf::{Loaded, Refreshed, Shelf, Slot};
pub(crate) use standings::Board;
