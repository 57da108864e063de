//! TLS as a database is spoken to: the server proves who it is, or there is no connection.

use super::settings::{Roots, Tls};
use anyhow::{Context, Result, bail};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What connects; where TLS is off it is never used.
pub fn connector(tls: &Tls) -> Result<MakeRustlsConnect> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    let config = match tls {
        Tls::Off => builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        Tls::Verified { roots, client } => {
            let builder = builder.with_root_certificates(trusted(roots)?);
            match client {
                None => builder.with_no_client_auth(),
                Some((certificate, key)) => {
                    let key = PrivateKeyDer::from_pem_file(key)
                        .with_context(|| format!("cannot read the key in {}", key.display()))?;
                    builder.with_client_auth_cert(certificates(certificate)?, key)?
                }
            }
        }
    };
    Ok(MakeRustlsConnect::new(config))
}

fn trusted(roots: &Roots) -> Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    match roots {
        Roots::File(path) => {
            for certificate in certificates(path)? {
                store.add(certificate).with_context(|| format!("a certificate in {} is broken", path.display()))?;
            }
        }
        Roots::System => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if store.is_empty() {
                bail!("this machine has no certificates that it trusts; name some with sslrootcert=FILE");
            }
        }
    }
    Ok(store)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let cannot = || format!("cannot read the certificates in {}", path.display());
    let found: Vec<_> =
        CertificateDer::pem_file_iter(path).with_context(cannot)?.collect::<Result<_, _>>().with_context(cannot)?;
    if found.is_empty() {
        bail!("there is no certificate in {}", path.display());
    }
    Ok(found)
}
