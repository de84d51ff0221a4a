//! Work that takes seconds and memory (packing, reading, planning and importing a file, exporting everything): a little of it at a
//! time, in a queue that is fair between users, so that nobody keeps the others from their files.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{App, Error};

/// How many jobs run at a time on this node, each of another user.
pub const AT_ONCE: usize = 2;
/// How many jobs of one user wait beside the one that runs.
pub const WAITING_PER_USER: usize = 2;
/// How many jobs wait in all; whoever comes then is sent away.
pub const WAITING_MAX: usize = 64;
/// Shorter than a request may take, so that whoever waits hears why.
const WAIT_MAX: Duration = Duration::from_secs(25);

/// Files above it are worked on one at a time, for the sake of memory.
const LARGE_BYTES: u64 = 256 << 10;

tokio::task_local! {
    static HELD: Arc<Turn>;
}

/// Does the work when it is the user's turn. Not to be asked for from within such work.
///
/// What the work does beside the runtime ([`held`]) keeps the turn to its end, even if nobody waits for it any more.
pub async fn run<T>(app: &App, user_id: Uuid, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let turn = turn(app, user_id).await?;
    HELD.scope(Arc::new(turn), work).await
}

/// Goes on with work of a turn in another task.
pub(crate) async fn within<T>(turn: Option<Arc<Turn>>, work: impl Future<Output = T>) -> T {
    match turn {
        Some(turn) => HELD.scope(turn, work).await,
        None => work.await,
    }
}

/// The turn in which the current task works, if it does.
pub(crate) fn current_turn() -> Option<Arc<Turn>> {
    HELD.try_with(Arc::clone).ok()
}

pub async fn turn(app: &App, user_id: Uuid) -> Result<Turn, Error> {
    let (turn, starts) = app.job_limit.enter(user_id)?;
    match timeout(WAIT_MAX, starts).await {
        Ok(Ok(())) => Ok(turn),
        _ => Err(Error::Crowded),
    }
}

/// To be held by a job for as long as it has so much of a file in memory.
pub(crate) async fn memory_for(app: &App, bytes: u64) -> Option<OwnedSemaphorePermit> {
    match bytes > LARGE_BYTES {
        true => app.job_limit.large.clone().acquire_owned().await.ok(),
        false => None,
    }
}

/// For those who watch the service.
pub struct Vitals {
    pub running: usize,
    pub waiting: usize,
}

pub fn vitals(app: &App) -> Vitals {
    let queue = lock(&app.job_limit.queue);
    Vitals { running: queue.running.len(), waiting: queue.waiting() }
}

pub(crate) struct JobLimit {
    queue: Arc<Mutex<Queue>>,
    large: Arc<Semaphore>,
}

impl Default for JobLimit {
    fn default() -> JobLimit {
        JobLimit { queue: Arc::default(), large: Arc::new(Semaphore::new(1)) }
    }
}

#[derive(Default)]
struct Queue {
    last_id: u64,
    running: Vec<(u64, Uuid)>,
    /// Users in the order of their turns, each once, with their jobs in the order they came.
    waiting: VecDeque<(Uuid, VecDeque<Job>)>,
}

struct Job {
    id: u64,
    start: oneshot::Sender<()>,
}

/// A place in the queue, then the right to work, until it is dropped.
pub struct Turn {
    queue: Arc<Mutex<Queue>>,
    id: u64,
}

impl JobLimit {
    fn enter(&self, user_id: Uuid) -> Result<(Turn, oneshot::Receiver<()>), Error> {
        let mut queue = lock(&self.queue);
        queue.admit(user_id)?;
        queue.last_id += 1;
        let (start, starts) = oneshot::channel();
        let job = Job { id: queue.last_id, start };
        let turn = Turn { queue: self.queue.clone(), id: job.id };
        match queue.waiting.iter_mut().find(|(user, _)| *user == user_id) {
            Some((_, jobs)) => jobs.push_back(job),
            None => queue.waiting.push_back((user_id, VecDeque::from([job]))),
        }
        queue.start_next();
        Ok((turn, starts))
    }
}

impl Queue {
    fn admit(&self, user_id: Uuid) -> Result<(), Error> {
        let of_user = self.waiting.iter().find(|(user, _)| *user == user_id).map_or(0, |(_, jobs)| jobs.len());
        if of_user >= WAITING_PER_USER {
            return Err(Error::TooManyJobs);
        }
        match self.waiting() >= WAITING_MAX {
            true => Err(Error::Crowded),
            false => Ok(()),
        }
    }

    fn waiting(&self) -> usize {
        self.waiting.iter().map(|(_, jobs)| jobs.len()).sum()
    }

    /// A user who has more to do goes to the end of the line.
    fn start_next(&mut self) {
        while self.running.len() < AT_ONCE {
            let is_idle = |user: &Uuid| self.running.iter().all(|(_, running)| running != user);
            let Some(at) = self.waiting.iter().position(|(user, _)| is_idle(user)) else { return };
            let Some((user, mut jobs)) = self.waiting.remove(at) else { return };
            if let Some(job) = jobs.pop_front() {
                self.running.push((job.id, user));
                // Whoever no longer waits for it drops the turn, which ends it.
                let _ = job.start.send(());
            }
            if !jobs.is_empty() {
                self.waiting.push_back((user, jobs));
            }
        }
    }

    fn end(&mut self, id: u64) {
        self.running.retain(|(running, _)| *running != id);
        for (_, jobs) in &mut self.waiting {
            jobs.retain(|job| job.id != id);
        }
        self.waiting.retain(|(_, jobs)| !jobs.is_empty());
        self.start_next();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        lock(&self.queue).end(self.id);
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: Uuid = Uuid::from_u128(1);
    const BOB: Uuid = Uuid::from_u128(2);
    const CAT: Uuid = Uuid::from_u128(3);

    /// Whose jobs run, in the order in which they began.
    fn running(limit: &JobLimit) -> Vec<Uuid> {
        lock(&limit.queue).running.iter().map(|(_, user)| *user).collect()
    }

    #[test]
    fn each_user_has_one_job_running_and_two_waiting() {
        let limit = JobLimit::default();
        let mut jobs: Vec<_> = (0..3).map(|_| limit.enter(ANA).unwrap()).collect();
        assert!(matches!(limit.enter(ANA), Err(Error::TooManyJobs)));
        assert_eq!(running(&limit), [ANA], "the other place is for others");
        let bob = limit.enter(BOB).unwrap();
        assert_eq!(running(&limit), [ANA, BOB]);
        drop(jobs.remove(0));
        assert_eq!(running(&limit), [BOB, ANA]);
        assert!(limit.enter(ANA).is_ok(), "one more may wait now, and left at once");
        drop((bob, jobs));
        assert!(running(&limit).is_empty());
    }

    #[test]
    fn users_take_turns_however_many_jobs_one_of_them_has() {
        let limit = JobLimit::default();
        let mut jobs: VecDeque<_> = [ANA, BOB, ANA, ANA, CAT].into_iter().map(|user| limit.enter(user).unwrap()).collect();
        // Ana works and is first in line; with her first job done, her next begins, and then Cat is before her last.
        drop(jobs.pop_front());
        assert_eq!(running(&limit), [BOB, ANA]);
        drop(jobs.pop_front());
        assert_eq!(running(&limit), [ANA, CAT]);
    }

    #[test]
    fn a_job_dropped_while_waiting_leaves_the_queue() {
        let limit = JobLimit::default();
        let (ana, bob) = (limit.enter(ANA).unwrap(), limit.enter(BOB).unwrap());
        let (gone, cat) = (limit.enter(ANA).unwrap(), limit.enter(CAT).unwrap());
        drop(gone);
        drop(ana);
        assert_eq!(running(&limit), [BOB, CAT]);
        drop((bob, cat));
    }

    #[test]
    fn the_job_queue_is_bounded() {
        let limit = JobLimit::default();
        let _jobs: Vec<_> = (0..AT_ONCE + WAITING_MAX).map(|user| limit.enter(Uuid::from_u128(user as u128)).unwrap()).collect();
        assert!(matches!(limit.enter(Uuid::from_u128(1_000)), Err(Error::Crowded)));
    }
}
