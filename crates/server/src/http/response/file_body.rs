//! A file as a response body, streamed in chunks.

use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::HttpBody;
use bytes::Bytes;
use hyper::body::Frame;
use tokio::task::{JoinHandle, spawn_blocking};

const PIECE: u64 = 64 << 10;

/// The caller sets the Content-Length.
pub struct FileBody {
    /// The next chunk; none after the last.
    reading: Option<JoinHandle<io::Result<(File, Bytes)>>>,
}

impl FileBody {
    pub fn new(file: File) -> FileBody {
        FileBody { reading: Some(piece(file)) }
    }
}

fn piece(mut file: File) -> JoinHandle<io::Result<(File, Bytes)>> {
    spawn_blocking(move || {
        let mut bytes = Vec::new();
        (&mut file).take(PIECE).read_to_end(&mut bytes)?;
        Ok((file, bytes.into()))
    })
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context)).map_err(io::Error::other);
        self.reading = None;
        Poll::Ready(match read.flatten() {
            Ok((_, bytes)) if bytes.is_empty() => None,
            Ok((file, bytes)) => {
                self.reading = Some(piece(file));
                Some(Ok(Frame::data(bytes)))
            }
            Err(error) => Some(Err(error)),
        })
    }
}
