//! One request in flight per question: others who ask the same meanwhile share its answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

pub(crate) struct Flights<T> {
    open: Arc<Mutex<HashMap<String, watch::Receiver<Option<T>>>>>,
}

impl<T> Default for Flights<T> {
    fn default() -> Flights<T> {
        Flights { open: Arc::default() }
    }
}

impl<T: Clone + Send + Sync + 'static> Flights<T> {
    /// The answer, and whether this call made the request. The request continues if its caller gives up. `None` if it ended
    /// without an answer: it panicked, or the program is shutting down.
    pub async fn join(&self, key: String, request: impl Future<Output = T> + Send + 'static) -> (Option<T>, bool) {
        let (mut receiver, leader) = self.board(key, request);
        let answer = receiver.wait_for(Option::is_some).await.ok().and_then(|answer| answer.clone());
        (answer, leader)
    }

    fn board(&self, key: String, request: impl Future<Output = T> + Send + 'static) -> (watch::Receiver<Option<T>>, bool) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // If the sender is gone, the request died.
        if let Some(receiver) = open.get(&key).filter(|receiver| receiver.has_changed().is_ok()) {
            return (receiver.clone(), false);
        }
        let (sender, receiver) = watch::channel(None);
        open.insert(key.clone(), receiver.clone());
        let flights = self.open.clone();
        tokio::spawn(async move {
            let answer = request.await;
            flights.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
            sender.send_replace(Some(answer));
        });
        (receiver, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[tokio::test]
    async fn identical_simultaneous_questions_share_one_request() {
        let flights = Flights::default();
        let made = Arc::new(AtomicUsize::new(0));
        let ask = || {
            let made = made.clone();
            flights.join("quote KO".to_owned(), async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                made.fetch_add(1, Ordering::SeqCst)
            })
        };
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        assert_eq!((first, second, third), ((Some(0), true), (Some(0), false), (Some(0), false)));
        assert_eq!(ask().await, (Some(1), true), "the next one asks anew");
    }

    #[tokio::test]
    async fn a_request_continues_after_its_caller_is_gone() {
        let flights = Flights::default();
        let done = Arc::new(AtomicUsize::new(0));
        let counter = done.clone();
        let request = async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            counter.fetch_add(1, Ordering::SeqCst)
        };
        assert!(tokio::time::timeout(Duration::from_millis(5), flights.join("x".to_owned(), request)).await.is_err());
        tokio::time::sleep(Duration::from_millis(60)).await;
        assert_eq!(done.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_panicking_request_leaves_no_caller_waiting() {
        let flights: Flights<u8> = Flights::default();
        let dies = || async { panic!("on purpose") };
        assert_eq!(flights.join("x".to_owned(), dies()).await, (None, true));
        assert_eq!(flights.join("x".to_owned(), async { 7 }).await, (Some(7), true));
    }
}
