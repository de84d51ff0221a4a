//! Batches look-ups of tokens that wait at the same time: one statement answers them all.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::failure::silent;
use super::look_up::LookUps;
use crate::look_ups::{SESSION, SESSIONS, SESSIONS_AT_ONCE};
use crate::value::Param;
use crate::{Error, Session};

type Hash = [u8; 32];
type Answer = Result<Option<Session>, Error>;

#[derive(Default)]
pub(super) struct Gathering {
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<(Hash, oneshot::Sender<Answer>)>,
    /// Whether a task is running that answers those waiting.
    attended: bool,
}

/// Look-ups that arrive while a statement is running wait for the next one.
pub(super) async fn session(gathering: &Arc<Gathering>, look_ups: &Arc<LookUps>, hash: &Hash) -> Answer {
    let (sender, answer) = oneshot::channel();
    let attended = {
        let mut queue = gathering.queue();
        queue.waiting.push((*hash, sender));
        std::mem::replace(&mut queue.attended, true)
    };
    if !attended {
        // Independent of the request, which may be cancelled while others wait for the same answer.
        tokio::spawn(attend(gathering.clone(), look_ups.clone()));
    }
    look_ups.wait_budget().wait(answer).await.and_then(Result::ok).unwrap_or_else(|| Err(silent()))
}

async fn attend(gathering: Arc<Gathering>, look_ups: Arc<LookUps>) {
    while let Some(some) = gathering.next() {
        let hashes: Vec<Hash> = some.iter().map(|(hash, _)| *hash).collect();
        let found = sessions(&look_ups, &hashes).await;
        for (hash, sender) in some {
            let answer = match &found {
                Ok(found) => Ok(found.iter().find(|(of, _)| *of == hash).map(|(_, session)| *session)),
                Err(error) => Err(error.clone()),
            };
            // The receiver may be gone.
            sender.send(answer).ok();
        }
    }
}

async fn sessions(look_ups: &LookUps, hashes: &[Hash]) -> Result<Vec<(Hash, Session)>, Error> {
    if let [hash] = hashes {
        let found = look_ups.query(&SESSION, &[hash.into()]).await?;
        return Ok(found.into_iter().map(|session| (*hash, session)).collect());
    }
    // Unused parameters repeat the first hash.
    let all = hashes.iter().chain(std::iter::repeat(&hashes[0]));
    let params: Vec<Param<'_>> = all.take(SESSIONS_AT_ONCE).map(Param::from).collect();
    look_ups.query(&SESSIONS, &params).await
}

impl Gathering {
    /// `None` if nobody is waiting; the task then ends.
    fn next(&self) -> Option<Vec<(Hash, oneshot::Sender<Answer>)>> {
        let mut queue = self.queue();
        let many = queue.waiting.len().min(SESSIONS_AT_ONCE);
        queue.attended = many > 0;
        (many > 0).then(|| queue.waiting.drain(..many).collect())
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
