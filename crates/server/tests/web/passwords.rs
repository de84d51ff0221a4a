//! Which passwords are taken, and that they are taken as typed.

use testkit::Service;

fn sign_up(service: &Service, email: &str, password: &str) -> u16 {
    service.browser().fill("/sign-up", "/sign-up", &[("email", email), ("password", password), ("currency", "EUR")]).status
}

/// Somebody is there already: else the first account is made on another page.
fn service() -> Service {
    let service = Service::start();
    service.account("first@example.com", "EUR", None);
    service
}

#[test]
fn a_password_has_fifteen_characters_to_1024_bytes() {
    let service = service();
    let filled_to = |bytes: usize| {
        format!("{}{}", super::people::PASSWORD, "é!".repeat(600))
            .chars()
            .scan(0, |length, letter| {
                *length += letter.len_utf8();
                (*length <= bytes).then_some(letter)
            })
            .collect::<String>()
    };
    let (longest, longer) = (filled_to(1024), format!("{}x", filled_to(1024)));
    assert_eq!((longest.len(), longer.len()), (1024, 1025));
    let cases = [
        ("vexq-plum-tide", 422),
        ("vexq-plum-tidal", 303),
        ("ünüs-plüm-tidäl", 303),
        (longest.as_str(), 303),
        (longer.as_str(), 422),
    ];
    for (number, (password, status)) in cases.into_iter().enumerate() {
        let email = format!("somebody-{number}@example.com");
        assert_eq!(sign_up(&service, &email, password), status, "{password:.20}, {} bytes", password.len());
        let signed_in = service.browser().sign_in(&email, password).status;
        assert_eq!(signed_in, if status == 303 { 303 } else { 422 }, "{password:.20}");
    }
}

#[test]
fn what_others_would_guess_first_is_refused() {
    let service = service();
    let common = [
        "passwordpassword",
        "123456789012345",
        "aaaaaaaaaaaaaaaaaaaa",
        "qwertyuiopasdfghjkl",
        "dividendportfolio",
        "ludmila.berenice@example.com",
        "letmeinletmeinletmein",
    ];
    for password in common {
        assert_eq!(sign_up(&service, "ludmila.berenice@example.com", password), 422, "{password}");
    }
}

#[test]
fn a_password_is_neither_trimmed_nor_cut() {
    let service = service();
    let long = format!("  {}{}  ", super::people::PASSWORD, "!".repeat(200));
    assert_eq!(sign_up(&service, "somebody@example.com", &long), 303);
    for other in [long.trim(), &long[..72], &long[..long.len() - 1]] {
        assert_eq!(service.browser().sign_in("somebody@example.com", other).status, 422);
    }
    assert_eq!(service.browser().sign_in("somebody@example.com", &long).status, 303);
}
