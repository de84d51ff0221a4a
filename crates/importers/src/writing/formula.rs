//! Texts that a spreadsheet would run, made harmless and made whole again.

/// A spreadsheet runs a text that begins like a formula, and a name may come from anybody. An apostrophe in front makes it
/// text again for the common ones; reading takes off exactly what was put on, so that nothing is lost. Texts that begin
/// with apostrophes before such a mark get one more for the same reason. Figures are never texts: their minus stays.
pub fn guarded(text: &str) -> String {
    if is_formula(text.trim_start_matches('\'')) { format!("'{text}") } else { text.to_owned() }
}

/// The text as it was before it was guarded, by us or by another program of the same habit.
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
