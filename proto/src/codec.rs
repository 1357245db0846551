//! The codec of all generated clients and servers.

use std::marker::PhantomData;

use bytes::{BufMut as _, Bytes};
use prost::Message;
use tonic::{
    Status,
    codec::{BufferSettings, Codec, EncodeBuf, Encoder},
};
use tonic_prost::{ProstDecoder, ProstEncoder};

/// Bytes that a buffer begins with. tonic's 8 KiB are held by each end of each open stream; most
/// messages are below a kilobyte, and a buffer grows for the others.
const BUFFER: usize = 1024;
/// Encoded bytes at which a stream is sent on without more of what is ready. A quarter of tonic's:
/// a buffer keeps its size for as long as its stream lasts.
const YIELD_THRESHOLD: usize = 8 * 1024;

/// prost's codec with small buffers.
#[derive(Debug, Clone)]
pub struct SmallCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for SmallCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for SmallCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = SmallEncoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        SmallEncoder(ProstEncoder::new(settings()))
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(settings())
    }
}

/// prost's encoder, with room for the whole message first: a buffer that grows with it copies a
/// page of messages four times.
#[derive(Debug, Clone)]
pub struct SmallEncoder<T>(ProstEncoder<T>);

impl<T: Message> Encoder for SmallEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.reserve(message.encoded_len());
        self.0.encode(message, buffer)
    }

    fn buffer_settings(&self) -> BufferSettings {
        self.0.buffer_settings()
    }
}

/// The codec of a server that sends messages which were encoded before, each once for all its
/// readers, and that reads `U`.
#[derive(Debug, Clone)]
pub struct EncodedCodec<U>(PhantomData<U>);

impl<U> Default for EncodedCodec<U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<U> Codec for EncodedCodec<U>
where
    U: Message + Default + Send + 'static,
{
    type Encode = Bytes;
    type Decode = U;
    type Encoder = EncodedEncoder;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        EncodedEncoder
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(settings())
    }
}

/// Copies encoded messages.
#[derive(Debug)]
pub struct EncodedEncoder;

impl Encoder for EncodedEncoder {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, encoded: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(encoded);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        settings()
    }
}

/// A message in its encoded form, which is cheap to clone.
pub fn encode(message: &impl Message) -> Bytes {
    message.encode_to_vec().into()
}

fn settings() -> BufferSettings {
    BufferSettings::new(BUFFER, YIELD_THRESHOLD)
}
