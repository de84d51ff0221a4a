//! Redirect addresses: they must match a registered address exactly, except for the port of a program on the user's own machine,
//! which is unknown before it runs.

use url::Url;

const BYTES_MAX: usize = 2_000;
const LOOPBACK: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];
/// Schemes of apps that are not derived from a domain name, as all others must be: those belong to systems and browsers.
const APPS: [&str; 12] = [
    "claude",
    "code-oss",
    "cursor",
    "jetbrains",
    "obsidian",
    "raycast",
    "vscode",
    "vscode-insiders",
    "vscodium",
    "warp",
    "windsurf",
    "zed",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To a server, which is identified by its name.
    Web,
    /// To a program on the user's machine.
    Loopback,
    /// To the app that claims the scheme on the user's machine.
    Private,
}

/// `None` for an address that no app may use.
pub fn way(uri: &str) -> Option<Way> {
    let plain = uri.len() <= BYTES_MAX && uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"<>^`{|}#".contains(&byte));
    let (scheme, rest) = uri.split_once(':').filter(|_| plain)?;
    match scheme {
        "https" => is_web(uri).then_some(Way::Web),
        "http" => loopback(uri).map(|_| Way::Loopback),
        _ => (is_scheme(scheme) && !rest.is_empty()).then_some(Way::Private),
    }
}

/// Whether `asked` matches the registered address.
pub fn matches(named: &str, asked: &str) -> bool {
    if named == asked {
        return true;
    }
    matches!((loopback(named), loopback(asked)), (Some(named), Some(asked)) if named == asked)
}

/// How the redirect address is shown to a user.
pub fn shown_host(uri: &str) -> String {
    let url = Url::parse(uri).ok();
    let host = url.as_ref().filter(|_| way(uri) != Some(Way::Private)).and_then(Url::host_str);
    host.map_or_else(|| uri.split(':').next().map(|scheme| format!("{scheme}:")).unwrap_or_default(), str::to_owned)
}

/// What the content security policy must allow for the redirect.
pub fn shown_origin(uri: &str) -> String {
    match Url::parse(uri).ok().map(|url| url.origin()) {
        Some(origin) if origin.is_tuple() => origin.ascii_serialization(),
        _ => uri.split(':').next().map(|scheme| format!("{scheme}:")).unwrap_or_default(),
    }
}

fn is_web(uri: &str) -> bool {
    let authority = uri.strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default();
    // It becomes part of the policy, so it may contain nothing with a special meaning there.
    let plain = authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    !authority.is_empty() && plain && Url::parse(uri).is_ok_and(|url| url.host_str().is_some())
}

/// Host, and what follows the port.
fn loopback(uri: &str) -> Option<(&str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    let host = LOOPBACK.into_iter().find(|host| rest.starts_with(host))?;
    let after = &rest[host.len()..];
    let tail = match after.strip_prefix(':') {
        None => after,
        Some(port) => {
            let end = port.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(port.len());
            port[..end].parse::<u16>().ok().filter(|port| *port > 0 && end <= 5)?;
            &port[end..]
        }
    };
    (tail.is_empty() || tail.starts_with(['/', '?'])).then_some((host, tail))
}

fn is_scheme(scheme: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    scheme.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
        && scheme.bytes().all(rest)
        && (scheme.contains('.') || APPS.contains(&scheme))
}
