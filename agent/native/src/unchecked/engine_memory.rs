//! The two places where the engine's memory is touched directly.

use rquickjs::{Ctx, Module, Promise, Result, TypedArray};

/// Begins to run the script; the promise is its end.
pub fn evaluate<'js>(ctx: &Ctx<'js>) -> Result<Promise<'js>> {
    let (_, promise) = load(ctx)?.eval()?;
    Ok(promise)
}

fn load<'js>(ctx: &Ctx<'js>) -> Result<Module<'js>> {
    let bytecode = include_bytes!(concat!(env!("OUT_DIR"), "/agent.bytecode"));
    // SAFETY: the bytes were written by this version of the engine when this program was built.
    unsafe { Module::load(ctx.clone(), bytecode) }
}

/// A copy of the array's bytes; none of a buffer that was given away.
pub fn bytes_of(array: &TypedArray<'_, u8>) -> Vec<u8> {
    // SAFETY: no script runs while the slice is copied.
    unsafe { array.as_bytes() }.unwrap_or_default().to_vec()
}
