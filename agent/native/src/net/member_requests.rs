//! Many requests to one server, with selected members of their JSON responses, `MembersRequest` of the script.

use super::http_request::{Request, Target};
use super::json_members::Wanted;
use crate::event::{Header, HttpStep, MembersAnswer, MembersOutcome};
use crate::machine::clock::monotonic_ms;
use std::time::{Duration, Instant};

/// Description of the requests by the script.
pub struct MembersRequest {
    pub to: Target,
    pub headers: Vec<Header>,
    pub paths: Vec<String>,
    pub members: Vec<String>,
    pub at_once: usize,
    pub max_bytes: usize,
    /// Timeout of each request, from its start.
    pub deadline: Duration,
    /// Timeout of all requests together.
    pub total: Duration,
}

/// State of an `httpMembers` call: requests in progress, queued and completed.
pub struct MemberRequests {
    request: MembersRequest,
    wanted: Wanted,
    next: usize,
    under_way: usize,
    answers: Vec<Option<MembersAnswer>>,
    pub deadline: Instant,
}

impl MemberRequests {
    pub fn new(request: MembersRequest) -> Self {
        let wanted = Wanted::new(request.members.iter().map(String::as_str));
        let answers = request.paths.iter().map(|_| None).collect();
        let deadline = Instant::now() + request.total;
        Self { request, wanted, next: 0, under_way: 0, answers, deadline }
    }

    /// Returns the next request to start, and its index; `None` at the limit of concurrent requests, after the last one, or when it is too
    /// late.
    pub fn begin(&mut self) -> Option<(usize, Request)> {
        if self.under_way >= self.request.at_once || Instant::now() >= self.deadline {
            return None;
        }
        let path = self.request.paths.get(self.next)?;
        let request = Request {
            to: self.request.to.clone(),
            method: "GET".into(),
            path: path.clone(),
            headers: self.request.headers.clone(),
            body: None,
            max_bytes: self.request.max_bytes,
            deadline: self.request.deadline,
            is_streamed: false,
        };
        self.next += 1;
        self.under_way += 1;
        Some((self.next - 1, request))
    }

    /// Stores the end of the request at an index.
    pub fn take(&mut self, place: usize, step: HttpStep) {
        self.under_way -= 1;
        let outcome = match step {
            HttpStep::Answer { status: 200, body, .. } => match self.wanted.find(&body) {
                Some(values) => MembersOutcome::Members { values },
                None => MembersOutcome::Failed("the answer is not JSON".into()),
            },
            HttpStep::Answer { status, .. } => MembersOutcome::Refused { status },
            HttpStep::Failed(reason) => MembersOutcome::Failed(reason),
            HttpStep::Head { .. } | HttpStep::Piece(_) | HttpStep::End { .. } => MembersOutcome::Failed("the answer came in pieces".into()),
        };
        self.answers[place] = Some(MembersAnswer { outcome, ended_at_ms: monotonic_ms() });
    }

    /// True when all requests have ended or the time is over.
    pub fn is_over(&self, now: Instant) -> bool {
        now >= self.deadline || (self.under_way == 0 && self.next == self.answers.len())
    }

    /// Returns the results in the order of the paths. Requests without a response have failed.
    pub fn into_answers(self) -> Vec<MembersAnswer> {
        let reason = format!("no answer within {} ms", self.request.total.as_millis());
        let ended_at_ms = monotonic_ms();
        let late = || MembersAnswer { outcome: MembersOutcome::Failed(reason.clone()), ended_at_ms };
        self.answers.into_iter().map(|answer| answer.unwrap_or_else(late)).collect()
    }
}
