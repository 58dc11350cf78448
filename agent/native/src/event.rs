//! Events from the loop to the script: `RuntimeEvents` in `agent/src/runtime/runtime.ts`.

/// Name and value of an HTTP header.
pub type Header = (String, String);

/// Event for the script. Ids are those that the script chose.
pub enum Event {
    /// A timer fired.
    Timer { id: u64 },
    /// Results of a slow read, in the order of its paths.
    SlowTexts { id: u64, texts: Vec<SlowText> },
    /// Progress or end of an HTTP request.
    Http { id: u64, step: HttpStep },
    /// Results of an `httpMembers` call, in the order of its paths.
    HttpMembers { id: u64, answers: Vec<MembersAnswer> },
    /// Progress or end of a raw unix socket.
    Stream { id: u64, step: StreamStep },
    /// Output or end of a program.
    Exec { id: u64, step: ExecStep },
    /// A WebSocket is open.
    WsOpen { id: u64 },
    /// A WebSocket received a binary message.
    WsMessage { id: u64, data: Vec<u8> },
    /// A WebSocket has ended, or could not be opened.
    WsClose { id: u64, end: WsEnd },
    /// A hub's SSH channel, with all of its input so far.
    Ssh { request: u64, identification: String, input: Vec<u8>, ended: bool },
    /// A state change of the SSH server.
    SshServer(SshState),
    /// A signal that the script subscribed to.
    Signal(&'static str),
}

/// Result of one slow file read, `SlowText` of the script.
#[derive(Default)]
pub struct SlowText {
    pub text: Option<Vec<u8>>,
    /// Duration of the read; zero if it did not start.
    pub took: std::time::Duration,
}

/// Step of an HTTP request, `HttpEvent` of the script. A request ends with `Answer`, `End` or `Failed`.
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

/// Result of one request of `httpMembers`, `MembersAnswer` of the script.
pub struct MembersAnswer {
    pub outcome: MembersOutcome,
    /// Monotonic time at which the request ended.
    pub ended_at_ms: f64,
}

/// Outcome of one request of `httpMembers`.
pub enum MembersOutcome {
    /// Values of the wanted members of the body.
    Members { values: Vec<Member> },
    /// A status other than 200.
    Refused { status: u16 },
    /// No response, or one that is not JSON.
    Failed(String),
}

/// Value of a wanted JSON member, `Member` of the script.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// The member is missing, or neither number nor text.
    Absent,
    /// A number as `JSON.parse` reads it.
    Number(f64),
    /// A text with decoded escapes.
    Text(String),
    /// Values of all members or entries that `*` matched.
    List(Vec<Member>),
}

/// Step of a unix socket, `StreamEvent` of the script.
pub enum StreamStep {
    /// The socket is connected.
    Open,
    /// Received bytes.
    Data(Vec<u8>),
    /// The socket has closed, with the reason.
    Closed(String),
}

/// Step of a program, `ExecEvent` of the script.
pub enum ExecStep {
    /// Streamed output.
    Piece(Vec<u8>),
    /// The program exited, with its whole output unless it was streamed.
    Exited { code: i32, output: Vec<u8> },
    /// The program could not run, or was killed.
    Failed(String),
}

/// End of a WebSocket, `WsEnd` of the script.
pub enum WsEnd {
    /// The server sent an HTTP response instead of an upgrade.
    Refused { status: u16, body: String },
    /// The connection could not be opened.
    Failed { reason: String, name_not_found: bool },
    /// The open connection has closed.
    Closed { code: u16, reason: String },
}

/// State of the SSH server, `SshServerEvent` of the script.
pub enum SshState {
    /// The server listens; `port` is `None` for a unix socket.
    Listening { port: Option<u16> },
    /// The server cannot listen.
    Failed { reason: String, address_in_use: bool },
    /// A client was refused because its key is not authorised.
    Refused { client: String },
}
