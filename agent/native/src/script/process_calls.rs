//! Functions of the runtime for this process: clock, environment, output, timers, signals, programs.

use super::SharedHost;
use super::limits::Limits;
use super::values::{OrNull, Text, id_of, limit_of};
use crate::event::{Event, ExecStep};
use crate::machine::programs::Limits as ProgramLimits;
use crate::machine::{architecture, clock, log_line, own_user, print};
use crate::sandbox::{self, Needs};
use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object, Result};
use std::rc::Rc;
use std::time::Duration;

/// `runtimeVersion` in the result of `info`.
const VERSION: &str = concat!("native ", env!("CARGO_PKG_VERSION"));

/// Sets the functions on the runtime object.
pub fn offer(runtime: &Object<'_>, host: &SharedHost, limits: &Rc<Limits>) -> Result<()> {
    let of = Rc::clone(limits);
    runtime.set("limitsReached", Func::from(move |ctx| limits_reached(ctx, &of)))?;
    runtime.set("clock", Func::from(clock_now))?;
    runtime.set("info", Func::from(info))?;
    let of = Rc::clone(host);
    runtime.set("confine", Func::from(move |ctx, needs: Object<'_>| confine(ctx, &of, &needs)))?;
    runtime.set("becomeUser", Func::from(|change: Object<'_>| change_user(&change)))?;
    runtime.set("env", Func::from(|name: Text| OrNull(std::env::var_os(name.0).map(|value| value.to_string_lossy().into_owned()))))?;
    runtime.set("log", Func::from(|level: Text, text: Text| log_line(&level.0, &text.0)))?;
    runtime.set("print", Func::from(|text: Text| print(&text.0)))?;
    let of = Rc::clone(host);
    runtime.set("onSignal", Func::from(move |names: Vec<Text>| hear_signals(&of, &names)))?;
    let of = Rc::clone(host);
    runtime.set("exit", Func::from(move |code: f64| of.borrow_mut().exit_code = Some(code as u8)))?;
    let of = Rc::clone(host);
    runtime.set("timer", Func::from(move |id: f64, ms: f64| of.borrow_mut().timers.set(id_of(id), ms)))?;
    let of = Rc::clone(host);
    runtime.set("exec", Func::from(move |id: f64, argv: Vec<Text>, limits: Object<'_>| exec(&of, id_of(id), argv, &limits)))?;
    let of = Rc::clone(host);
    runtime.set("execKill", Func::from(move |id: f64| of.borrow_mut().programs.kill(id_of(id))))
}

fn clock_now(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let now = Object::new(ctx)?;
    now.set("monotonicMs", clock::monotonic_ms())?;
    now.set("wallMs", clock::wall_ms())?;
    Ok(now)
}

fn info(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let (arch, platform) = architecture();
    let argv: Vec<String> = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let info = Object::new(ctx)?;
    info.set("arch", arch)?;
    info.set("platform", platform)?;
    info.set("pid", std::process::id())?;
    info.set("argv", argv)?;
    info.set("runtimeVersion", VERSION)?;
    Ok(info)
}

fn limits_reached<'js>(ctx: Ctx<'js>, limits: &Limits) -> Result<Object<'js>> {
    let (turns, memory) = limits.reached();
    let reached = Object::new(ctx)?;
    reached.set("turnsEnded", turns)?;
    reached.set("memoryRefused", memory)?;
    Ok(reached)
}

fn confine<'js>(ctx: Ctx<'js>, host: &SharedHost, needs: &Object<'_>) -> Result<Object<'js>> {
    let texts = |name: &str| -> Result<Vec<String>> { Ok(needs.get::<_, Vec<Text>>(name)?.into_iter().map(|text| text.0).collect()) };
    let programs = host.borrow_mut().programs.settle(&texts("programs")?);
    let made = sandbox::confine(&Needs { programs, writable: texts("writable")? });
    let lacks = Array::new(ctx.clone())?;
    for (index, (what, why)) in made.lacks.into_iter().enumerate() {
        let lack = Object::new(ctx.clone())?;
        lack.set("what", what)?;
        lack.set("why", why)?;
        lacks.set(index, lack)?;
    }
    let confinement = Object::new(ctx)?;
    confinement.set("holds", made.holds)?;
    confinement.set("lacks", lacks)?;
    Ok(confinement)
}

fn change_user(change: &Object<'_>) -> Result<OrNull<String>> {
    let texts = |name: &str| -> Result<Vec<String>> { Ok(change.get::<_, Vec<Text>>(name)?.into_iter().map(|text| text.0).collect()) };
    let user = id_of(change.get("user")?) as u32;
    Ok(OrNull(own_user::become_own_user(user, &texts("owns")?, &texts("groupsOf")?).err()))
}

fn hear_signals(host: &SharedHost, names: &[Text]) {
    for name in names {
        if let Err(reason) = host.borrow_mut().signals.hear(&name.0) {
            log_line("error", &reason);
        }
    }
}

fn exec(host: &SharedHost, id: u64, argv: Vec<Text>, limits: &Object<'_>) -> Result<()> {
    let argv: Vec<String> = argv.into_iter().map(|text| text.0).collect();
    let ms = |name: &str| limits.get::<_, f64>(name).map(|ms| Duration::from_millis(id_of(ms)));
    let limits = match limits.get::<_, String>("mode")?.as_str() {
        "stream" => ProgramLimits::Stream { silence: ms("silenceMs")? },
        _ => ProgramLimits::Whole { deadline: ms("deadlineMs")?, max_output_bytes: limit_of(limits.get("maxOutputBytes")?) },
    };
    let mut host = host.borrow_mut();
    if let Err(reason) = host.programs.start(id, &argv, limits) {
        host.known.push(Event::Exec { id, step: ExecStep::Failed(reason) });
    }
    Ok(())
}
