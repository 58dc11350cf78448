//! Events from the loop to the script: `RuntimeEvents` in `agent/src/runtime/runtime.ts`.

/// Name and value of an HTTP header.
pub type Header = (String, String);

/// One event. Ids are the script's own.
pub enum Event {
    /// A timer ran out.
    Timer { id: u64 },
    /// Files that may wait for a device, in the order of their paths.
    SlowTexts { id: u64, texts: Vec<SlowText> },
    /// A step of a request.
    Http { id: u64, step: HttpStep },
    /// Results of many requests, in the order of their paths.
    HttpMembers { id: u64, answers: Vec<MembersAnswer> },
    /// Something happened on a raw unix socket.
    Stream { id: u64, step: StreamStep },
    /// Something happened with a program.
    Exec { id: u64, step: ExecStep },
    /// A WebSocket is open.
    WsOpen { id: u64 },
    /// A binary message came.
    WsMessage { id: u64, data: Vec<u8> },
    /// A WebSocket is over, or never was.
    WsClose { id: u64, end: WsEnd },
    /// A hub's channel, with all of its input so far.
    Ssh { request: u64, identification: String, input: Vec<u8>, ended: bool },
    /// The SSH server's own state.
    SshServer(SshState),
    /// A signal that the script subscribed to.
    Signal(&'static str),
}

/// See `SlowText` of the script.
#[derive(Default)]
pub struct SlowText {
    pub text: Option<Vec<u8>>,
    /// Zero for one that was not begun.
    pub took: std::time::Duration,
}

/// See `HttpEvent`; a request ends with `Answer`, `End` or `Failed`.
pub enum HttpStep {
    /// The whole response.
    Answer { status: u16, headers: Vec<Header>, body: Vec<u8> },
    /// The head of a streamed response.
    Head { status: u16, headers: Vec<Header> },
    /// A piece of a streamed response.
    Piece(Vec<u8>),
    /// The end of a streamed response; `cut` when it was longer than allowed.
    End { cut: bool },
    /// The request failed, with the reason.
    Failed(String),
}

/// See `MembersAnswer`.
pub struct MembersAnswer {
    pub outcome: MembersOutcome,
    /// By the monotonic clock.
    pub ended_at_ms: f64,
}

/// Result of one request.
pub enum MembersOutcome {
    /// The wanted members of the body.
    Members { values: Vec<Member> },
    /// Another status than 200.
    Refused { status: u16 },
    /// No response, or one that is not JSON.
    Failed(String),
}

/// See `Member`.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// Nothing is there, or neither number nor text.
    Absent,
    /// As `JSON.parse` reads it.
    Number(f64),
    /// Escapes decoded.
    Text(String),
    /// The values of all members or entries that `*` matched.
    List(Vec<Member>),
}

/// See `StreamEvent`.
pub enum StreamStep {
    /// Connected.
    Open,
    /// Bytes came.
    Data(Vec<u8>),
    /// Over, with the reason.
    Closed(String),
}

/// See `ExecEvent`.
pub enum ExecStep {
    /// Streamed output.
    Piece(Vec<u8>),
    /// The program ended by itself.
    Exited { code: i32, output: Vec<u8> },
    /// It could not be run, or was killed.
    Failed(String),
}

/// See `WsEnd`.
pub enum WsEnd {
    /// An HTTP response instead of an upgrade.
    Refused { status: u16, body: String },
    /// There never was a connection.
    Failed { reason: String, name_not_found: bool },
    /// It ended.
    Closed { code: u16, reason: String },
}

/// See `SshServerEvent`.
pub enum SshState {
    /// Waiting for hubs; the port when it is one.
    Listening { port: Option<u16> },
    /// Cannot wait for hubs.
    Failed { reason: String, address_in_use: bool },
    /// Somebody came whose key is not let in.
    Refused { client: String },
}
