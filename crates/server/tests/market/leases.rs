//! Interrupted work is resumed at once, not when its lease expires.

use replay::Replay;
use store::refreshes::{self, Topic};
use testkit::Service;

use crate::world::{NOW, american, ledger, simple};

const ANA: &str = "ana@example.com";

fn in_hand(service: &Service) -> usize {
    service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        let rows = refreshes::of_symbol(&mut tx, "QRT").await.unwrap();
        rows.iter().chain(&refreshes::of_symbol(&mut tx, "ZED").await.unwrap()).filter(|row| row.holder.is_some()).count()
    })
}

#[test]
fn a_refresh_command_leases_only_what_it_works_on() {
    let mut world = simple();
    world.stocks.push(american("ZED", "10.00"));
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD", "2024-01-05,buy,ZED,1,9,USD"]));
    // Ended after its first step, as by Ctrl-C: the rest is free for a server.
    let most = std::cell::Cell::new(0);
    let progress = |done: usize, _: usize| most.set(most.get().max(if done < 6 { in_hand_now(&service) } else { 0 }));
    service.run(app::operations::jobs::refresh_now(&service.app, &[], &progress)).unwrap();
    assert_eq!((most.get(), in_hand(&service)), (0, 0));
}

/// From within the runtime.
fn in_hand_now(service: &Service) -> usize {
    std::thread::scope(|scope| scope.spawn(|| in_hand(service)).join().unwrap())
}

#[test]
fn a_node_that_gives_up_the_lead_releases_its_leases() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    replay.fail("", replay::Fault::Hang);
    let jobs = service.start_jobs();
    let begun = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        in_hand(&service) > 0
    });
    assert!(begun);
    service.run(async {
        jobs.abort();
        let _ = jobs.await;
        app::operations::jobs::step_down(&service.app).await.unwrap();
    });
    assert_eq!(in_hand(&service), 0);
    let due = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        refreshes::is_due(&mut tx, Topic::Quote, service.app.clock.now_micros()).await.unwrap()
    });
    assert!(due);
}
