//! What the loop tells the script: the events of `RuntimeEvents` in `agent/src/runtime.ts`.

/// Of a header: name and value.
pub type Header = (String, String);

/// One event. Ids are the script's own.
pub enum Event {
    /// A timer ran out.
    Timer { id: u64 },
    /// Files that may wait for a device, in the order of their paths.
    SlowTexts { id: u64, texts: Vec<SlowText> },
    /// A step of a request.
    Http { id: u64, step: HttpStep },
    /// Many requests are answered, in the order of their paths.
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
    /// A signal that was asked for.
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
    /// The whole answer.
    Answer { status: u16, headers: Vec<Header>, body: Vec<u8> },
    /// The head of a streamed answer.
    Head { status: u16, headers: Vec<Header> },
    /// A piece of a streamed answer.
    Piece(Vec<u8>),
    /// The end of a streamed answer; `cut` when there was more than allowed.
    End { cut: bool },
    /// Nothing came of it.
    Failed(String),
}

/// See `MembersAnswer`.
pub struct MembersAnswer {
    pub outcome: MembersOutcome,
    /// By the monotonic clock.
    pub ended_at_ms: f64,
}

/// What became of one request.
pub enum MembersOutcome {
    /// What the body has at the wanted places.
    Members { values: Vec<Member> },
    /// Another status than 200.
    Refused { status: u16 },
    /// Nothing came of it.
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
    /// Of each member or entry.
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
    /// An HTTP answer instead of an upgrade.
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
