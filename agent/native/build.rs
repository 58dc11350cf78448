//! Compiles the agent's bundle to the engine's bytecode, so that the executable contains no parser and cannot run JavaScript text.

use rquickjs::{Context, Module, Runtime, WriteOptions};
use std::{env, fs, path::Path, process::exit};

fn main() {
    let bundle = env::var("VEDETTE_AGENT_BUNDLE").unwrap_or_else(|_| "dist/vedette-agent.js".into());
    println!("cargo:rerun-if-env-changed=VEDETTE_AGENT_BUNDLE");
    println!("cargo:rerun-if-changed={bundle}");
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    let target = Path::new(&folder).join("agent.bytecode");
    let key = env::var("VEDETTE_RELEASE_KEY").unwrap_or_default();
    println!("cargo:rerun-if-env-changed=VEDETTE_RELEASE_KEY");
    let result = fs::read_to_string(&bundle)
        .map_err(|error| format!("Cannot read \"{bundle}\": {error}"))
        .and_then(|source| compile(&source).map_err(|reason| format!("Cannot compile \"{bundle}\": {reason}")))
        .and_then(|bytecode| fs::write(&target, bytecode).map_err(|error| format!("Cannot write \"{}\": {error}", target.display())))
        .and_then(|()| put_release_key(&key, &Path::new(&folder).join("release-key.pub")));
    if let Err(problem) = result {
        eprintln!("{problem}");
        exit(1);
    }
}

/// Writes the public key of releases, by which the command `update` verifies them, or an empty file without one. `key` is the path of a
/// public key in the minisign format, or empty.
fn put_release_key(key: &str, target: &Path) -> Result<(), String> {
    let text = if key.is_empty() {
        String::new()
    } else {
        println!("cargo:rerun-if-changed={key}");
        fs::read_to_string(key).map_err(|error| format!("Cannot read \"{key}\": {error}"))?
    };
    fs::write(target, text).map_err(|error| format!("Cannot write \"{}\": {error}", target.display()))
}

/// Compiles JavaScript source to bytecode, with line numbers and without the source text. Returns the error's text on failure.
fn compile(source: &str) -> Result<Vec<u8>, String> {
    let runtime = Runtime::new().map_err(|error| error.to_string())?;
    let context = Context::full(&runtime).map_err(|error| error.to_string())?;
    context.with(|ctx| {
        let options = WriteOptions { strip_source: true, ..WriteOptions::default() };
        Module::declare(ctx.clone(), "vedette-agent.js", source).and_then(|module| module.write(options)).map_err(|error| {
            match ctx.catch().as_exception() {
                Some(exception) => exception.to_string(),
                None => error.to_string(),
            }
        })
    })
}
