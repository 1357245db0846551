//! The kinds of files that are stored, recognised by their first bytes: never by the
//! file's name or the sender's content type.

/// A kind of file, from the bytes it begins with to the type it is served as.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MediaKind {
    /// The extension of stored files, by which their kind is found again.
    pub(crate) extension: &'static str,
    /// The content type that it is served with.
    pub(crate) content_type: &'static str,
    /// Whether browsers show the file on a page, rather than save it.
    pub(crate) shown: bool,
    /// The content types that `infer` has for the kind.
    sniffed: &'static [&'static str],
}

/// The kind of profiles' pictures.
pub(crate) const JPEG: &MediaKind = &KINDS[0];
const TEXT: &MediaKind = &KINDS[KINDS.len() - 1];
/// Videos of older phones, which `infer` does not recognise.
const PHONE_VIDEO: &MediaKind = &KINDS[8];

/// The kinds that may be stored. Everything else is refused: programs, web pages, SVG images.
///
/// A file that is valid as two kinds is served as the one that it begins as, with `nosniff`, so
/// that no browser reads it as the other.
#[rustfmt::skip]
static KINDS: [MediaKind; 30] = [
    shown("jpg",  "image/jpeg",      &["image/jpeg"]),
    shown("png",  "image/png",       &["image/png"]),
    shown("gif",  "image/gif",       &["image/gif"]),
    shown("webp", "image/webp",      &["image/webp"]),
    shown("avif", "image/avif",      &["image/avif"]),
    shown("heif", "image/heif",      &["image/heif"]),
    shown("mp4",  "video/mp4",       &["video/mp4", "video/x-m4v"]),
    shown("webm", "video/webm",      &["video/webm"]),
    shown("3gp",  "video/3gpp",      &[]),
    shown("mov",  "video/quicktime", &["video/quicktime"]),
    shown("mp3",  "audio/mpeg",      &["audio/mpeg"]),
    shown("m4a",  "audio/mp4",       &["audio/m4a"]),
    shown("ogg",  "audio/ogg",       &["audio/ogg", "audio/opus"]),
    shown("wav",  "audio/wav",       &["audio/x-wav"]),
    shown("flac", "audio/flac",      &["audio/x-flac"]),
    shown("aac",  "audio/aac",       &["audio/aac"]),
    shown("amr",  "audio/amr",       &["audio/amr"]),
    saved("pdf",  "application/pdf", &["application/pdf"]),
    saved("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                  &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]),
    saved("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                  &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]),
    saved("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation",
                  &["application/vnd.openxmlformats-officedocument.presentationml.presentation"]),
    saved("odt",  "application/vnd.oasis.opendocument.text",
                  &["application/vnd.oasis.opendocument.text"]),
    saved("ods",  "application/vnd.oasis.opendocument.spreadsheet",
                  &["application/vnd.oasis.opendocument.spreadsheet"]),
    saved("odp",  "application/vnd.oasis.opendocument.presentation",
                  &["application/vnd.oasis.opendocument.presentation"]),
    saved("rtf",  "application/rtf", &["application/rtf"]),
    saved("zip",  "application/zip", &["application/zip"]),
    saved("gz",   "application/gzip", &["application/gzip"]),
    saved("7z",   "application/x-7z-compressed", &["application/x-7z-compressed"]),
    saved("rar",  "application/vnd.rar", &["application/vnd.rar"]),
    saved("txt",  "text/plain; charset=utf-8", &[]),
];

impl MediaKind {
    /// The kind of a file, if it may be stored.
    pub(crate) fn sniff(bytes: &[u8]) -> Option<&'static Self> {
        match infer::get(bytes) {
            Some(found) => KINDS.iter().find(|kind| kind.sniffed.contains(&found.mime_type())),
            None if bytes.get(4..11) == Some(b"ftyp3gp") => Some(PHONE_VIDEO),
            None => is_text(bytes).then_some(TEXT),
        }
    }

    pub(crate) fn is_picture(&self) -> bool {
        self.content_type.starts_with("image/")
    }

    /// The kind that is stored under an extension.
    pub(crate) fn of_extension(extension: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.extension == extension)
    }
}

const fn shown(
    extension: &'static str,
    content_type: &'static str,
    sniffed: &'static [&'static str],
) -> MediaKind {
    MediaKind { extension, content_type, shown: true, sniffed }
}

const fn saved(
    extension: &'static str,
    content_type: &'static str,
    sniffed: &'static [&'static str],
) -> MediaKind {
    MediaKind { extension, content_type, shown: false, sniffed }
}

/// Whether the bytes are plain text. Text that begins with a tag may be a web page.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let control = |char: char| char.is_control() && !matches!(char, '\t' | '\n' | '\r');
    !begin.is_empty() && !begin.starts_with('<') && !text.contains(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An EBML header, and enough bytes behind it.
    fn webm() -> Vec<u8> {
        let mut webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm".to_vec();
        webm.resize(300, 0);
        webm
    }

    fn sniffed(bytes: &[u8]) -> Option<&'static str> {
        MediaKind::sniff(bytes).map(|kind| kind.extension)
    }

    #[test]
    fn a_file_is_recognised_by_its_first_bytes() {
        for (bytes, extension) in [
            (&b"\xff\xd8\xff\xe0 and so on"[..], "jpg"),
            (b"\x89PNG\r\n\x1a\n and so on", "png"),
            (b"GIF89a/*<svg onload=alert(1)>*/=1", "gif"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
            (b"\0\0\0\x18ftypisom\0\0\0\0", "mp4"),
            (b"\0\0\0\x18ftyp3gp5\0\0\0\0", "3gp"),
            (&webm(), "webm"),
            (b"OggS\0\x02\0\0\0\0\0\0\0\0", "ogg"),
            (b"ID3\x04\0\0\0", "mp3"),
            (b"#!AMR\n and a voice", "amr"),
            (b"%PDF-1.7\n<script>alert(1)</script>", "pdf"),
            (b"PK\x03\x04 and so on, at some length", "zip"),
            ("Habari yako? Njoo tucheze.\n".as_bytes(), "txt"),
            (b"alert(document.cookie)", "txt"),
        ] {
            assert_eq!(sniffed(bytes), Some(extension), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_file_that_could_be_executed_has_no_kind() {
        for bytes in [
            &b""[..],
            b"<!DOCTYPE html><script>alert(1)</script>",
            b"  \n<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
            b"\xef\xbb\xbf<html>",
            b"<?xml version=\"1.0\"?><?xml-stylesheet href=\"x\"?>",
            b"<anything>",
            b"#!/bin/sh\nrm -rf /",
            b"\x7fELF\x02\x01\x01\0 and so on, at some length, as programs are",
            b"MZ\x90\0\x03\0\0\0\x04\0\0\0",
            b"\0asm\x01\0\0\0",
            b"\xca\xfe\xba\xbe\0\0\0\x34",
            b"FWS\x05 flash",
            b"\x80\x81\x82 nothing known",
            b"text with a \0 in it",
        ] {
            assert_eq!(sniffed(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn each_extension_names_one_kind_and_none_is_active() {
        for kind in &KINDS {
            assert!(std::ptr::eq(MediaKind::of_extension(kind.extension).unwrap(), kind));
            for active in ["html", "svg", "xml", "script", "octet"] {
                let content_type = kind.content_type;
                let office = content_type.starts_with("application/vnd.openxml");
                assert!(office || !content_type.contains(active), "{content_type}");
            }
        }
        assert_eq!(MediaKind::of_extension("html"), None);
        assert_eq!([JPEG, PHONE_VIDEO, TEXT].map(|kind| kind.extension), ["jpg", "3gp", "txt"]);
    }
}
