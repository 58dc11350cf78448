//! Functions of the runtime for connections: HTTP requests, raw sockets, WebSockets, the SSH server.

use super::SharedHost;
use super::values::{Bytes, Headers, OrNull, Text, id_of, limit_of};
use crate::event::{Event, HttpStep, StreamStep};
use crate::net::http_request::{Request, Target};
use crate::net::member_requests::MembersRequest;
use crate::net::websockets;
use crate::ssh::options::{Address, AuthorisedKey, Options};
use rquickjs::function::Func;
use rquickjs::{Array, Object, Result};
use std::rc::Rc;
use std::time::Duration;

/// Sets the functions on the runtime object.
pub fn offer(runtime: &Object<'_>, host: &SharedHost) -> Result<()> {
    let of = Rc::clone(host);
    runtime.set("http", Func::from(move |id: f64, request: Object<'_>| http(&of, id_of(id), &request)))?;
    let of = Rc::clone(host);
    runtime.set("httpMembers", Func::from(move |id: f64, request: Object<'_>| http_members(&of, id_of(id), &request)))?;
    let of = Rc::clone(host);
    runtime.set("streamOpen", Func::from(move |id: f64, path: Text| stream_open(&of, id_of(id), &path.0)))?;
    let of = Rc::clone(host);
    runtime.set("streamWrite", Func::from(move |id: f64, data: Bytes| of.borrow_mut().streams.write(id_of(id), &data.0)))?;
    let of = Rc::clone(host);
    runtime.set("streamClose", Func::from(move |id: f64| stream_close(&of, id_of(id))))?;
    let of = Rc::clone(host);
    runtime.set(
        "wsOpen",
        Func::from(move |id: f64, url: Text, headers: Headers, options: Object<'_>| ws_open(&of, id_of(id), url, headers, &options)),
    )?;
    let of = Rc::clone(host);
    runtime.set("wsSend", Func::from(move |id: f64, data: Bytes| of.borrow_mut().websockets.send(id_of(id), data.0)))?;
    let of = Rc::clone(host);
    runtime.set("wsClose", Func::from(move |id: f64, code: u16| of.borrow_mut().websockets.close(id_of(id), code)))?;
    let of = Rc::clone(host);
    runtime.set("sshListen", Func::from(move |options: Object<'_>| ssh_listen(&of, &options)))?;
    let of = Rc::clone(host);
    runtime.set(
        "sshReply",
        Func::from(move |request: f64, data: Bytes, status: u32| of.borrow_mut().ssh.reply(id_of(request), data.0, status)),
    )?;
    let of = Rc::clone(host);
    runtime.set("sshClose", Func::from(move || of.borrow_mut().ssh.close()))
}

fn milliseconds(of: &Object<'_>, name: &str) -> Result<Duration> {
    Ok(Duration::from_millis(id_of(of.get(name)?)))
}

fn target(request: &Object<'_>) -> Result<Target> {
    let to: Object<'_> = request.get("to")?;
    Ok(match to.get::<_, String>("kind")?.as_str() {
        "unix" => Target::Unix(to.get::<_, Text>("path")?.0),
        _ => Target::Origin(to.get::<_, Text>("origin")?.0),
    })
}

fn http(host: &SharedHost, id: u64, request: &Object<'_>) -> Result<()> {
    let request = Request {
        to: target(request)?,
        method: request.get::<_, Text>("method")?.0,
        path: request.get::<_, Text>("path")?.0,
        headers: request.get::<_, Headers>("headers")?.0,
        body: request.get::<_, Option<Bytes>>("body")?.map(|body| body.0),
        max_bytes: limit_of(request.get("maxBytes")?),
        deadline: milliseconds(request, "deadlineMs")?,
        is_streamed: request.get::<_, Option<bool>>("stream")?.unwrap_or(false),
    };
    let mut host = host.borrow_mut();
    if let Err(reason) = host.http.start(id, request) {
        host.known.push(Event::Http { id, step: HttpStep::Failed(reason) });
    }
    Ok(())
}

fn http_members(host: &SharedHost, id: u64, request: &Object<'_>) -> Result<()> {
    let request = MembersRequest {
        to: target(request)?,
        headers: request.get::<_, Headers>("headers")?.0,
        paths: texts(request, "paths")?,
        members: texts(request, "members")?,
        at_once: limit_of(request.get("atOnce")?),
        max_bytes: limit_of(request.get("maxBytes")?),
        deadline: milliseconds(request, "deadlineMs")?,
        total: milliseconds(request, "totalMs")?,
    };
    let mut host = host.borrow_mut();
    if let Some(answers) = host.http.start_members(id, request) {
        host.known.push(Event::HttpMembers { id, answers });
    }
    Ok(())
}

fn texts(of: &Object<'_>, name: &str) -> Result<Vec<String>> {
    of.get::<_, Array<'_>>(name)?.iter::<Text>().map(|text| Ok(text?.0)).collect()
}

fn stream_open(host: &SharedHost, id: u64, path: &str) {
    let mut host = host.borrow_mut();
    let step = host.streams.open(id, path);
    host.known.push(Event::Stream { id, step });
}

fn stream_close(host: &SharedHost, id: u64) {
    let mut host = host.borrow_mut();
    if host.streams.close(id) {
        host.known.push(Event::Stream { id, step: StreamStep::Closed("closed".into()) });
    }
}

fn ws_open(host: &SharedHost, id: u64, url: Text, headers: Headers, options: &Object<'_>) -> Result<()> {
    let options = websockets::Options {
        connect_deadline: milliseconds(options, "connectDeadlineMs")?,
        max_message_bytes: limit_of(options.get("maxMessageBytes")?),
        proxy: options.get::<_, Option<Text>>("proxy")?.map(|proxy| proxy.0),
        certificate: options.get::<_, Option<Text>>("certificateSha256")?.map(|digits| digits.0),
        silence: milliseconds(options, "silenceMs")?,
    };
    host.borrow_mut().websockets.start(id, url.0, headers.0, options);
    Ok(())
}

fn ssh_listen(host: &SharedHost, options: &Object<'_>) -> Result<OrNull<String>> {
    let address: Object<'_> = options.get("address")?;
    let address = match address.get::<_, String>("kind")?.as_str() {
        "unix" => Address::Unix(address.get::<_, Text>("path")?.0),
        _ => Address::Tcp {
            host: address.get::<_, Option<Text>>("host")?.map(|host| host.0),
            port: address.get("port")?,
            is_ipv6_only: address.get::<_, Option<bool>>("ipv6Only")?.unwrap_or(false),
        },
    };
    let mut keys = Vec::new();
    for key in options.get::<_, Array<'_>>("authorisedKeys")?.iter::<Object<'_>>() {
        let key = key?;
        keys.push(AuthorisedKey { algorithm: key.get::<_, Text>("algorithm")?.0, blob: key.get::<_, Bytes>("blob")?.0 });
    }
    let options = Options {
        address,
        identification: options.get::<_, Text>("identification")?.0,
        host_key_path: options.get::<_, Option<Text>>("hostKeyPath")?.map(|path| path.0),
        authorised_keys: keys,
        max_request_bytes: limit_of(options.get("maxRequestBytes")?),
        silence: milliseconds(options, "silenceMs")?,
    };
    let mut host = host.borrow_mut();
    match host.ssh.listen(options) {
        Ok(state) => {
            host.known.push(Event::SshServer(state));
            Ok(OrNull(None))
        }
        Err(reason) => Ok(OrNull(Some(reason))),
    }
}
