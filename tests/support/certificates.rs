//! Certificates for servers and clients of tests.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

/// One that signs others.
pub fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut of_authority = CertificateParams::new([]).unwrap();
    of_authority.distinguished_name.push(DnType::CommonName, "test authority");
    of_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(of_authority, KeyPair::generate().unwrap()).unwrap()
}
