//! The envelope of an encrypted bundle: a file of age around it, which any age opens.

use super::error::Damage;
use super::key::{self, AskPassphrase, KeyError, KeyTrouble};
use super::reader::Whole;
use super::source::Source;
use super::sums::hex;
use age::{DecryptError, Decryptor, Encryptor, ssh, x25519};
use sha2::{Digest, Sha256};
use ssh_key::LineEnding;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// More than three hundred recipients of any kind take. It bounds what is held before a key was tried.
const MAX_HEADER: usize = 64 << 10;

/// What is decrypted at once, and what that takes in the file.
const CHUNK: u64 = 64 << 10;
const SEALED_CHUNK: u64 = CHUNK + 16;
const NONCE: u64 = 16;

/// To whom a bundle is encrypted. None: it is not.
#[derive(Clone, Debug, Default)]
pub struct Recipients(Vec<Recipient>);

#[derive(Clone, Debug)]
enum Recipient {
    Age(x25519::Recipient),
    Ssh(ssh::Recipient),
}

impl Recipients {
    /// Each is a public key, or a file with public keys.
    pub fn read(given: &[String]) -> Result<Self, KeyError> {
        let mut all = Vec::new();
        for given in given {
            let some = recipients(given).map_err(|trouble| KeyError::new("encrypt to", given, trouble))?;
            all.extend(some);
        }
        Ok(Self(all))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encrypts all of a file, and tells what came of it.
    pub fn encrypt(&self, plain: &mut impl Read, out: &mut impl Write) -> io::Result<Whole> {
        let each = self.0.iter().map(|recipient| match recipient {
            Recipient::Age(recipient) => recipient as &dyn age::Recipient,
            Recipient::Ssh(recipient) => recipient,
        });
        let encryptor = Encryptor::with_recipients(each).map_err(io::Error::other)?;
        let mut encrypted = encryptor.wrap_output(Counted::new(out))?;
        io::copy(plain, &mut encrypted)?;
        Ok(encrypted.finish()?.whole())
    }
}

fn recipients(given: &str) -> key::Result<Vec<Recipient>> {
    let all = key::lines(&key::public_text(given)?).map(recipient).collect::<key::Result<Vec<_>>>()?;
    if all.is_empty() { Err(KeyTrouble::NoKey) } else { Ok(all) }
}

fn recipient(line: &str) -> key::Result<Recipient> {
    use ssh::ParseRecipientKeyError as No;
    let no = |reason: &str| KeyTrouble::NoRecipient { line: line.to_owned(), reason: reason.to_owned() };
    if line.starts_with("age1") {
        return line.parse().map(Recipient::Age).map_err(|_| no("it is no key of age as age-keygen writes it"));
    }
    line.parse().map(Recipient::Ssh).map_err(|error| match error {
        No::RsaModulusTooSmall => no("an RSA key of less than 2048 bits is too weak"),
        No::RsaModulusTooLarge => no("its RSA key is too large"),
        No::Unsupported(_) => no("keys of its kind cannot be encrypted to; ssh-ed25519, ssh-rsa and age1… can"),
        _ => no("it is neither age1… nor a public key of ssh"),
    })
}

/// What opens encrypted bundles.
pub struct Identities(Vec<Box<dyn age::Identity>>);

impl Identities {
    /// Files of age-keygen and private keys of OpenSSH.
    pub fn read<'a>(paths: impl Iterator<Item = &'a Path>, ask: &AskPassphrase<'_>) -> Result<Self, KeyError> {
        let mut all = Vec::new();
        for path in paths {
            let fail = |trouble| KeyError::new("decrypt with", &path.display().to_string(), trouble);
            all.extend(identities(path, ask).map_err(fail)?);
        }
        Ok(Self(all))
    }

    /// Decrypts a bundle into a file without a name, and tells what it was in.
    pub fn decrypt(&self, source: &Source) -> Result<(File, Whole), Damage> {
        let header = Header::of(source)?.ok_or_else(|| Damage::NotABundle("it is not encrypted".to_owned()))?;
        let length = source.file().metadata()?.len();
        let mut sealed = Counted::new(source.cursor());
        let mut file = tempfile::tempfile()?;
        let decryptor = Decryptor::new_buffered(BufReader::with_capacity(CHUNK as usize, &mut sealed));
        let decryptor = decryptor.map_err(|error| header.refused(error))?;
        let identities = self.0.iter().map(|identity| identity.as_ref() as &dyn age::Identity);
        let mut plain = decryptor.decrypt(identities).map_err(|error| header.refused(error))?;
        let mut chunk = vec![0; CHUNK as usize];
        let mut done = 0;
        loop {
            let read = plain.read(&mut chunk).map_err(|error| header.broken(error, done, length))?;
            let Some(read @ [_, ..]) = chunk.get(..read) else { break };
            file.write_all(read)?;
            done += read.len() as u64;
        }
        drop(plain);
        if sealed.bytes != length {
            return Err(Damage::EnvelopeEnd);
        }
        Ok((file, sealed.whole()))
    }
}

fn identities(path: &Path, ask: &AskPassphrase<'_>) -> key::Result<Vec<Box<dyn age::Identity>>> {
    let text = key::read_text(path)?;
    if text.as_bytes().starts_with(MAGIC) {
        return Err(KeyTrouble::Unreadable("it is encrypted itself; decrypt it with age first".to_owned()));
    }
    if text.contains("PRIVATE KEY-----") {
        return Ok(vec![Box::new(ssh_identity(path, &text, ask)?)]);
    }
    let parse = |line: &str| -> key::Result<Box<dyn age::Identity>> {
        if key::is_public(line) {
            return Err(KeyTrouble::Public);
        }
        let identity: x25519::Identity = line.parse().map_err(|_| KeyTrouble::NoKey)?;
        Ok(Box::new(identity))
    };
    let all = key::lines(&text).map(parse).collect::<key::Result<Vec<_>>>()?;
    if all.is_empty() { Err(KeyTrouble::NoKey) } else { Ok(all) }
}

/// Keys in old formats are left to age, which knows those that are not protected.
fn ssh_identity(path: &Path, text: &str, ask: &AskPassphrase<'_>) -> key::Result<ssh::Identity> {
    let unreadable = |reason: String| KeyTrouble::Unreadable(reason);
    let opened;
    let text = match key::private_ssh(path, text, ask) {
        Ok(key) => {
            opened = key.to_openssh(LineEnding::LF).map_err(|error| unreadable(error.to_string()))?;
            opened.as_str()
        }
        Err(KeyTrouble::Unreadable(_)) => text,
        Err(trouble) => return Err(trouble),
    };
    match ssh::Identity::from_buffer(text.as_bytes(), None) {
        Ok(identity @ ssh::Identity::Unencrypted(_)) => Ok(identity),
        Ok(_) => Err(unreadable("only ssh-ed25519 and ssh-rsa keys decrypt".to_owned())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// What stands before the ciphertext: a line for each recipient, and a sum of all of it.
pub struct Header {
    length: u64,
    /// The kind of each recipient.
    kinds: Vec<String>,
}

impl Header {
    /// The header of a file, if it is encrypted.
    pub fn of(source: &Source) -> Result<Option<Self>, Damage> {
        let mut start = Vec::new();
        source.cursor().take(MAX_HEADER as u64).read_to_end(&mut start)?;
        if !start.starts_with(MAGIC) {
            return Ok(None);
        }
        let mut length = 0;
        let mut kinds = Vec::new();
        for line in start.split_inclusive(|byte| *byte == b'\n') {
            length += line.len() as u64;
            if line.starts_with(b"---") {
                return Ok(Some(Self { length, kinds }));
            }
            let kind = line.strip_prefix(b"-> ").and_then(|rest| rest.split(u8::is_ascii_whitespace).next());
            // Lines that mean nothing are put in on purpose, so that all programs learn to pass over them.
            let kind = kind.map(|kind| String::from_utf8_lossy(kind).into_owned());
            kinds.extend(kind.filter(|kind| !kind.ends_with("-grease")));
        }
        match start.len() {
            MAX_HEADER => Err(Damage::Envelope(format!("its header does not end within {MAX_HEADER} bytes"))),
            _ => Err(Damage::EnvelopeCut),
        }
    }

    /// `2 recipients (X25519, ssh-ed25519)`
    pub fn recipients(&self) -> String {
        let mut kinds = self.kinds.clone();
        kinds.dedup();
        let s = if self.kinds.len() == 1 { "" } else { "s" };
        format!("{} recipient{s} ({})", self.kinds.len(), kinds.join(", "))
    }

    /// It is encrypted, and nothing is there to open it.
    pub fn closed(&self) -> Damage {
        if self.has_passphrase() { Damage::Passphrase } else { Damage::Encrypted { to: self.recipients() } }
    }

    fn has_passphrase(&self) -> bool {
        self.kinds.iter().any(|kind| kind == "scrypt")
    }

    fn refused(&self, error: DecryptError) -> Damage {
        match error {
            DecryptError::NoMatchingKeys if self.has_passphrase() => Damage::Passphrase,
            DecryptError::NoMatchingKeys => Damage::OtherIdentity { to: self.recipients() },
            DecryptError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => Damage::EnvelopeCut,
            DecryptError::Io(error) if error.kind() != io::ErrorKind::InvalidData => error.into(),
            _ => Damage::Envelope("its header does not fit what it was encrypted with".to_owned()),
        }
    }

    /// Where the ciphertext cannot be decrypted any more. Of the last chunk nobody can tell whether it was changed or is the
    /// beginning of a longer one.
    fn broken(&self, error: io::Error, done: u64, length: u64) -> Damage {
        if !matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) {
            return error.into();
        }
        let at = self.length + NONCE + done / CHUNK * SEALED_CHUNK;
        match () {
            () if at >= length => Damage::EnvelopeCut,
            () if at + SEALED_CHUNK >= length => Damage::EnvelopeEnd,
            () => Damage::Envelope(format!("the 64 KB from byte {at} on are not what was encrypted")),
        }
    }
}

/// Passes bytes on, and sums them up.
struct Counted<T> {
    inner: T,
    bytes: u64,
    sum: Sha256,
}

impl<T> Counted<T> {
    fn new(inner: T) -> Self {
        Self { inner, bytes: 0, sum: Sha256::new() }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.sum.update(bytes);
    }

    fn whole(self) -> Whole {
        Whole { bytes: self.bytes, sha256: hex(&self.sum.finalize()) }
    }
}

impl<T: Read> Read for Counted<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.count(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

impl<T: Write> Write for Counted<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.count(bytes.get(..length).unwrap_or_default());
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
