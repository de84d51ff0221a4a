//! Protects texts that a spreadsheet would run as formulas, and restores them.

/// A spreadsheet runs a text that begins like a formula, and a name may come from anybody. A leading apostrophe makes it text
/// again in the common programs; reading removes exactly what was added, so nothing is lost. For the same reason, texts that
/// begin with apostrophes before such a character get one more. Numbers are not texts: their minus stays.
pub fn guarded(text: &str) -> String {
    if is_formula(text.trim_start_matches('\'')) { format!("'{text}") } else { text.to_owned() }
}

/// The text before it was protected, by us or by another program that does the same.
pub fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_and_read_back_unchanged() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-", "'-"),
            ("+1", "'+1"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=x", "''=x"),
            ("''+x", "'''+x"),
            ("'t Hooft", "'t Hooft"),
            ("KO", "KO"),
            ("'", "'"),
        ] {
            assert_eq!(guarded(text), written);
            assert_eq!(unguarded(written), text);
        }
    }
}
