//! TLS 1.2 and 1.3 client with verified certificates.

use super::certificates::{Digest, Trust};
use super::transport::{Transport, wait_text};
use rustls::client::Resumption;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig, ClientConnection, Error};
use std::sync::Arc;

/// Puts TLS over the transport. `only` is the digest of the pinned certificate. Returns one sentence when the handshake or the verification
/// fails.
pub fn handshake(transport: &mut Transport, host: &str, only: Option<Digest>) -> Result<(), String> {
    let name = ServerName::try_from(host.to_owned()).map_err(|_| format!("\"{host}\" is no name of a server"))?;
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Trust::now(only)?))
        .with_no_client_auth();
    // Not needed: a connection lasts for weeks.
    config.resumption = Resumption::disabled();
    let connection = ClientConnection::new(Arc::new(config), name).map_err(|error| error.to_string())?;
    transport.handshake(connection).map_err(|error| match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(reason) => reason_text(reason, host),
        None => wait_text(&error),
    })
}

fn reason_text(error: &Error, host: &str) -> String {
    match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the server's certificate is signed by no authority this machine trusts".into()
        }
        Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            "the server's certificate has expired".into()
        }
        Error::InvalidCertificate(CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) => {
            "the server's certificate is not valid yet; is this machine's clock right?".into()
        }
        Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure) => {
            "the server's certificate is another than the one of HUB_CERT_SHA256".into()
        }
        Error::InvalidCertificate(CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }) => {
            format!("the server's certificate is not for \"{host}\"")
        }
        Error::InvalidCertificate(CertificateError::Other(other)) if other.to_string().contains("CaUsedAsEndEntity") => {
            "the server's certificate signs itself; name its file in NODE_EXTRA_CA_CERTS, or its digest in HUB_CERT_SHA256, to trust it"
                .into()
        }
        Error::InvalidMessage(_) => "the server does not speak TLS".into(),
        other => format!("TLS: {other}"),
    }
}
