//! The grpc-web-text format: frames of a flag, a length and a message, in base64 that is
//! padded wherever the server flushed.

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use prost::Message;

/// The length of a frame's header: a flag, and the message's length in four bytes.
const HEADER: usize = 5;
/// The bit of the flag that marks the frame with the trailers.
const TRAILERS: u8 = 0x80;
/// Longest frame that is accepted, in bytes; events are smaller.
const MAX_FRAME: usize = 64 * 1024;

/// One frame of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// An encoded protobuf message.
    Message(Vec<u8>),
    /// The last frame: header lines with `grpc-status` among them.
    Trailers(String),
}

/// The body of a request with one message.
pub(crate) fn encode(message: &impl Message) -> Result<String> {
    let message = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend(u32::try_from(message.len())?.to_be_bytes());
    frame.extend(message);
    Ok(STANDARD.encode(frame))
}

/// Decodes a body, in whatever pieces it arrives, into frames.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// Base64 characters of an incomplete group of four.
    text: Vec<u8>,
    /// Decoded bytes of an incomplete frame.
    bytes: Vec<u8>,
}

impl Decoder {
    /// Adds a piece of the body.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<()> {
        self.text.extend_from_slice(piece);
        let (groups, rest) = self.text.as_chunks::<4>();
        for group in groups {
            // The text is decoded group by group, because padding may occur in the middle of the
            // body.
            self.bytes.extend(STANDARD.decode(group).context("the stream is not base64")?);
        }
        self.text = rest.to_vec();
        Ok(())
    }

    /// Removes and returns the next frame; `None` while it is incomplete.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>> {
        let Some((&[flag, a, b, c, d], rest)) = self.bytes.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d]))?;
        ensure!(length <= MAX_FRAME, "a frame of {length} bytes");
        let Some(content) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = if flag & TRAILERS == 0 {
            Frame::Message(content.to_vec())
        } else {
            Frame::Trailers(String::from_utf8_lossy(content).into_owned())
        };
        self.bytes.drain(..HEADER + length);
        Ok(Some(frame))
    }
}

#[cfg(test)]
mod tests {
    use proto::live::v1::SubscribeRequest;

    use super::*;

    fn frame(flag: u8, content: &[u8]) -> String {
        let length = u32::try_from(content.len()).unwrap();
        STANDARD.encode([&[flag][..], &length.to_be_bytes(), content].concat())
    }

    fn all(body: &str, piece: usize) -> Vec<Frame> {
        let mut decoder = Decoder::default();
        let mut frames = Vec::new();
        for piece in body.as_bytes().chunks(piece) {
            decoder.push(piece).unwrap();
            while let Some(frame) = decoder.next().unwrap() {
                frames.push(frame);
            }
        }
        frames
    }

    #[test]
    fn frames_are_decoded_from_pieces_of_any_size() {
        // Frames that end with one, two and no characters of padding.
        let body =
            [frame(0, b"a"), frame(0, b"bcd"), frame(0, b"ef"), frame(0x80, b"grpc-status:0")];
        let body = body.concat();
        let whole = all(&body, body.len());
        assert_eq!(
            whole,
            [
                Frame::Message(b"a".to_vec()),
                Frame::Message(b"bcd".to_vec()),
                Frame::Message(b"ef".to_vec()),
                Frame::Trailers("grpc-status:0".to_owned()),
            ]
        );
        for piece in 1..body.len() {
            assert_eq!(all(&body, piece), whole, "in pieces of {piece}");
        }
    }

    #[test]
    fn an_encoded_message_decodes_to_itself() {
        let request = SubscribeRequest {
            payment_ids: vec!["one".to_owned(), "two".to_owned()],
            ..SubscribeRequest::default()
        };
        let frames = all(&encode(&request).unwrap(), 7);
        let [Frame::Message(message)] = frames.as_slice() else { panic!("{frames:?}") };
        assert_eq!(SubscribeRequest::decode(message.as_slice()).unwrap(), request);
    }

    #[test]
    fn invalid_base64_and_oversized_frames_are_refused() {
        assert!(Decoder::default().push(b"!!!!").is_err());
        let mut decoder = Decoder::default();
        decoder.push(STANDARD.encode([0, 0xff, 0xff, 0xff, 0xff, 0]).as_bytes()).unwrap();
        assert!(decoder.next().is_err());
    }
}
