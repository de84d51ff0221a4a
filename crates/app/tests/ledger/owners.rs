use app::authentication::tokens;
use app::oauth::Audience;
use app::{entries, import};
use uuid::Uuid;

use crate::world::{World, buy};

#[tokio::test]
async fn another_users_data_is_answered_like_data_that_does_not_exist() {
    let world = World::new().await;
    let file = b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n";
    let request = import::Request {
        user_id: world.ana,
        file_name: "l.csv",
        bytes: import::FileBytes::Plain(file),
        ..import::Request::default()
    };
    let id = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().id.unwrap();
    let nobodys = Uuid::from_u128(1);
    let same =
        |other: String, none: String| assert_eq!(other.replace(&id.to_string(), "X"), none.replace(&nobodys.to_string(), "X"));
    same(
        import::undo_of(&world.app, world.ben, id).await.err().unwrap().to_string(),
        import::undo_of(&world.app, world.ben, nobodys).await.err().unwrap().to_string(),
    );
    same(
        import::file_of(&world.app, world.ben, id).await.err().unwrap().to_string(),
        import::file_of(&world.app, world.ben, nobodys).await.err().unwrap().to_string(),
    );
    assert!(import::import_of(&world.app, world.ben, id).await.unwrap().is_none());
    assert_eq!(import::import_of(&world.app, world.ana, id).await.unwrap().unwrap().added, 1);
    assert_eq!(import::file_of(&world.app, world.ana, id).await.unwrap(), ("l.csv".to_owned(), file.to_vec()));
    assert_eq!(import::undo_of(&world.app, world.ana, id).await.unwrap().entries, 1);

    let sequence = entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "1", "1")).await.unwrap();
    assert_eq!(entries::one(&world.app, world.ben, sequence).await.unwrap(), None);
    assert!(entries::remove(&world.app, world.ben, sequence).await.is_err());
    assert!(entries::edit(&world.app, world.ben, sequence, &buy("2026-01-05", "WELL", "2", "1")).await.is_err());
    assert!(entries::one(&world.app, world.ana, sequence).await.unwrap().is_some());
}

#[tokio::test]
async fn a_token_is_revoked_by_its_owner_only() {
    let world = World::new().await;
    let made = tokens::create(&world.app, world.ana, "phone").await.unwrap();
    let refused = tokens::revoke_of(&world.app, world.ben, made.id).await;
    let unknown = app::Refusal::Token(app::refusal::Token::Unknown { id: made.id });
    assert!(matches!(refused, Err(app::Error::Refused(refusal)) if refusal == unknown));
    assert!(tokens::session(&world.app, &made.token, Audience::Api).await.unwrap().is_some());
    tokens::revoke_of(&world.app, world.ana, made.id).await.unwrap();
    assert!(tokens::session(&world.app, &made.token, Audience::Api).await.unwrap().is_none());
    assert!(tokens::revoke_of(&world.app, world.ana, made.id).await.is_err(), "once");
}
