use serde_json::json;
use testkit::sample::World;

use crate::talk::{call, error_text};

#[test]
fn a_user_is_limited_to_240_calls_a_minute_without_affecting_others() {
    let world = World::start();
    let begun = std::time::Instant::now();
    for number in 1..=240 {
        assert_eq!(call(&world, &world.ana, "get_me", json!({}))["isError"], json!(false), "call {number}");
    }
    assert!(begun.elapsed().as_secs() < 50, "the test itself took too long to tell");
    let sentence = error_text(&call(&world, &world.ana, "get_me", json!({})));
    let seconds: u64 = sentence.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
    assert!((1..=60).contains(&seconds), "{sentence}");
    assert!(sentence.contains(&format!("Wait {seconds} second")), "{sentence}");
    assert_eq!(call(&world, &world.bob, "get_me", json!({}))["isError"], json!(false));
    let another =
        world.run(app::authentication::tokens::create(&world.app, world.user_id(testkit::sample::ANA), "another")).unwrap().token;
    error_text(&call(&world, &another, "get_me", json!({})));
}
