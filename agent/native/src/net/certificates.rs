//! Whom TLS trusts: the system's authorities and, where it has none, those that come with this program.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Where systems keep them, the first that has any counts. An environment name as of OpenSSL goes first.
const FILES: [&str; 6] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

/// Read anew for every connection: authorities come and go while an agent runs for a year, and their memory is not kept.
pub fn trusted() -> RootCertStore {
    let named = std::env::var("SSL_CERT_FILE").ok();
    let mut store = RootCertStore::empty();
    for path in named.iter().map(String::as_str).chain(FILES) {
        let Ok(certificates) = CertificateDer::pem_file_iter(path) else { continue };
        // One that cannot be read leaves the others.
        store.add_parsable_certificates(certificates.flatten());
        if !store.is_empty() {
            return store;
        }
    }
    store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    store
}
