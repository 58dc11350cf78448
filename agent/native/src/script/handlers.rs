//! Delivery of events to the script: the functions of `RuntimeEvents`.

use super::values::{Bytes, Headers, OrNull, text_from};
use crate::event::{Event, ExecStep, HttpStep, Member, MembersAnswer, MembersOutcome, SlowText, SshState, StreamStep, WsEnd};
use rquickjs::function::{Func, IntoArgs};
use rquickjs::{Array, Ctx, Function, IntoJs, Object, Persistent, Result, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// The script's event listener, once it has called `listen`.
#[derive(Default, Clone)]
pub struct Handlers {
    listener: Rc<RefCell<Option<Persistent<Object<'static>>>>>,
}

impl Handlers {
    /// Sets `listen` on the runtime object.
    pub fn offer<'js>(&self, runtime: &Object<'js>) -> Result<()> {
        let listener = Rc::clone(&self.listener);
        let listen = move |ctx: Ctx<'js>, events: Object<'js>| {
            *listener.borrow_mut() = Some(Persistent::save(&ctx, events));
        };
        runtime.set("listen", Func::from(listen))
    }

    /// True when the script has called `listen`.
    pub fn is_set(&self) -> bool {
        self.listener.borrow().is_some()
    }

    /// Calls the script's function for the event.
    pub fn tell(&self, ctx: &Ctx<'_>, event: Event) -> Result<()> {
        match event {
            Event::Timer { id } => self.call(ctx, "onTimer", (id,)),
            Event::SlowTexts { id, texts } => {
                let told = Array::new(ctx.clone())?;
                for (place, SlowText { text, took }) in texts.into_iter().enumerate() {
                    let of = Object::new(ctx.clone())?;
                    of.set("text", OrNull(text.map(|bytes| text_from(ctx, &bytes)).transpose()?))?;
                    of.set("tookMs", took.as_secs_f64() * 1000.0)?;
                    told.set(place, of)?;
                }
                self.call(ctx, "onSlowTexts", (id, told))
            }
            Event::Http { id, step } => self.call(ctx, "onHttp", (id, http_event(ctx, step)?)),
            Event::HttpMembers { id, answers } => {
                let told = Array::new(ctx.clone())?;
                for (place, answer) in answers.into_iter().enumerate() {
                    told.set(place, members_answer(ctx, answer)?)?;
                }
                self.call(ctx, "onHttpMembers", (id, told))
            }
            Event::Stream { id, step } => self.call(ctx, "onStream", (id, stream_event(ctx, step)?)),
            Event::Exec { id, step } => self.call(ctx, "onExec", (id, exec_event(ctx, step)?)),
            Event::WsOpen { id } => self.call(ctx, "onWsOpen", (id,)),
            Event::WsMessage { id, data } => self.call(ctx, "onWsMessage", (id, Bytes(data))),
            Event::WsClose { id, end } => self.call(ctx, "onWsClose", (id, ws_end(ctx, end)?)),
            Event::Ssh { request, identification, input, ended } => self.call(ctx, "onSsh", (request, identification, Bytes(input), ended)),
            Event::SshServer(state) => self.call(ctx, "onSshServer", (ssh_event(ctx, state)?,)),
            Event::Signal(name) => self.call(ctx, "onSignalReceived", (name,)),
        }
    }

    fn call<'js>(&self, ctx: &Ctx<'js>, name: &str, args: impl IntoArgs<'js>) -> Result<()> {
        let Some(listener) = self.listener.borrow().clone() else { return Ok(()) };
        let handler: Function<'js> = listener.restore(ctx)?.get(name)?;
        handler.call(args)
    }
}

fn event<'js>(ctx: &Ctx<'js>, kind: &str) -> Result<Object<'js>> {
    let event = Object::new(ctx.clone())?;
    event.set("kind", kind)?;
    Ok(event)
}

fn failed<'js>(ctx: &Ctx<'js>, reason: String) -> Result<Object<'js>> {
    let failed = event(ctx, "failed")?;
    failed.set("reason", reason)?;
    Ok(failed)
}

fn http_event<'js>(ctx: &Ctx<'js>, step: HttpStep) -> Result<Object<'js>> {
    let of = match step {
        HttpStep::Answer { status, headers, body } => {
            let of = event(ctx, "answer")?;
            of.set("status", status)?;
            of.set("headers", Headers(headers))?;
            of.set("body", Bytes(body))?;
            of
        }
        HttpStep::Head { status, headers } => {
            let of = event(ctx, "head")?;
            of.set("status", status)?;
            of.set("headers", Headers(headers))?;
            of
        }
        HttpStep::Piece(data) => {
            let of = event(ctx, "piece")?;
            of.set("data", Bytes(data))?;
            of
        }
        HttpStep::End { cut } => {
            let of = event(ctx, "end")?;
            of.set("cut", cut)?;
            of
        }
        HttpStep::Failed(reason) => failed(ctx, reason)?,
    };
    Ok(of)
}

fn members_answer<'js>(ctx: &Ctx<'js>, answer: MembersAnswer) -> Result<Object<'js>> {
    let of = match answer.outcome {
        MembersOutcome::Members { values } => {
            let of = event(ctx, "members")?;
            of.set("values", member(ctx, Member::List(values))?)?;
            of
        }
        MembersOutcome::Refused { status } => {
            let of = event(ctx, "refused")?;
            of.set("status", status)?;
            of
        }
        MembersOutcome::Failed(reason) => failed(ctx, reason)?,
    };
    of.set("endedAtMs", answer.ended_at_ms)?;
    Ok(of)
}

fn member<'js>(ctx: &Ctx<'js>, member: Member) -> Result<Value<'js>> {
    match member {
        Member::Absent => Ok(Value::new_null(ctx.clone())),
        Member::Number(number) => Ok(Value::new_number(ctx.clone(), number)),
        Member::Text(text) => text.into_js(ctx),
        Member::List(entries) => {
            let list = Array::new(ctx.clone())?;
            for (place, entry) in entries.into_iter().enumerate() {
                list.set(place, self::member(ctx, entry)?)?;
            }
            Ok(list.into_value())
        }
    }
}

fn stream_event<'js>(ctx: &Ctx<'js>, step: StreamStep) -> Result<Object<'js>> {
    match step {
        StreamStep::Open => event(ctx, "open"),
        StreamStep::Data(data) => {
            let of = event(ctx, "data")?;
            of.set("data", Bytes(data))?;
            Ok(of)
        }
        StreamStep::Closed(reason) => {
            let of = event(ctx, "closed")?;
            of.set("reason", reason)?;
            Ok(of)
        }
    }
}

fn exec_event<'js>(ctx: &Ctx<'js>, step: ExecStep) -> Result<Object<'js>> {
    match step {
        ExecStep::Piece(data) => {
            let of = event(ctx, "piece")?;
            of.set("data", Bytes(data))?;
            Ok(of)
        }
        ExecStep::Exited { code, output } => {
            let of = event(ctx, "exited")?;
            of.set("exitCode", code)?;
            of.set("output", Bytes(output))?;
            Ok(of)
        }
        ExecStep::Failed(reason) => failed(ctx, reason),
    }
}

fn ws_end<'js>(ctx: &Ctx<'js>, end: WsEnd) -> Result<Object<'js>> {
    match end {
        WsEnd::Refused { status, body } => {
            let of = event(ctx, "refused")?;
            of.set("status", status)?;
            of.set("body", body)?;
            Ok(of)
        }
        WsEnd::Failed { reason, name_not_found } => {
            let of = failed(ctx, reason)?;
            if name_not_found {
                of.set("nameNotFound", true)?;
            }
            Ok(of)
        }
        WsEnd::Closed { code, reason } => {
            let of = event(ctx, "closed")?;
            of.set("code", code)?;
            of.set("reason", reason)?;
            Ok(of)
        }
    }
}

fn ssh_event<'js>(ctx: &Ctx<'js>, state: SshState) -> Result<Object<'js>> {
    match state {
        SshState::Listening { port } => {
            let of = event(ctx, "listening")?;
            if let Some(port) = port {
                of.set("port", port)?;
            }
            Ok(of)
        }
        SshState::Failed { reason, address_in_use } => {
            let of = failed(ctx, reason)?;
            of.set("addressInUse", address_in_use)?;
            Ok(of)
        }
        SshState::Refused { client } => {
            let of = event(ctx, "refused")?;
            of.set("clientAddress", client)?;
            Ok(of)
        }
    }
}
