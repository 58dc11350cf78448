//! Uncaught errors and unhandled promise rejections of the script.

use rquickjs::{Persistent, Runtime, Value};
use std::cell::RefCell;
use std::rc::Rc;

type Rejected = (Persistent<Value<'static>>, String);

/// Rejected promises without a handler. A handler may still be added until the jobs of the event are done.
pub struct Trouble {
    rejected: Rc<RefCell<Vec<Rejected>>>,
}

impl Trouble {
    /// Starts to track the rejections of an engine.
    pub fn heard_by(runtime: &Runtime) -> Self {
        let rejected: Rc<RefCell<Vec<Rejected>>> = Rc::default();
        let list = Rc::clone(&rejected);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, is_handled| {
            let mut list = list.borrow_mut();
            if is_handled {
                list.retain(|(known, _)| known.clone().restore(&ctx).is_ok_and(|known| known != promise));
            } else {
                list.push((Persistent::save(&ctx, promise), text_of(&reason)));
            }
        })));
        Self { rejected }
    }

    /// Removes and returns the reasons of all unhandled rejections.
    pub fn uncaught(&self) -> Vec<String> {
        if self.rejected.borrow().is_empty() {
            return Vec::new();
        }
        self.rejected.take().into_iter().map(|(_, reason)| reason).collect()
    }
}

/// Returns the text of a thrown value: for an exception, its message and stack.
pub fn text_of(thrown: &Value<'_>) -> String {
    match (thrown.as_exception(), thrown.as_string()) {
        (Some(exception), _) => exception.to_string(),
        (None, Some(text)) => text.to_string().unwrap_or_else(|_| "a text".into()),
        (None, None) => format!("{thrown:?}"),
    }
}
