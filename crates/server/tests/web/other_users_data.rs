//! Another user's data is answered like unknown data: same status, same body.

use app::authentication::{feeds, sessions, tokens};
use app::import;
use app::import::staged::{self, Spooled};
use testkit::sample::{ANA, BOB, World};
use testkit::{Answer, Browser};
use uuid::Uuid;

use super::people::{signed_in, world};
use super::routes::{all, filled};

/// Form fields that identify a user's data, and where they are sent.
const FIELDS: [(&str, &str); 22] = [
    ("/settings/security/end", "session"),
    ("/settings/access/revoke", "id"),
    ("/settings/access/revoke-feed", "id"),
    ("/portfolios/rename", "name"),
    ("/portfolios/default", "name"),
    ("/portfolios/share", "name"),
    ("/portfolios/unshare", "name"),
    ("/portfolios/delete", "name"),
    ("/portfolios/amounts", "name"),
    ("/portfolios/reinvest", "name"),
    ("/portfolios/reinvest-stock", "name"),
    ("/portfolios/up", "name"),
    ("/dividends/missing/ignore", "portfolio"),
    ("/dividends/missing/same", "key.1"),
    ("/ledger/confirm", "sequence.1"),
    ("/ledger/move", "sequence.1"),
    ("/ledger/move", "to"),
    ("/ledger/delete", "sequence.1"),
    ("/ledger/delete", "shown.1"),
    ("/ledger/undo", "deletion"),
    ("/ledger/export", "sequence.1"),
    ("/ledger/export", "shown.1"),
];

/// Parameters of pages that name a portfolio.
const QUERIES: [(&str, &str); 9] = [
    ("/", "portfolio"),
    ("/upcoming", "portfolio"),
    ("/dividends", "portfolio"),
    ("/dividends/missing", "portfolio"),
    ("/holdings", "portfolio"),
    ("/ledger", "portfolio"),
    ("/ledger", "source"),
    ("/whatif", "portfolio"),
    ("/portfolios", "reinvest"),
];

/// Pages whose parameter does not identify a user's data.
const PUBLIC: [&str; 4] = ["/assets/{name}", "/stocks/{symbol}", "/reset/{secret}", "/p/{slug}"];

/// Status and body without random values and the requested names.
pub fn plain(answer: &Answer, asked: &[&str]) -> String {
    let nonce =
        answer.header("content-security-policy").split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap_or("-");
    let mut text = format!("{} {}\n{}", answer.status, answer.header("location"), answer.text().replace(nonce, "NONCE"));
    for random in ["name=\"_token\" value=\"", "name=\"slug\" value=\"", "\"/assets/"] {
        while let Some((before, rest)) = text.split_once(random) {
            text = format!("{before}RANDOM{}", rest.split_once('"').unwrap().1);
        }
    }
    // Where an address or a field repeats it; a short one may stand in other words, too.
    let places = asked.iter().flat_map(|asked| ["/", "=", "\"", "&#34;", ">", "“"].map(|before| format!("{before}{asked}")));
    places.fold(text, |text, place| text.replace(&place, "ASKED"))
}

/// Every ID of Ana's, each with one that nobody has.
fn ids(world: &World) -> Vec<(&'static str, String, String)> {
    let (app, user_id) = (&world.app, world.user_id(ANA));
    let feed = world.run(feeds::create(app, user_id, "Phone")).unwrap().id;
    let file = Spooled::of(app, testkit::sample::PLAIN.as_bytes()).unwrap();
    let upload = world.run(staged::put_once(app, user_id, Uuid::now_v7(), "more.csv", file, None)).unwrap();
    let entry = world.run(async {
        let mut tx = app.store.read().await.unwrap();
        store::entries::of_user(&mut tx, user_id).await.unwrap().iter().map(|entry| entry.sequence).max().unwrap()
    });
    let uuids = [
        ("user", user_id),
        ("session", world.run(sessions::list(app, user_id)).unwrap()[0].id),
        ("token", world.run(tokens::list(app, user_id)).unwrap()[0].id),
        ("import", world.run(import::list(app, user_id)).unwrap()[0].id),
        ("portfolio", world.run(app::portfolios::list(app, user_id)).unwrap()[0].id),
        ("feed", feed),
        ("upload", upload),
    ];
    let nobodys = Uuid::now_v7().to_string();
    let mut ids: Vec<_> = uuids.into_iter().map(|(kind, id)| (kind, id.to_string(), nobodys.clone())).collect();
    ids.push(("entry", entry.to_string(), "999999".to_owned()));
    ids
}

/// Names of Ana's that Bob does not have.
const NAMES: [&str; 3] = ["Core", "CORE", "elan-income"];

fn same(bob: &Browser, what: &str, theirs: &str, nobodys: &str, ask: impl Fn(&Browser, &str) -> Answer) {
    let (answer, expected) = (plain(&ask(bob, theirs), &[theirs]), plain(&ask(bob, nobodys), &[nobodys]));
    assert_eq!(answer, expected, "{what}");
}

#[test]
fn another_users_data_looks_unknown_on_every_route() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    let ids = ids(&world);
    for route in all().iter().filter(|route| route.path.contains('{') && !PUBLIC.contains(&route.path)) {
        let path = route.path;
        for (kind, theirs, nobodys) in &ids {
            if route.get {
                same(&bob, &format!("GET {path}, {kind}"), theirs, nobodys, |bob, id| bob.get(&filled(path, id)));
            }
            if route.post {
                let post = |bob: &Browser, id: &str| bob.fill("/settings", &filled(path, id), &[]);
                same(&bob, &format!("POST {path}, {kind}"), theirs, nobodys, post);
            }
        }
        for name in NAMES.into_iter().filter(|_| route.get) {
            same(&bob, path, name, "Nowhere", |bob, name| bob.get(&filled(path, name)));
        }
    }
    let names = NAMES.map(|name| ("name", name.to_owned(), "Nowhere".to_owned()));
    for (path, field) in FIELDS {
        for (kind, theirs, nobodys) in ids.iter().chain(&names) {
            let what = format!("{path}, {kind}");
            same(&bob, &what, theirs, nobodys, |bob, value| bob.fill("/settings", path, &[(field, value)]));
        }
    }
    // Shows the notice of the last form.
    bob.get("/settings");
    for (path, parameter) in QUERIES {
        for name in NAMES {
            same(&bob, path, name, "Nowhere", |bob, name| bob.get(&format!("{path}?{parameter}={name}")));
        }
    }
    assert!(super::people::is_in(&ana), "and nothing of hers was touched");
    assert_eq!(ids.len(), ids_left(&world));
}

#[test]
fn own_data_is_answered_differently_from_unknown_data() {
    let world = world();
    let (bob, _elsewhere) = (signed_in(&world, BOB), signed_in(&world, BOB));
    let sessions = world.run(sessions::list(&world.app, world.user_id(BOB))).unwrap();
    let end = |id: Uuid| bob.fill("/settings", "/settings/security/end", &[("session", &id.to_string())]).status;
    assert_eq!((end(sessions[0].id), end(Uuid::now_v7())), (303, 404));
    let name = world.run(app::portfolios::list(&world.app, world.user_id(BOB))).unwrap()[0].name.clone();
    let home = |name: &str| plain(&bob.get(&format!("/?portfolio={name}")), &[name]);
    assert_ne!(home(&name), home("Nowhere"));
}

fn ids_left(world: &World) -> usize {
    let (app, user_id) = (&world.app, world.user_id(ANA));
    let sessions = world.run(sessions::list(app, user_id)).unwrap().len();
    let live = world.run(tokens::list(app, user_id)).unwrap().iter().filter(|token| token.revoked_at.is_none()).count();
    let imports = world.run(import::list(app, user_id)).unwrap().len();
    let portfolios = world.run(app::portfolios::list(app, user_id)).unwrap().len().min(1);
    let (feeds, uploads) =
        (world.run(feeds::list(app, user_id)).unwrap().len(), world.run(staged::pending(app, user_id)).unwrap().len());
    let entries = usize::from(world.get("/api/v1/dividends", Some(&world.ana)).status == 200);
    1 + sessions + live + imports + portfolios + feeds + uploads + entries
}
