//! Limits connections in total and per client, so that one client cannot use them all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::connection::limits::Limits;
use crate::request::address::ClientKey;

/// For the metrics.
#[derive(Debug, Default)]
pub struct Connections {
    pub open: AtomicUsize,
    /// Connections beyond this number wait to be accepted.
    pub max: AtomicUsize,
    /// Closed at once, because their client had too many.
    pub refused: AtomicU64,
}

type OpenByClient = Arc<Mutex<HashMap<ClientKey, usize>>>;

pub struct ConnectionLimit {
    permits: Arc<Semaphore>,
    per_client_max: usize,
    proxies: Arc<[IpNet]>,
    open_by_client: OpenByClient,
    stats: Arc<Connections>,
}

/// A permit, before the client is known.
pub type Permit = Option<OwnedSemaphorePermit>;

/// The permit of one connection, until it is dropped.
pub struct ConnectionSlot {
    _permit: Permit,
    counted: Option<(ClientKey, OpenByClient)>,
    stats: Arc<Connections>,
}

impl ConnectionLimit {
    pub fn of(limits: &Limits, stats: Arc<Connections>) -> ConnectionLimit {
        stats.max.store(limits.connections_max, Ordering::Relaxed);
        ConnectionLimit {
            stats,
            permits: Arc::new(Semaphore::new(limits.connections_max)),
            per_client_max: limits.connections_per_client_max,
            proxies: limits.proxies.clone(),
            open_by_client: OpenByClient::default(),
        }
    }

    pub async fn acquire(&self) -> Permit {
        self.permits.clone().acquire_owned().await.ok()
    }

    /// None if the client has reached its limit.
    pub fn claim(&self, permit: Permit, peer: IpAddr) -> Option<ConnectionSlot> {
        let peer = peer.to_canonical();
        if self.proxies.iter().any(|network| network.contains(&peer)) {
            return Some(self.slot(permit, None));
        }
        let key = ClientKey::from(peer);
        let mut open_by_client = self.open_by_client.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open_by_client.entry(key).or_default();
        // A refused client has other connections, so no empty entry is left behind.
        if *count >= self.per_client_max {
            self.stats.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        *count += 1;
        Some(self.slot(permit, Some(key)))
    }

    fn slot(&self, permit: Permit, key: Option<ClientKey>) -> ConnectionSlot {
        self.stats.open.fetch_add(1, Ordering::Relaxed);
        ConnectionSlot { _permit: permit, counted: key.map(|key| (key, self.open_by_client.clone())), stats: self.stats.clone() }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.stats.open.fetch_sub(1, Ordering::Relaxed);
        let Some((key, open_by_client)) = &self.counted else { return };
        let mut open_by_client = open_by_client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open_by_client.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                open_by_client.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection_limit(proxies: &[&str]) -> ConnectionLimit {
        let proxies = proxies.iter().map(|network| network.parse().unwrap()).collect();
        ConnectionLimit::of(&Limits { connections_per_client_max: 2, proxies, ..Limits::default() }, Arc::default())
    }

    async fn claimed(connection_limit: &ConnectionLimit, address: &str) -> Option<ConnectionSlot> {
        connection_limit.claim(connection_limit.acquire().await, address.parse().unwrap())
    }

    #[tokio::test]
    async fn each_client_has_its_own_limit_and_closed_connections_free_it() {
        let connection_limit = connection_limit(&[]);
        let (first, second) =
            (claimed(&connection_limit, "192.0.2.1").await, claimed(&connection_limit, "::ffff:192.0.2.1").await);
        assert!(first.is_some() && second.is_some() && claimed(&connection_limit, "192.0.2.1").await.is_none());
        assert!(claimed(&connection_limit, "192.0.2.2").await.is_some());
        drop(first);
        let third = claimed(&connection_limit, "192.0.2.1").await;
        assert!(third.is_some() && claimed(&connection_limit, "192.0.2.1").await.is_none());
        let stats = |connection_limit: &ConnectionLimit| {
            (connection_limit.stats.open.load(Ordering::Relaxed), connection_limit.stats.refused.load(Ordering::Relaxed))
        };
        assert_eq!(stats(&connection_limit), (2, 2));
        drop((second, third));
        assert!(connection_limit.open_by_client.lock().unwrap().is_empty());
        assert_eq!(stats(&connection_limit), (0, 2));
    }

    #[tokio::test]
    async fn an_ipv6_network_is_one_client() {
        let connection_limit = connection_limit(&[]);
        let open_by_client =
            (claimed(&connection_limit, "2001:db8:1:2::1").await, claimed(&connection_limit, "2001:db8:1:2:ffff::2").await);
        assert!(open_by_client.0.is_some() && open_by_client.1.is_some());
        assert!(claimed(&connection_limit, "2001:db8:1:2::3").await.is_none());
        assert!(claimed(&connection_limit, "2001:db8:1:3::1").await.is_some());
    }

    #[tokio::test]
    async fn proxies_are_not_counted() {
        let connection_limit = connection_limit(&["10.0.0.0/8"]);
        let mut open_by_client = Vec::new();
        for _ in 0..5 {
            open_by_client.push(claimed(&connection_limit, "::ffff:10.1.2.3").await.unwrap());
        }
        assert_eq!(connection_limit.stats.open.load(Ordering::Relaxed), 5);
        assert!(connection_limit.open_by_client.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_refused_connection_takes_no_permit() {
        let connection_limit = connection_limit(&[]);
        let _taken = (claimed(&connection_limit, "192.0.2.1").await, claimed(&connection_limit, "192.0.2.1").await);
        let left = connection_limit.permits.available_permits();
        assert!(claimed(&connection_limit, "192.0.2.1").await.is_none());
        assert_eq!(connection_limit.permits.available_permits(), left);
    }
}
