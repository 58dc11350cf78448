//! HTTP request as the script describes it, and its encoding (RFC 9112).

use super::http_url::Url;
use crate::event::Header;
use std::time::Duration;

/// Destination of a request.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// Path of a unix socket.
    Unix(String),
    /// Origin: `http://host:port` or `https://host:port`.
    Origin(String),
}

/// HTTP request, `HttpRequest` of the script.
pub struct Request {
    pub to: Target,
    pub method: String,
    pub path: String,
    pub headers: Vec<Header>,
    pub body: Option<Vec<u8>>,
    pub max_bytes: usize,
    pub deadline: Duration,
    pub is_streamed: bool,
}

impl Request {
    /// Encodes head and body; `None` when a part contains characters that could inject a header line.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let is_method = !self.method.is_empty() && self.method.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_target = self.path.starts_with('/') && self.path.bytes().all(|byte| (0x21..0x7f).contains(&byte));
        let is_plain = |text: &str| text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        if !is_method || !is_target || !self.headers.iter().all(|(name, value)| is_plain(name) && is_plain(value)) {
            return None;
        }
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        // HTTP/1.1 requires a Host header, also over a unix socket.
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.host()?));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = &self.body {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        Some(bytes)
    }

    fn host(&self) -> Option<String> {
        match &self.to {
            Target::Unix(_) => Some("localhost".into()),
            Target::Origin(origin) => Url::parse(origin).ok().map(|url| url.host_header()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, header: &str) -> Request {
        Request {
            to: Target::Unix("/run/x.sock".into()),
            method: "GET".into(),
            path: path.into(),
            headers: vec![("X-A".into(), header.into())],
            body: Some(b"hi".to_vec()),
            max_bytes: 1,
            deadline: Duration::from_secs(1),
            is_streamed: false,
        }
    }

    #[test]
    fn bytes_writes_head_and_body() {
        let text = String::from_utf8(request("/v1/x?y=%20", "b").bytes().unwrap()).unwrap();
        assert_eq!(text, "GET /v1/x?y=%20 HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\nContent-Length: 2\r\n\r\nhi");
    }

    #[test]
    fn bytes_refuses_what_could_smuggle_a_line() {
        for (path, header) in [("/a b", "x"), ("/a\r\nX: y", "x"), ("a", "x"), ("/", "x\r\nY: z"), ("/", "\u{fc}")] {
            assert!(request(path, header).bytes().is_none(), "{path} {header}");
        }
    }
}
