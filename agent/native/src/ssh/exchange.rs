//! Stages of a key exchange, from the first KEXINIT of either side to the client's NEWKEYS.

use super::host_key::HostKey;
use super::key_exchange::{Secrets, Transcript, agree, answer, extensions, our_init};
use super::messages::*;
use super::packets::KEY_BYTES;
use super::wire::{Malformed, Reader};

#[derive(Default)]
enum Stage {
    /// No exchange is in progress.
    #[default]
    Idle,
    /// This side sent its KEXINIT. The client may still send other messages before its own.
    Offered(Vec<u8>),
    /// Both KEXINITs are exchanged; the client's public key comes next.
    Opened { client_init: Vec<u8>, server_init: Vec<u8>, skips_next: bool },
    /// This side sent NEWKEYS; the client's NEWKEYS comes next.
    Answered(Secrets),
}

/// Action after a message of the key exchange.
pub enum Step {
    /// Nothing to do yet.
    Wait,
    /// Send this side's KEXINIT.
    Open(Vec<u8>),
    /// The sides have no common algorithm. This side's KEXINIT must still be sent if it was not, so that the client learns the algorithms.
    Refuse(Option<Vec<u8>>),
    /// Send the reply and NEWKEYS, then use `key` for sending, then send the extensions.
    Answer { reply: Vec<u8>, key: [u8; KEY_BYTES], extensions: Option<Vec<u8>> },
    /// The exchange is complete: use `key` for receiving.
    Finish { key: [u8; KEY_BYTES] },
}

/// Identification strings of both sides, which the exchange hash covers, and the host key.
pub struct Sides<'a> {
    pub client: &'a str,
    pub server: &'a str,
    pub host_key: &'a HostKey,
}

/// Key exchanges of one connection.
#[derive(Default)]
pub struct Exchange {
    stage: Stage,
    /// Session id: hash of the first exchange. Empty before.
    session: Vec<u8>,
    hears_extensions: bool,
}

impl Exchange {
    /// Returns the session id, which the client's signature covers.
    pub fn session(&self) -> &[u8] {
        &self.session
    }

    /// True from the start to the end of an exchange; only its messages are sent then.
    pub const fn is_under_way(&self) -> bool {
        !matches!(self.stage, Stage::Idle)
    }

    /// True after the client's KEXINIT. Until the end, the client may send only messages of the exchange, RFC 4253 section 7.1.
    pub const fn binds_client(&self) -> bool {
        matches!(self.stage, Stage::Opened { .. } | Stage::Answered(_))
    }

    /// Starts an exchange from this side. Returns the KEXINIT to send; `None` when an exchange is already in progress.
    pub fn offer(&mut self) -> Result<Option<Vec<u8>>, Malformed> {
        if self.is_under_way() {
            return Ok(None);
        }
        let init = our_init()?;
        self.stage = Stage::Offered(init.clone());
        Ok(Some(init))
    }

    /// Handles KEXINIT, NEWKEYS, or a message with a number from 30 to 49.
    pub fn receive(&mut self, message: &[u8], sides: &Sides<'_>) -> Result<Step, Malformed> {
        match (message[0], std::mem::take(&mut self.stage)) {
            (KEXINIT, Stage::Idle) => self.open(message, our_init()?, true),
            (KEXINIT, Stage::Offered(init)) => self.open(message, init, false),
            (KEX_METHOD_FIRST..=KEX_METHOD_LAST, Stage::Opened { client_init, server_init, skips_next: true }) => {
                self.stage = Stage::Opened { client_init, server_init, skips_next: false };
                Ok(Step::Wait)
            }
            (KEX_ECDH_INIT, Stage::Opened { client_init, server_init, .. }) => {
                let transcript = Transcript {
                    client_identification: sides.client.as_bytes(),
                    server_identification: sides.server.as_bytes(),
                    client_init: &client_init,
                    server_init: &server_init,
                };
                let mut reader = Reader::of(&message[1..]);
                let client_public = reader.string()?;
                reader.end()?;
                Ok(self.answer(answer(&transcript, client_public, sides.host_key)?))
            }
            (NEWKEYS, Stage::Answered(secrets)) if message.len() == 1 => Ok(Step::Finish { key: secrets.key(b'C', &self.session) }),
            _ => Err(Malformed),
        }
    }

    fn open(&mut self, client_init: &[u8], server_init: Vec<u8>, is_unsent: bool) -> Result<Step, Malformed> {
        let Some(agreed) = agree(client_init, self.session.is_empty())? else {
            return Ok(Step::Refuse(is_unsent.then_some(server_init)));
        };
        self.hears_extensions = agreed.hears_extensions;
        let step = if is_unsent { Step::Open(server_init.clone()) } else { Step::Wait };
        self.stage = Stage::Opened { client_init: client_init.to_vec(), server_init, skips_next: agreed.skips_next };
        Ok(step)
    }

    fn answer(&mut self, mut secrets: Secrets) -> Step {
        let is_first = self.session.is_empty();
        if is_first {
            self.session.clone_from(&secrets.exchange_hash);
        }
        let (reply, key) = (std::mem::take(&mut secrets.reply), secrets.key(b'D', &self.session));
        self.stage = Stage::Answered(secrets);
        Step::Answer { reply, key, extensions: (is_first && self.hears_extensions).then(extensions) }
    }
}
