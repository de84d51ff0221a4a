//! One more node on a service's database, as one of several behind a load balancer.

use std::net::SocketAddr;
use std::sync::Arc;

use app::accounts::SignUp;
use serving::{Draining, Redis};
use tokio::task::JoinHandle;

use crate::{Answer, Service, answer};

/// It trusts any forwarded address. Dropping it stops it.
pub struct Node {
    pub address: SocketAddr,
    pub redis: Option<Arc<Redis>>,
    pub draining: Draining,
    task: JoinHandle<()>,
}

impl Node {
    pub fn start(service: &Service, redis_url: Option<&str>) -> Node {
        let redis = redis_url.map(|url| Redis::at(url).unwrap());
        let draining = Draining::default();
        let listener = service.run(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let settings = server::Settings {
            base_url: format!("http://{}", service.address),
            trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()],
            sign_up: SignUp::Open,
            documents: service.documents.clone(),
            redis: redis.clone(),
            draining: draining.clone(),
            requests_at_once: serving::concurrency(),
        };
        let site = server::site(service.app.clone(), settings);
        let task = service.runtime.spawn(serving::serve(listener, site, serving::Limits::default(), std::future::pending()));
        Node { address, redis, draining, task }
    }

    pub fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.request("GET", path, token, &[])
    }

    pub fn request(&self, method: &str, path: &str, token: Option<&str>, headers: &[(&str, &str)]) -> Answer {
        answer::fetch(method, &format!("http://{}{path}", self.address), token, headers)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.task.abort();
    }
}
