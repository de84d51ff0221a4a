//! What apps and assistants receive and send: consent by page and by device code, codes, refresh tokens and tool calls.

use serde_json::{Value, json};
use testkit::{Answer, Browser, answer};

/// Secrets that are never stored in the clear.
pub const SECRETS: [&str; 3] = [VERIFIER, "canarystate", "canaryargument"];
/// Stored, because it identifies the app, but never logged.
pub const WORDS: [&str; 3] = ["Canaryapp", "canaryredirect", "canaryassistant"];

/// The pair of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "https://canaryredirect.example/cb";
const DEVICE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// Runs the flows of an app and of a device, calls the connector, and returns every secret that was issued.
pub fn secrets(base: &str, person: &Browser) -> Vec<String> {
    let mut secrets = Vec::new();
    let metadata = json!({"client_name": "Canaryapp", "redirect_uris": [REDIRECT],
        "token_endpoint_auth_method": "client_secret_post",
        "grant_types": ["authorization_code", "refresh_token", DEVICE]});
    let app = registered(base, &metadata);
    let (id, secret) = (word(&app, "client_id"), word(&app, "client_secret"));
    let shown = [("client_id", id.as_str()), ("client_secret", secret.as_str())];
    for decision in ["deny", "allow"] {
        let request = format!(
            "response_type=code&client_id={id}&redirect_uri={}&state=canarystate&code_challenge={CHALLENGE}\
             &code_challenge_method=S256&resource={}",
            escaped(REDIRECT),
            escaped(&format!("{base}/mcp"))
        );
        assert_eq!(person.get(&format!("/oauth/authorize?{request}")).status, 200);
        secrets.push(person.token());
        let answer = person.post("/oauth/consent", &[("request", &request), ("decision", decision)]);
        assert_eq!(answer.status, 303, "{}", answer.text());
        let code = answer.header("location").split(['?', '&']).find_map(|pair| pair.strip_prefix("code=").map(str::to_owned));
        let Some(code) = code else { continue };
        let grant = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        let tokens = token(base, &[&shown[..], &grant]);
        let refresh = word(&tokens, "refresh_token");
        let again = token(base, &[&shown[..], &[("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())]]);
        call_tools(base, &word(&again, "access_token"));
        for issued in [&tokens, &again] {
            secrets.extend([word(issued, "access_token"), word(issued, "refresh_token")]);
        }
        secrets.push(code);
    }
    let started = form(base, "/oauth/device_authorization", &[&shown]).json();
    let (device_code, user_code) = (word(&started, "device_code"), word(&started, "user_code"));
    assert_eq!(person.fill("/device", "/device", &[("code", &user_code)]).status, 200);
    assert_eq!(person.post("/device/decide", &[("code", &user_code), ("decision", "allow")]).status, 303);
    let tokens = token(base, &[&shown[..], &[("grant_type", DEVICE), ("device_code", device_code.as_str())]]);
    secrets.extend([word(&tokens, "access_token"), word(&tokens, "refresh_token"), secret, device_code, user_code]);
    assert_eq!(secrets.len(), 12);
    secrets
}

/// Valid calls, invalid calls and malformed messages, in both revisions of the protocol.
fn call_tools(base: &str, token: &str) {
    let client = json!({"name": "canaryassistant", "version": "1"});
    let initialize = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let arguments = json!({"portfolio": "Canaryportfolio"});
    let of_none = json!({"portfolio": "canaryargument", "canaryargument": true});
    for (method, params) in [
        ("initialize", initialize),
        ("tools/call", json!({"name": "get_holdings", "arguments": arguments})),
        ("tools/call", json!({"name": "get_income_outlook", "arguments": of_none})),
        ("tools/call", json!({"name": "search_stocks", "arguments": {"q": "canaryargument"}})),
        ("tools/call", json!({"name": "canaryargument", "arguments": {}})),
        ("resources/read", json!({"uri": "canaryargument://x"})),
        ("canaryargument", json!({})),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": "canaryargument", "method": method, "params": params});
        let version = ("MCP-Protocol-Version", "2025-11-25");
        let answer = mcp(base, token, version, &body);
        assert!(answer.status < 500, "{method}: {}", answer.text());
        if params["arguments"] == arguments {
            assert!(answer.text().contains("CANARYSYM"), "it is answered: {}", answer.text());
        }
    }
    let mut params = json!({"name": "get_holdings", "arguments": arguments});
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": client,
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    assert!(mcp(base, token, ("MCP-Protocol-Version", "2026-07-28"), &body).status < 500);
}

fn mcp(base: &str, token: &str, version: (&str, &str), body: &Value) -> Answer {
    let bearer = format!("Bearer {token}");
    let json = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let own = [("Authorization", bearer.as_str()), ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_holdings"), version];
    answer::send("POST", &format!("{base}/mcp"), &[json.as_slice(), own.as_slice()].concat(), body.to_string().as_bytes())
}

fn registered(base: &str, metadata: &Value) -> Value {
    let kind = [("Content-Type", "application/json")];
    let answer = answer::send("POST", &format!("{base}/oauth/register"), &kind, metadata.to_string().as_bytes());
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

fn token(base: &str, fields: &[&[(&str, &str)]]) -> Value {
    let answer = form(base, "/oauth/token", fields);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn form(base: &str, path: &str, fields: &[&[(&str, &str)]]) -> Answer {
    let pairs: Vec<String> = fields.concat().iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    answer::send("POST", &format!("{base}{path}"), &kind, pairs.join("&").as_bytes())
}

fn word(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("{name} is not in {body}")).to_owned()
}

fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
