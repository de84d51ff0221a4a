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

    /// What is wrong with a clock that stands still, on any service that is no demo and no test.
    pub fn fixed(&self) -> Option<String> {
        let Clock::Fixed(instant) = self else { return None };
        Some(format!(
            "DRIPLINE_NOW stops the clock at {instant}: sessions, codes and tokens do not expire, and market data does not \
             get older. Unset it unless this is a demo or a test"
        ))
    }

    pub fn now_micros(&self) -> i64 {
        self.now().as_microsecond()
    }

    /// The day in UTC, which is the day of every answer.
    pub fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }
}
