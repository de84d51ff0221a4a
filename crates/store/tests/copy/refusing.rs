use store::copy::{self, Doing};
use store::error::{CopyProblem, Outage};
use store::postgres::Settings;
use store::{Error, Store};

use crate::places::{File, Server, copied};
use crate::rows::fill;

async fn refused(from: &Store, to: &Store) -> CopyProblem {
    match copy::run(from, to, &mut |_| panic!("nothing is to be done")).await {
        Err(Error::Copy(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_database_with_rows_of_its_own_is_left_alone() {
    let (original, file, server) = (File::new().await, File::new().await, Server::new().await);
    fill(&original.raw(), 1);
    file.change("INSERT INTO invitations VALUES (zeroblob(32), '00000000-0000-0000-0000-000000000001', 1, 2, NULL)");
    server.change("INSERT INTO prices VALUES ('A', '2026-01-02', 1.50)").await;
    let before = (file.content(), server.content().await);
    assert_eq!(refused(&original.store, &file.store).await, CopyProblem::TargetNotEmpty { table: "invitations" });
    assert_eq!(refused(&original.store, &server.store).await, CopyProblem::TargetNotEmpty { table: "prices" });
    assert!(matches!(refused(&original.store, &original.store).await, CopyProblem::TargetNotEmpty { .. }));
    assert!((file.content(), server.content().await) == before);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_finished_copy_cannot_be_copied_into_again() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 1);
    copied(&original.store, &server.store).await;
    assert!(matches!(refused(&original.store, &server.store).await, CopyProblem::TargetNotEmpty { .. }));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_database_of_a_server_that_only_started_can_be_copied_into() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 1);
    server
        .change(
            "INSERT INTO leases VALUES ('jobs', 'node', 5); INSERT INTO fx_rates VALUES ('USD', '2026-01-02', 1.1);
             INSERT INTO refreshes VALUES ('rates', '', 1, 0, NULL, NULL, 0, NULL, NULL); UPDATE versions SET value = 9",
        )
        .await;
    copied(&original.store, &server.store).await;
    assert!(server.content().await == original.content());
}

#[tokio::test]
async fn an_unfinished_copy_is_refused_as_a_source() {
    let (original, half, other) = (File::new().await, File::new().await, File::new().await);
    fill(&original.raw(), 1);
    let mut stop = |_| Err(Outage::Unreachable.into());
    copy::run(&original.store, &half.store, &mut stop).await.unwrap_err();
    assert_eq!(refused(&half.store, &other.store).await, CopyProblem::SourceUnfinished);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_later_of_two_copies_into_one_database_continues() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 1);
    let (from, address) = (original.store.clone(), server.scratch.url());
    let mut started = false;
    let mut start_another = |step: copy::Step| {
        if step.doing == Doing::Copying && !std::mem::replace(&mut started, true) {
            let (from, address) = (from.clone(), address.clone());
            // With its own connections, because those of this thread are blocked meanwhile.
            let other = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    let to = Store::connect(&Settings::new(&address)).await.unwrap();
                    let mut stop = |_| Err(Outage::Unreachable.into());
                    copy::run(&from, &to, &mut stop).await.unwrap_err();
                });
            });
            other.join().unwrap();
        }
        Ok(())
    };
    let error = copy::run(&original.store, &server.store, &mut start_another).await.unwrap_err();
    assert_eq!(error, CopyProblem::AnotherStarted.into());
    copied(&original.store, &server.store).await;
    assert!(server.content().await == original.content());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_newer_schema_is_not_copied() {
    let (server, file) = (Server::new().await, File::new().await);
    server.change("UPDATE schema_version SET version = version + 1").await;
    for (from, to) in [(&server.store, &file.store), (&file.store, &server.store)] {
        let error = copy::run(from, to, &mut |_| Ok(())).await.unwrap_err();
        assert_eq!(error, Error::NewerSchema { found: 18, known: 17 });
    }
}
