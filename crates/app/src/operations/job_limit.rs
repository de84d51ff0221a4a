//! Limits work that takes seconds and memory (compressing, reading, planning and importing files, full exports): only a few jobs
//! run at a time, in a queue that is fair between users.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{App, Error};

/// How many jobs run at a time on this node, each of a different user.
pub const AT_ONCE: usize = 2;
/// How many jobs of one user may wait while another runs.
pub const WAITING_PER_USER: usize = 2;
/// How many jobs may wait in total; more are refused.
pub const WAITING_MAX: usize = 64;
/// Shorter than the time limit of a request, so that the user learns the reason.
const WAIT_MAX: Duration = Duration::from_secs(25);

/// Larger files are processed one at a time, to save memory.
pub(crate) const LARGE_BYTES: u64 = 256 << 10;

tokio::task_local! {
    static CURRENT_TURN: Arc<Turn>;
}

/// Runs the work when it is the user's turn. Must not be called from within such work.
///
/// Work on blocking threads ([`current_turn`]) keeps the turn until it ends, even if nobody waits for it any more.
pub async fn run<T>(app: &App, user_id: Uuid, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let turn = turn(app, user_id).await?;
    CURRENT_TURN.scope(Arc::new(turn), work).await
}

/// Continues the work of a turn in another task.
pub(crate) async fn within<T>(turn: Option<Arc<Turn>>, work: impl Future<Output = T>) -> T {
    match turn {
        Some(turn) => CURRENT_TURN.scope(turn, work).await,
        None => work.await,
    }
}

/// The turn of the current task, if it has one.
pub(crate) fn current_turn() -> Option<Arc<Turn>> {
    CURRENT_TURN.try_with(Arc::clone).ok()
}

pub async fn turn(app: &App, user_id: Uuid) -> Result<Turn, Error> {
    let (turn, starts) = app.job_limit.enter(user_id)?;
    match timeout(WAIT_MAX, starts).await {
        Ok(Ok(())) => Ok(turn),
        _ => Err(Error::Crowded),
    }
}

/// Held by a job as long as it has a large file in memory.
pub(crate) async fn memory_for(app: &App, is_large: bool) -> Option<OwnedSemaphorePermit> {
    match is_large {
        true => app.job_limit.large.clone().acquire_owned().await.ok(),
        false => None,
    }
}

/// For monitoring.
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
    /// Users in the order of their turns, each once, with their jobs in order of arrival.
    waiting: VecDeque<(Uuid, VecDeque<Job>)>,
}

struct Job {
    id: u64,
    start: oneshot::Sender<()>,
}

/// First a place in the queue, then permission to work, until it is dropped.
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

    /// A user with more jobs goes to the end of the queue.
    fn start_next(&mut self) {
        while self.running.len() < AT_ONCE {
            let is_idle = |user: &Uuid| self.running.iter().all(|(_, running)| running != user);
            let Some(at) = self.waiting.iter().position(|(user, _)| is_idle(user)) else { return };
            let Some((user, mut jobs)) = self.waiting.remove(at) else { return };
            if let Some(job) = jobs.pop_front() {
                self.running.push((job.id, user));
                // If nobody waits for it any more, the turn is dropped and ends.
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

    /// The users whose jobs are running, in the order they started.
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
        // Ana has a running job and is first in the queue; when it ends, her next one starts, and Cat comes before her last.
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
