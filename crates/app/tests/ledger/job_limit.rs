use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use app::NoSpace;
use app::import::staged::{self, Spooled};
use app::operations::disk;
use app::operations::job_limit;
use app::{Error, Refusal, refusal};
use uuid::Uuid;

use crate::world::World;

const FILE: &[u8] = b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n";

async fn upload(world: &World, user: Uuid) -> Uuid {
    super::world::put(&world.app, user, "file.csv", FILE.to_vec()).await.unwrap()
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test]
async fn another_users_import_runs_after_one_of_a_busy_users_jobs() {
    let world = World::new().await;
    let mut files = Vec::new();
    for _ in 0..5 {
        files.push(upload(&world, world.ana).await);
    }
    let bens = upload(&world, world.ben).await;
    // One of the two slots is taken permanently, the other for now.
    let _others = job_limit::turn(&world.app, Uuid::from_u128(1)).await.unwrap();
    let first = job_limit::turn(&world.app, Uuid::from_u128(2)).await.unwrap();
    let done = RefCell::new(Vec::new());
    let plan = async |number: usize| {
        let planned = staged::plan(&world.app, world.ana, files[number]).await;
        done.borrow_mut().push(if planned.is_ok() { "ana" } else { "ana refused" });
    };
    let import = async {
        staged::apply(&world.app, world.ben, bens).await.unwrap().unwrap();
        done.borrow_mut().push("ben");
    };
    let release = async { drop(first) };
    // In debug builds they are too large for the stack of a test.
    let plans = [0, 1, 2, 3, 4].map(|number| Box::pin(plan(number)));
    let [first, second, third, fourth, fifth] = plans;
    tokio::join!(first, second, third, fourth, fifth, Box::pin(import), release);
    assert_eq!(*done.borrow(), ["ana refused", "ana refused", "ana refused", "ana", "ben", "ana"]);
}

#[tokio::test]
async fn a_fourth_job_of_the_same_user_is_refused() {
    let world = World::new().await;
    let id = upload(&world, world.ana).await;
    let working = job_limit::turn(&world.app, world.ana).await.unwrap();
    let (mut second, mut third) = (pin!(job_limit::turn(&world.app, world.ana)), pin!(job_limit::turn(&world.app, world.ana)));
    assert!(poll(second.as_mut()).is_pending() && poll(third.as_mut()).is_pending());
    assert!(matches!(staged::plan(&world.app, world.ana, id).await, Err(Error::TooManyJobs)));
    assert!(matches!(staged::apply(&world.app, world.ana, id).await, Err(Error::TooManyJobs)));
    assert!(matches!(app::accounts::archive::everything(&world.app, world.ana, "").await, Err(Error::TooManyJobs)));
    drop(job_limit::turn(&world.app, world.ben).await.unwrap());
    drop(working);
    assert!(poll(second).is_ready());
}

/// A request whose client has gone is dropped, but its work on another thread continues.
#[tokio::test]
async fn a_job_whose_client_has_gone_keeps_its_turn_until_it_ends() {
    let world = World::new().await;
    let large = FILE.repeat(100_000);
    let file = Spooled::of(&world.app, &large).unwrap();
    let mut upload = Box::pin(staged::put_once(&world.app, world.ana, Uuid::from_u128(7), "f", file, None));
    assert!(poll(upload.as_mut()).is_pending(), "it is being packed");
    drop(upload);
    assert_eq!(job_limit::vitals(&world.app).running, 1);
    drop(job_limit::turn(&world.app, world.ana).await.unwrap());
    assert_eq!(staged::pending(&world.app, world.ana).await.unwrap(), []);
}

#[tokio::test]
async fn simultaneous_uploads_are_limited_per_user_and_in_total() {
    let World { app, ana, ben, .. } = &World::new().await;
    let first = staged::begin(app, *ana).await.unwrap();
    let _second = staged::begin(app, *ana).await.unwrap();
    assert!(matches!(staged::begin(app, *ana).await, Err(Error::TooManyUploads)));
    let mut others = Vec::new();
    for user in 0..staged::AT_ONCE - 2 {
        others.push(staged::begin(app, Uuid::from_u128(user as u128)).await.unwrap());
    }
    assert!(matches!(staged::begin(app, *ben).await, Err(Error::Crowded)));
    drop(first);
    let ben = staged::begin(app, *ben).await.unwrap();
    let mut spool = ben.file(app).unwrap();
    spool.write(&vec![0; 300 << 10]).await.unwrap();
    assert_eq!((staged::vitals(app).receiving, staged::vitals(app).spooled_bytes), (staged::AT_ONCE, 300 << 10));
    let too_large = Refusal::Import(refusal::Import::TooLarge { max_mib: 50 });
    assert!(matches!(spool.write(&vec![0; 50 << 20]).await, Err(Error::Refused(refusal)) if refusal == too_large));
    drop(spool);
    drop((ben, others));
    assert_eq!((staged::vitals(app).receiving, staged::vitals(app).spooled_bytes), (1, 0));
}

#[tokio::test]
async fn uploads_of_all_users_together_have_a_quota() {
    let world = World::new().await.with_disk(disk::Limits { upload_quota: 1 << 20, reserve: 0 });
    let (app, ana, ben) = (&world.app, world.ana, world.ben);
    let mut state = 7_u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    let noise: Vec<u8> = (0..700 << 10).map(|_| random()).collect();
    let first = super::world::put(app, ana, "f", noise.clone()).await.unwrap();
    let texts = super::world::put(app, ben, "f", noise.clone()).await.unwrap_err();
    assert!(matches!(&texts, Error::NoSpace(NoSpace::Uploads { max_mib: 1 })), "{texts}");
    let incoming = staged::begin(app, ben).await.unwrap();
    let mut spool = incoming.file(app).unwrap();
    assert!(matches!(spool.write(&noise).await, Err(Error::NoSpace(_))), "on its way in, too");
    drop(spool);
    staged::discard(app, ana, first).await.unwrap();
    super::world::put(app, ben, "f", noise).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_refuses_new_work_and_loses_nothing() {
    let world = World::new().await;
    let (ana, waits) = (world.ana, upload(&world, world.ana).await);
    let world = world.with_disk(disk::Limits { reserve: u64::MAX / 2, ..disk::Limits::default() });
    let app = &world.app;
    let refused = [
        staged::begin(app, ana).await.map(drop),
        super::world::put(app, ana, "f", FILE.to_vec()).await.map(drop),
        staged::apply(app, ana, waits).await.map(drop),
        app::accounts::archive::everything(app, ana, "").await.map(drop),
        app::operations::backups::write(app, &std::env::temp_dir().join("never.db")).await,
    ];
    for (at, texts) in refused.into_iter().enumerate() {
        assert!(matches!(&texts, Err(Error::NoSpace(NoSpace::Disk { .. }))), "{at}: {texts:?}");
    }
    assert!(staged::plan(app, ana, waits).await.unwrap().is_some(), "it can still be looked at");
    let world = world.with_disk(disk::Limits { reserve: 0, ..disk::Limits::default() });
    assert_eq!(staged::apply(&world.app, ana, waits).await.unwrap().unwrap().entries, 1);
}
