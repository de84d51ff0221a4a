//! The current time: the system's, or a fixed one for demos and tests.

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

    /// The fixed time, if any; only in a demo or a test.
    pub fn fixed(&self) -> Option<Timestamp> {
        match self {
            Clock::System => None,
            Clock::Fixed(instant) => Some(*instant),
        }
    }

    pub fn now_micros(&self) -> i64 {
        self.now().as_microsecond()
    }

    /// The day in UTC, which all answers use.
    pub fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }
}
