//! Secrets as they look in the wild, made from a seed: never real ones, and never the same one twice.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A secret and how somebody wrote it down.
pub struct Written {
    pub shape: &'static str,
    /// What stands in the evidence; several lines for some.
    pub text: String,
    /// What must not be found again.
    pub secrets: Vec<String>,
}

/// Letters that nobody can foresee, and that are the same in every run.
pub struct Seed(u64);

impl Seed {
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    fn letters(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet = alphabet.as_bytes();
        let mut out = String::new();
        while out.len() < length {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let sum = Sha256::digest(self.0.to_le_bytes());
            out.extend(sum.iter().map(|byte| char::from(alphabet[usize::from(*byte) % alphabet.len()])));
        }
        out.truncate(length);
        out
    }

    fn word(&mut self, length: usize) -> String {
        format!("{}7Q{}", self.letters("abcdefghijkmnpqrstuvwxyz", 3), self.letters(WORD, length.saturating_sub(5)))
    }

    fn base64(&mut self, length: usize) -> String {
        self.letters(BASE64, length)
    }

    fn hex(&mut self, length: usize) -> String {
        self.letters("0123456789abcdef", length)
    }

    pub fn uuid(&mut self) -> String {
        let hex = self.hex(32);
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    }

    pub fn digest(&mut self) -> String {
        format!("sha256:{}", self.hex(64))
    }
}

const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SAFE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// Every shape once.
#[rustfmt::skip]
pub fn all(seed: &mut Seed) -> Vec<Written> {
    let mut all = Vec::new();
    for (shape, before, alphabet, length) in BY_LOOKS {
        let secret = seed.letters(alphabet, *length);
        all.push(Written { shape, text: format!("got {before}{secret} from vault"), secrets: vec![secret] });
    }
    for (shape, frame) in BY_NAME {
        let secret = seed.word(14);
        all.push(Written { shape, text: frame.replace('@', &secret).replace('~', "@"), secrets: vec![secret] });
    }
    all.extend(["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].map(|name| pem(name, seed)));
    all.extend([jwt(seed), encoded_pem(seed), pull_secret(seed), encoded_pull_secret(seed), kubeconfig(seed), encoded_kubeconfig(seed)]);
    all.extend([secret_json(seed), string_data(seed), secret_yaml(seed), secret_of_go(seed), secret_list(seed), basic(seed), scram(seed)]);
    all
}

/// Recognised wherever they stand.
#[rustfmt::skip]
const BY_LOOKS: &[(&str, &str, &str, usize)] = &[
    ("AWS key id", "AKIA", UPPER, 16),
    ("AWS temporary key id", "ASIA", UPPER, 16),
    ("Google API key", "AIza", SAFE, 35),
    ("Google client secret", "GOCSPX-", WORD, 28),
    ("Google access token", "ya29.", SAFE, 60),
    ("Azure client secret", "abc8Q~", WORD, 34),
    ("GitHub token", "ghp_", WORD, 36),
    ("GitHub OAuth token", "gho_", WORD, 36),
    ("GitHub user token", "ghu_", WORD, 36),
    ("GitHub server token", "ghs_", WORD, 36),
    ("GitHub refresh token", "ghr_", WORD, 36),
    ("GitHub fine-grained token", "github_pat_", WORD, 60),
    ("Docker token", "dckr_pat_", SAFE, 27),
    ("GitLab token", "glpat-", WORD, 20),
    ("Slack token", "xoxb-", WORD, 40),
    ("Slack hook", "https://hooks.slack.com/services/T", WORD, 40),
    ("Stripe key", "sk_live_", WORD, 24),
    ("Stripe test key", "rk_test_", WORD, 24),
    ("npm token", "npm_", WORD, 36),
    ("PyPI token", "pypi-AgEI", SAFE, 60),
    ("Vault token", "hvs.", SAFE, 40),
    ("Vault batch token", "hvb.", SAFE, 60),
    ("OpenShift token", "sha256~", SAFE, 43),
    ("Hugging Face token", "hf_", WORD, 34),
    ("model key", "sk-proj-", SAFE, 40),
    ("DigitalOcean token", "dop_v1_", "0123456789abcdef", 64),
    ("Databricks token", "dapi", "0123456789abcdef", 32),
    ("Atlassian token", "ATATT3x", WORD, 40),
    ("New Relic key", "NRAK-", UPPER, 27),
    ("age key", "AGE-SECRET-KEY-1", UPPER, 58),
    ("bcrypt hash", "$2b$12$", WORD, 53),
    ("crypt hash", "$6$saltsalt$", WORD, 86),
    ("Apache hash", "$apr1$saltsalt$", WORD, 22),
    ("argon2 hash", "$argon2id$v=19$m=65536,t=3,p=4$", WORD, 60),
    ("bearer token", "Bearer ", SAFE, 40),
];

/// Recognised by what they are called; `@` is the secret, `~` an at sign.
#[rustfmt::skip]
const BY_NAME: &[(&str, &str)] = &[
    ("libpq password", "host=db.example user=maestro password=@ dbname=maestro"),
    ("quoted libpq password", "host=db.example password='@' dbname=maestro"),
    ("database address", "dial postgres://maestro:@~db.example:5432/maestro failed"),
    ("redis address", "redis://:@~cache.example:6379/0"),
    ("broker address", "amqps://agent:@~broker.example/%2f is gone"),
    ("ADO connection string", "Server=db;User Id=sa;Password=@;Encrypt=true"),
    ("Azure storage", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=@;EndpointSuffix=x"),
    ("Azure bus", "Endpoint=sb://bus.example/;SharedAccessKeyName=Root;SharedAccessKey=@"),
    ("Azure signature", "https://a.blob.example/c?sv=2024-01-01&sig=@%2B7Q&se=2027"),
    ("query token", "GET /v1/works?access_token=@&page=2"),
    ("api key", "api_key=@ region=west"),
    ("client secret", "client_id=7 client_secret=@ grant_type=x"),
    ("AWS secret", "aws_secret_access_key = @"),
    ("environment", "export DB_PASSWORD=@"),
    ("flag", "started with --db-password=@ --v=4"),
    ("flag and word", "started with --token @ --v=4"),
    ("JSON password", r#"{"user":"maestro","password":"@"}"#),
    ("JSON token", r#"{"refreshToken": "@", "expires": 7}"#),
    ("JSON environment", r#"{"env":[{"name":"BROKER_PASSWORD","value":"@"}]}"#),
    ("JSON arguments", r#"{"args":["--password","@","--v=4"]}"#),
    ("JSON headers", r#"{"headers":{"Authorization":["Token @"]}}"#),
    ("Python", "{'user': 'maestro', 'password': '@'}"),
    ("Go struct", "{Host:db Password:@ Port:5432}"),
    ("header", "Authorization: Token @"),
    ("api key header", "X-Api-Key: @"),
    ("cookie", "Cookie: session=@; path=/"),
    ("SQL", "ALTER ROLE maestro WITH PASSWORD '@'"),
    ("netrc", "machine git.example login bot password @"),
    ("pgpass", "db.example:5432:maestro:reader:@"),
    ("curl", "curl -u bot:@ https://git.example"),
    ("YAML password", "password: @"),
];

fn written(shape: &'static str, text: String, secrets: Vec<String>) -> Written {
    Written { shape, text, secrets }
}

fn pem_text(name: &str, seed: &mut Seed) -> (String, Vec<String>) {
    let lines: Vec<String> = (0..4).map(|_| seed.base64(64)).collect();
    (format!("-----BEGIN {name}-----\n{}\n-----END {name}-----\n", lines.join("\n")), lines)
}

fn pem(name: &'static str, seed: &mut Seed) -> Written {
    let (text, lines) = pem_text(name, seed);
    written(name, text, lines)
}

fn encoded_pem(seed: &mut Seed) -> Written {
    let (text, _) = pem_text("RSA PRIVATE KEY", seed);
    let encoded = base64(text.as_bytes());
    written("private key in base64", format!("client-key-data {encoded} end"), vec![encoded])
}

fn jwt(seed: &mut Seed) -> Written {
    let body = base64(format!(r#"{{"sub":"{}"}}"#, seed.word(12)).as_bytes()).replace('=', "");
    let secret = format!("eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.{body}.{}", seed.letters(SAFE, 86));
    written("JWT", format!("rejected {secret}, expired"), vec![body, secret])
}

fn auths(seed: &mut Seed) -> (String, String) {
    let login = base64(format!("robot:{}", seed.word(24)).as_bytes());
    (format!(r#"{{"auths":{{"quay.example":{{"auth":"{login}","email":"x"}}}}}}"#), login)
}

fn pull_secret(seed: &mut Seed) -> Written {
    let (text, login) = auths(seed);
    written("pull secret", text, vec![login])
}

fn encoded_pull_secret(seed: &mut Seed) -> Written {
    let encoded = base64(auths(seed).0.as_bytes());
    written("pull secret in base64", format!("pulled with {encoded}"), vec![encoded])
}

fn kubeconfig_text(seed: &mut Seed) -> (String, [String; 2]) {
    let (token, key) = (seed.word(40), base64(pem_text("EC PRIVATE KEY", seed).0.as_bytes()));
    let text = format!(
        "apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: {token}\n    client-key-data: {key}\n"
    );
    (text, [token, key])
}

fn kubeconfig(seed: &mut Seed) -> Written {
    let (text, secrets) = kubeconfig_text(seed);
    written("kubeconfig", text, secrets.into())
}

fn encoded_kubeconfig(seed: &mut Seed) -> Written {
    let encoded = base64(kubeconfig_text(seed).0.as_bytes());
    written("kubeconfig in base64", format!("kubeconfig: {encoded}"), vec![encoded])
}

fn secret_json(seed: &mut Seed) -> Written {
    let values = [base64(seed.word(9).as_bytes()), base64(seed.word(30).as_bytes())];
    let text = format!(
        r#"{{"apiVersion":"v1","data":{{"a":"{}","b.txt":"{}"}},"kind":"Secret","metadata":{{"name":"s"}}}}"#,
        values[0], values[1]
    );
    written("Secret", text, values.into())
}

fn secret_list(seed: &mut Seed) -> Written {
    let value = base64(seed.word(20).as_bytes());
    let text = format!(r#"{{"items":[{{"data":{{"a":"{value}"}},"metadata":{{"name":"s"}}}}],"kind":"SecretList"}}"#);
    written("list of Secrets", text, vec![value])
}

fn string_data(seed: &mut Seed) -> Written {
    let value = seed.word(12);
    let text = format!(r#"{{"kind":"Secret","stringData":{{"note":"two words {value}"}}}}"#);
    written("Secret with stringData", text, vec![value])
}

fn secret_yaml(seed: &mut Seed) -> Written {
    let (one, other) = (base64(seed.word(9).as_bytes()), seed.word(12));
    let text = format!("apiVersion: v1\nkind: Secret\ndata:\n  a: {one}\nstringData:\n  b: two words {other}\n");
    written("Secret in YAML", text, vec![one, other])
}

fn secret_of_go(seed: &mut Seed) -> Written {
    let value = base64(seed.word(15).as_bytes());
    written("Secret as Go prints it", format!("map[apiVersion:v1 data:map[a:{value}] kind:Secret]"), vec![value])
}

fn basic(seed: &mut Seed) -> Written {
    let login = base64(format!("bot:{}", seed.word(12)).as_bytes());
    written("basic login", format!("sent Basic {login} upstream"), vec![login])
}

fn scram(seed: &mut Seed) -> Written {
    let hash = format!("{}:{}", base64(seed.word(32).as_bytes()), base64(seed.word(32).as_bytes()));
    written("SCRAM hash", format!("SCRAM-SHA-256$4096:c2FsdA==${hash}"), vec![hash])
}

fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
