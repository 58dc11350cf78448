//! Functions of the runtime for files.

use super::SharedHost;
use super::values::{Bytes, OrNull, Text, id_of, limit_of, text_from};
use crate::machine::files::{self, DEFAULT_MAX_BYTES, FileFacts};
use crate::machine::filesystem_sizes::FilesystemFacts;
use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Object, Result, String as JsString};
use std::rc::Rc;
use std::time::Duration;

/// Sets the functions on the runtime object.
pub fn offer<'js>(runtime: &Object<'js>, host: &SharedHost) -> Result<()> {
    let of = Rc::clone(host);
    runtime.set("readText", Func::from(move |ctx: Ctx<'js>, path: Text, max: Opt<f64>| read_text(ctx, &of, &path.0, max)))?;
    let of = Rc::clone(host);
    runtime.set(
        "readBytes",
        Func::from(move |path: Text, max: Opt<f64>| {
            OrNull(of.borrow_mut().files.read(&path.0, most(max)).map(|bytes| Bytes(bytes.to_vec())))
        }),
    )?;
    let of = Rc::clone(host);
    runtime.set(
        "readSlow",
        Func::from(move |id: f64, paths: Vec<Text>, limits: Object<'js>| -> Result<()> {
            let deadline = Duration::from_millis(id_of(limits.get("deadlineMs")?));
            let paths = paths.into_iter().map(|path| path.0).collect();
            of.borrow_mut().slow_reads.read(id_of(id), paths, limit_of(limits.get("maxBytes")?), deadline);
            Ok(())
        }),
    )?;
    runtime.set("readLink", Func::from(|path: Text| OrNull(files::read_link(&path.0))))?;
    runtime.set("listDir", Func::from(|path: Text| OrNull(files::list_dir(&path.0))))?;
    runtime.set("stat", Func::from(stat))?;
    let of = Rc::clone(host);
    runtime.set("statfs", Func::from(move |ctx: Ctx<'js>, path: Text| statfs(ctx, &of, &path.0)))?;
    runtime.set("writeFile", Func::from(|path: Text, data: Bytes, mode: u32| OrNull(files::write_file(&path.0, &data.0, mode).err())))?;
    runtime.set("remove", Func::from(|path: Text| OrNull(files::remove(&path.0).err())))
}

fn most(max: Opt<f64>) -> usize {
    max.0.map_or(DEFAULT_MAX_BYTES, limit_of)
}

fn read_text<'js>(ctx: Ctx<'js>, host: &SharedHost, path: &str, max: Opt<f64>) -> Result<OrNull<JsString<'js>>> {
    Ok(OrNull(host.borrow_mut().files.read(path, most(max)).map(|bytes| text_from(&ctx, bytes)).transpose()?))
}

fn stat(ctx: Ctx<'_>, path: Text) -> Result<OrNull<Object<'_>>> {
    let Some(FileFacts { kind, size_bytes, modified_ms, mode, owner }) = files::stat(&path.0) else { return Ok(OrNull(None)) };
    let facts = Object::new(ctx)?;
    facts.set("kind", kind)?;
    facts.set("sizeBytes", size_bytes)?;
    facts.set("modifiedMs", modified_ms)?;
    facts.set("mode", mode)?;
    facts.set("owner", owner)?;
    Ok(OrNull(Some(facts)))
}

fn statfs<'js>(ctx: Ctx<'js>, host: &SharedHost, path: &str) -> Result<OrNull<Object<'js>>> {
    let Some(FilesystemFacts { total_bytes, free_bytes, available_bytes, inodes }) = host.borrow_mut().sizes.of(path) else {
        return Ok(OrNull(None));
    };
    let facts = Object::new(ctx)?;
    facts.set("totalBytes", total_bytes)?;
    facts.set("freeBytes", free_bytes)?;
    facts.set("availableBytes", available_bytes)?;
    if let Some((total, free)) = inodes {
        facts.set("totalInodes", total)?;
        facts.set("freeInodes", free)?;
    }
    Ok(OrNull(Some(facts)))
}
