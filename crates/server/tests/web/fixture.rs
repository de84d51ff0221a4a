//! A signed-in user of the sample world, with the API to check changes.

use serde_json::Value;
use testkit::sample::{ANA, BOB, World};
use testkit::{Answer, Browser};

const PASSWORD: &str = "a lantern over quiet water";

pub struct Fixture {
    pub world: World,
    pub ana: Browser,
}

impl Fixture {
    pub fn new() -> Fixture {
        Fixture::of(World::start())
    }

    pub fn of(world: World) -> Fixture {
        let ana = signed_in(&world, ANA);
        Fixture { world, ana }
    }

    pub fn bob(&self) -> Browser {
        signed_in(&self.world, BOB)
    }

    /// What the API answers Ana.
    pub fn api(&self, path: &str) -> Value {
        self.world.get(path, Some(&self.world.ana)).json()
    }

    pub fn tag(&self) -> String {
        self.world.get("/api/v1/holdings", Some(&self.world.ana)).header("etag").to_owned()
    }

    /// Shares of a symbol in a portfolio, as the API has them.
    pub fn shares(&self, symbol: &str, portfolio: &str) -> Option<String> {
        let holdings = self.api("/api/v1/holdings");
        let all = holdings["holdings"].as_array().unwrap();
        let one = all.iter().find(|one| one["symbol"] == symbol && one["portfolio"] == portfolio)?;
        Some(one["shares"].as_str().unwrap().to_owned())
    }

    pub fn names(&self) -> Vec<String> {
        let listed = self.api("/api/v1/portfolios");
        listed["portfolios"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn signed_in(world: &World, email: &str) -> Browser {
    world.set_password(email, PASSWORD);
    let browser = world.browser();
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    browser
}

pub fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").to_owned()
}
