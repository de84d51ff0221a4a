//! What time it is: the system's, or one fixed for demos and tests.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    Fixed(Timestamp),
}

impl Clock {
    pub fn now(&self) -> Timestamp {
        match self {
            Clock::System => Timestamp::now(),
            Clock::Fixed(instant) => *instant,
        }
    }

    /// The instant at which it stands still, which it should only in a demo or a test.
    pub fn fixed(&self) -> Option<Timestamp> {
        match self {
            Clock::System => None,
            Clock::Fixed(instant) => Some(*instant),
        }
    }

    pub fn now_micros(&self) -> i64 {
        self.now().as_microsecond()
    }

    /// The day in UTC, which is the day of every answer.
    pub fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }
}
