//! Functions of the runtime for counter files.

use super::SharedHost;
use super::values::{OrNull, Text, id_of, limit_of};
use crate::machine::counters::{File, Numbers, Place};
use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object, Result};
use std::rc::Rc;

/// Sets the functions on the runtime object.
pub fn offer<'js>(runtime: &Object<'js>, host: &SharedHost) -> Result<()> {
    let of = Rc::clone(host);
    runtime.set("countersOpen", Func::from(move |id: f64, wanted: Object<'_>| open(&of, id_of(id), &wanted)))?;
    let of = Rc::clone(host);
    runtime.set("countersRead", Func::from(move |ctx: Ctx<'js>, ids: Array<'js>| read(ctx, &of, &ids)))?;
    let of = Rc::clone(host);
    runtime.set("countersClose", Func::from(move |id: f64| of.borrow_mut().counters.close(id_of(id))))
}

fn open(host: &SharedHost, id: u64, wanted: &Object<'_>) -> Result<bool> {
    let folder: Text = wanted.get("processFolder")?;
    let files = wanted.get::<_, Array<'_>>("files")?.iter::<Object<'_>>().map(|file| file_of(&file?)).collect::<Result<_>>()?;
    Ok(host.borrow_mut().counters.open(id, &folder.0, files))
}

fn file_of(file: &Object<'_>) -> Result<File> {
    let place_of = |place: &Object<'_>| Ok(Place { after: place.get::<_, Text>("after")?.0, offset: limit_of(place.get("offset")?) });
    let wanted = file.get::<_, Array<'_>>("wanted")?.iter::<Object<'_>>().map(|place| place_of(&place?)).collect::<Result<_>>()?;
    Ok(File { path: file.get::<_, Text>("path")?.0, wanted })
}

fn read<'js>(ctx: Ctx<'js>, host: &SharedHost, ids: &Array<'js>) -> Result<Array<'js>> {
    let sets = Array::new(ctx.clone())?;
    for (place, id) in ids.iter::<f64>().enumerate() {
        let numbers = host.borrow_mut().counters.read(id_of(id?));
        sets.set(place, OrNull(numbers.map(|numbers| list_of(&ctx, numbers)).transpose()?))?;
    }
    Ok(sets)
}

fn list_of<'js>(ctx: &Ctx<'js>, numbers: Numbers) -> Result<Array<'js>> {
    let list = Array::new(ctx.clone())?;
    for (place, number) in numbers.into_iter().enumerate() {
        list.set(place, OrNull(number))?;
    }
    Ok(list)
}
