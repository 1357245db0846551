//! A panic in a handler or a live stream becomes a failure of that call alone.

use std::any::Any;

use mesh::Fault;

/// The failure for a panic in `place`, logged with the panic's message, without it on the
/// wire.
pub(crate) fn fault(place: &str, panic: &(dyn Any + Send)) -> Fault {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    Fault::failure(&anyhow::anyhow!("{place} panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_shows_no_message_to_the_caller() {
        for panic in [
            Box::new("at the disco") as Box<dyn Any + Send>,
            Box::new("at the disco".to_owned()),
            Box::new(7),
        ] {
            let fault = fault("a handler", &*panic);
            assert_eq!(fault.reason, "INTERNAL");
            assert!(!fault.message.contains("disco"));
        }
    }
}
