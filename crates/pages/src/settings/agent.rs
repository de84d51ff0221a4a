//! The name of a browser and its system.

use messages::web::Security;

/// The first match counts, because most browsers also name others.
const BROWSERS: [(&str, &str); 7] = [
    ("Firefox/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

pub fn in_words(t: &Security, agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    match first(&BROWSERS) {
        Some(browser) => t.agent(browser, first(&SYSTEMS).unwrap_or(t.system_unknown)),
        None => t.agent_unknown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_by_itself_and_its_system() {
        let words = |agent: &str| in_words(&messages::web::texts("").security, agent);
        let chrome =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
        assert_eq!(words(chrome), "Chrome on Windows");
        assert_eq!(words(&format!("{chrome} Edg/150.0")), "Edge on Windows");
        let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1";
        assert_eq!(words(phone), "Safari on iPhone");
        assert_eq!(words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox on Linux");
        assert_eq!(words("curl/8.0"), "Unknown browser");
        assert_eq!(words(""), "Unknown browser");
    }
}
