//! How many connections there may be: in all, and of one client, so that nobody takes the place of all others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::address::ClientKey;
use super::connection::Limits;

/// For whoever watches.
#[derive(Debug, Default)]
pub struct Connections {
    pub open: AtomicUsize,
    /// More than so many wait to be accepted.
    pub max: AtomicUsize,
    /// Closed at once, because their client had too many.
    pub refused: AtomicU64,
}

type Taken = Arc<Mutex<HashMap<ClientKey, usize>>>;

pub struct ConnectionLimit {
    room: Arc<Semaphore>,
    per_client_max: usize,
    proxies: Arc<[IpNet]>,
    taken: Taken,
    told: Arc<Connections>,
}

/// A place in the room, before it is known for whom.
pub type Place = Option<OwnedSemaphorePermit>;

/// Of one connection, until it is dropped.
pub struct ConnectionSlot {
    _place: Place,
    counted: Option<(ClientKey, Taken)>,
    told: Arc<Connections>,
}

impl ConnectionLimit {
    pub fn of(limits: &Limits, told: Arc<Connections>) -> ConnectionLimit {
        told.max.store(limits.connections_max, Ordering::Relaxed);
        ConnectionLimit {
            told,
            room: Arc::new(Semaphore::new(limits.connections_max)),
            per_client_max: limits.connections_per_client_max,
            proxies: limits.proxies.clone(),
            taken: Taken::default(),
        }
    }

    pub async fn place(&self) -> Place {
        self.room.clone().acquire_owned().await.ok()
    }

    /// None for a client that has as many as it may have.
    pub fn seat(&self, place: Place, peer: IpAddr) -> Option<ConnectionSlot> {
        let peer = peer.to_canonical();
        if self.proxies.iter().any(|network| network.contains(&peer)) {
            return Some(self.sat(place, None));
        }
        let key = ClientKey::from(peer);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(key).or_default();
        // A client that is refused has some, so that no entry is left behind.
        if *count >= self.per_client_max {
            self.told.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        *count += 1;
        Some(self.sat(place, Some(key)))
    }

    fn sat(&self, place: Place, key: Option<ClientKey>) -> ConnectionSlot {
        self.told.open.fetch_add(1, Ordering::Relaxed);
        ConnectionSlot { _place: place, counted: key.map(|key| (key, self.taken.clone())), told: self.told.clone() }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.told.open.fetch_sub(1, Ordering::Relaxed);
        let Some((key, taken)) = &self.counted else { return };
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(key);
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

    async fn sits(connection_limit: &ConnectionLimit, address: &str) -> Option<ConnectionSlot> {
        connection_limit.seat(connection_limit.place().await, address.parse().unwrap())
    }

    #[tokio::test]
    async fn each_client_has_its_own_number_and_gets_back_what_it_leaves() {
        let connection_limit = connection_limit(&[]);
        let (first, second) = (sits(&connection_limit, "192.0.2.1").await, sits(&connection_limit, "::ffff:192.0.2.1").await);
        assert!(first.is_some() && second.is_some() && sits(&connection_limit, "192.0.2.1").await.is_none());
        assert!(sits(&connection_limit, "192.0.2.2").await.is_some());
        drop(first);
        let third = sits(&connection_limit, "192.0.2.1").await;
        assert!(third.is_some() && sits(&connection_limit, "192.0.2.1").await.is_none());
        let told = |connection_limit: &ConnectionLimit| {
            (connection_limit.told.open.load(Ordering::Relaxed), connection_limit.told.refused.load(Ordering::Relaxed))
        };
        assert_eq!(told(&connection_limit), (2, 2));
        drop((second, third));
        assert!(connection_limit.taken.lock().unwrap().is_empty());
        assert_eq!(told(&connection_limit), (0, 2));
    }

    #[tokio::test]
    async fn a_network_of_ipv6_is_one_client() {
        let connection_limit = connection_limit(&[]);
        let taken = (sits(&connection_limit, "2001:db8:1:2::1").await, sits(&connection_limit, "2001:db8:1:2:ffff::2").await);
        assert!(taken.0.is_some() && taken.1.is_some());
        assert!(sits(&connection_limit, "2001:db8:1:2::3").await.is_none());
        assert!(sits(&connection_limit, "2001:db8:1:3::1").await.is_some());
    }

    #[tokio::test]
    async fn proxies_are_not_counted() {
        let connection_limit = connection_limit(&["10.0.0.0/8"]);
        let mut taken = Vec::new();
        for _ in 0..5 {
            taken.push(sits(&connection_limit, "::ffff:10.1.2.3").await.unwrap());
        }
        assert_eq!(connection_limit.told.open.load(Ordering::Relaxed), 5);
        assert!(connection_limit.taken.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn whoever_is_refused_leaves_the_room() {
        let connection_limit = connection_limit(&[]);
        let _taken = (sits(&connection_limit, "192.0.2.1").await, sits(&connection_limit, "192.0.2.1").await);
        let left = connection_limit.room.available_permits();
        assert!(sits(&connection_limit, "192.0.2.1").await.is_none());
        assert_eq!(connection_limit.room.available_permits(), left);
    }
}
