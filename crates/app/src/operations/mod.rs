//! How the service is run: background jobs, backups, checks, limits, encryption at rest, and the demo.

pub mod backups;
pub mod demo;
pub mod disk;
pub mod doctor;
pub mod encryption;
pub mod job_limit;
pub mod jobs;
pub mod progress;
