//! The mail server's replies, with the enhanced codes of RFC 3463.

use smtp_proto::Error;

pub(super) const GREETING: &str = "220 sandbox ESMTP\r\n";
pub(super) const HELO: &str = "250 sandbox\r\n";
pub(super) const OK: &str = "250 2.0.0 Ok\r\n";
pub(super) const SENDER_OK: &str = "250 2.1.0 Sender ok\r\n";
pub(super) const RECIPIENT_OK: &str = "250 2.1.5 Recipient ok\r\n";
pub(super) const DELIVERED: &str = "250 2.6.0 Delivered\r\n";
pub(super) const CANNOT_VERIFY: &str = "252 2.1.5 Cannot verify; mail is accepted\r\n";
pub(super) const HELP: &str = "214 2.0.0 See RFC 5321\r\n";
pub(super) const BYE: &str = "221 2.0.0 Bye\r\n";
pub(super) const GO_AHEAD: &str = "354 End data with <CR><LF>.<CR><LF>\r\n";
pub(super) const CLOSING: &str = "421 4.3.2 The server is closing\r\n";
pub(super) const TOO_MANY_CONNECTIONS: &str = "421 4.3.2 Too many connections\r\n";
pub(super) const TIMED_OUT: &str = "421 4.4.2 Idle timeout\r\n";
pub(super) const TOO_MANY_ERRORS: &str = "421 4.7.0 Too many errors\r\n";
pub(super) const TRY_LATER: &str = "451 4.3.0 Try again later\r\n";
pub(super) const TOO_MANY_RECIPIENTS: &str = "452 4.5.3 Too many recipients\r\n";
pub(super) const COMMAND_TOO_LONG: &str = "500 5.5.2 Line too long\r\n";
pub(super) const NOT_OFFERED: &str = "502 5.5.1 Not offered here\r\n";
pub(super) const HELLO_FIRST: &str = "503 5.5.1 EHLO or HELO first\r\n";
pub(super) const SENDER_FIRST: &str = "503 5.5.1 MAIL first\r\n";
pub(super) const RECIPIENT_FIRST: &str = "503 5.5.1 RCPT first\r\n";
pub(super) const SENDER_AGAIN: &str = "503 5.5.1 A message is under way; RSET ends it\r\n";
pub(super) const TOO_LARGE: &str = "552 5.3.4 The message is too large\r\n";
pub(super) const BAD_SENDER: &str = "553 5.1.7 No such sender address\r\n";
pub(super) const BAD_RECIPIENT: &str = "553 5.1.3 No such recipient address\r\n";
pub(super) const LINE_TOO_LONG: &str = "554 5.6.0 A line is longer than 998 characters\r\n";
pub(super) const BAD_LINE_END: &str = "554 5.6.0 A line must end with CR LF\r\n";
pub(super) const BAD_PARAMETER: &str = "555 5.5.4 That parameter is not offered\r\n";

/// The reply to EHLO.
pub(super) fn ehlo(max_size: usize) -> String {
    format!(
        "250-sandbox\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n\
         250 SIZE {max_size}\r\n"
    )
}

/// The reply to a line that is not a valid command.
pub(super) fn refusal(error: &Error) -> String {
    match error {
        Error::UnknownCommand => "500 5.5.1 No such command\r\n".to_owned(),
        Error::InvalidSenderAddress => BAD_SENDER.to_owned(),
        Error::InvalidRecipientAddress => BAD_RECIPIENT.to_owned(),
        Error::SyntaxError { syntax } => format!("501 5.5.4 Syntax: {syntax}\r\n"),
        Error::InvalidParameter { param } => format!("501 5.5.4 Invalid {param}\r\n"),
        Error::UnsupportedParameter { .. } => BAD_PARAMETER.to_owned(),
        Error::NeedsMoreData { .. } | Error::ResponseTooLong | Error::InvalidResponse { .. } => {
            "501 5.5.2 Not understood\r\n".to_owned()
        }
    }
}
