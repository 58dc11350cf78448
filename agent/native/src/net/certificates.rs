//! Trusted TLS certificates: the system's authorities, else those built into this program, and those in the file that `NODE_EXTRA_CA_CERTS`
//! names, as for the agent on Node.

use data_encoding::HEXLOWER;
use ring::digest::{SHA256, digest};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;

/// SHA-256 of a certificate.
pub type Digest = [u8; 32];

/// Parses a certificate digest of 64 lower-case hexadecimal digits.
pub fn digest_of(digits: &str) -> Result<Digest, String> {
    let bytes = HEXLOWER.decode(digits.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| "the digest of the certificate cannot be used".into())
}

/// Paths of the system's authorities; the first file with certificates counts. `SSL_CERT_FILE`, as in OpenSSL, has precedence.
const FILES: [&str; 6] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

/// Verifier of server certificates. It accepts certificates of trusted authorities, and those listed themselves as trusted. The latter may
/// be self-signed, such as by `openssl req -x509`, and would otherwise be refused.
#[derive(Debug)]
pub struct Trust {
    authorities: Arc<WebPkiServerVerifier>,
    named: Vec<CertificateDer<'static>>,
    /// Digest of the pinned certificate. Its issuer, name and expiry are not checked.
    only: Option<Digest>,
}

impl Trust {
    /// Loads the trusted certificates for one connection. They are not cached, because they change during a year and need memory.
    pub fn now(only: Option<Digest>) -> Result<Self, String> {
        let named = std::env::var("NODE_EXTRA_CA_CERTS").map_or_else(|_| Vec::new(), |path| certificates_in(&path));
        let mut store = system_store();
        store.add_parsable_certificates(named.iter().cloned());
        let authorities = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::new(default_provider())).build();
        Ok(Self { authorities: authorities.map_err(|error| error.to_string())?, named, only })
    }
}

fn system_store() -> RootCertStore {
    let given = std::env::var("SSL_CERT_FILE").ok();
    let mut store = RootCertStore::empty();
    for path in given.iter().map(String::as_str).chain(FILES) {
        // An unreadable certificate does not affect the others.
        store.add_parsable_certificates(certificates_in(path));
        if !store.is_empty() {
            return store;
        }
    }
    store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    store
}

fn certificates_in(path: &str) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_file_iter(path).map_or_else(|_| Vec::new(), |found| found.flatten().collect())
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(only) = self.only {
            let is_it = digest(&SHA256, certificate).as_ref() == only;
            return if is_it { Ok(ServerCertVerified::assertion()) } else { Err(CertificateError::ApplicationVerificationFailure.into()) };
        }
        if self.named.iter().any(|named| named == certificate) {
            verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
            return Ok(ServerCertVerified::assertion());
        }
        self.authorities.verify_server_cert(certificate, intermediates, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}
