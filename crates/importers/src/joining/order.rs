//! Chronological order: brokers print the newest first as often as the oldest.

use jiff::civil::{Date, Time};

use crate::Record;

/// By day and time; rows of one moment keep the order of the file, reversed if the file runs backwards.
pub fn chronological(records: &mut [Record]) {
    // Separate from the records, which are large, because there are many comparisons.
    let days: Vec<Date> = records.iter().map(|record| record.date).collect();
    let lines: Vec<u64> = records.iter().map(|record| record.line).collect();
    let mut order: Vec<usize> = (0..records.len()).collect();
    // A file may be written in one line: then only the order of reading is known.
    order.sort_by_key(|at| lines[*at]);
    let steps = |order: &[usize], earlier: bool| {
        let days = order.windows(2).map(|pair| (days[pair[0]], days[pair[1]]));
        days.filter(|(day, next)| if earlier { next < day } else { next > day }).count()
    };
    if steps(&order, true) > steps(&order, false) {
        order.reverse();
        // Records of one row keep their own order.
        for at in 1..order.len() {
            if records[order[at - 1]].second && !records[order[at]].second && lines[order[at - 1]] == lines[order[at]] {
                order.swap(at - 1, at);
            }
        }
    }
    if records.iter().any(|record| record.time.is_none()) {
        order.sort_by_key(|at| days[*at]);
    }
    let times = times(records, &order);
    order.sort_by_key(|at| (days[*at], times[*at]));
    arrange(records, order);
}

/// In place, cycle by cycle: a position is done when its order is itself.
fn arrange(records: &mut [Record], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let from = std::mem::replace(&mut order[at], at);
            records.swap(at, from);
            at = from;
        }
        order[at] = at;
    }
}

/// A row without a time is as late as the previous one of its day, because it needs a position among rows with a time.
fn times(records: &[Record], order: &[usize]) -> Vec<Option<Time>> {
    let mut times = vec![None; records.len()];
    let mut before: (Option<Date>, Option<Time>) = (None, None);
    for at in order {
        let record = &records[*at];
        let time = record.time.or(before.1.filter(|_| before.0 == Some(record.date)));
        before = (Some(record.date), time);
        times[*at] = time;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{date, time};
    use ledger::Kind;

    fn order(rows: &[(u64, i8, Option<i8>)]) -> Vec<u64> {
        let record = |(line, day, hour): &(u64, i8, Option<i8>)| Record {
            time: hour.map(|hour| time(hour, 0, 0, 0)),
            ..Record::new(*line, date(2024, 1, *day), Kind::Buy)
        };
        let mut records: Vec<Record> = rows.iter().map(record).collect();
        chronological(&mut records);
        records.iter().map(|record| record.line).collect()
    }

    #[test]
    fn a_newest_first_file_is_reversed_and_times_order_each_day() {
        assert_eq!(order(&[(1, 3, None), (2, 2, None), (3, 2, None), (4, 1, None)]), [4, 3, 2, 1]);
        assert_eq!(order(&[(1, 1, None), (2, 2, None), (3, 2, None)]), [1, 2, 3]);
        assert_eq!(order(&[(1, 1, Some(9)), (2, 1, Some(8)), (3, 1, Some(10))]), [2, 1, 3]);
        assert_eq!(order(&[(1, 5, None), (2, 5, None)]), [1, 2]);
    }

    #[test]
    fn a_single_line_file_is_reversed_too_and_records_of_one_row_stay_together() {
        let row = |day: i8, second: bool, note: &str| Record {
            second,
            note: Some(note.to_owned()),
            ..Record::new(1, date(2024, 1, day), Kind::Buy)
        };
        let mut records = vec![row(3, false, "e"), row(2, false, "c"), row(2, true, "d"), row(2, false, "b"), row(1, false, "a")];
        chronological(&mut records);
        assert_eq!(records.iter().filter_map(|record| record.note.as_deref()).collect::<String>(), "abcde");
    }

    #[test]
    fn a_row_without_a_time_keeps_its_place_among_timed_rows() {
        assert_eq!(order(&[(1, 1, Some(9)), (2, 1, None), (3, 1, Some(8)), (4, 1, None)]), [3, 4, 1, 2]);
        // A hundred rows of one day, with decreasing times, every third without one.
        let rows: Vec<_> = (0..100_i8).map(|at| (at as u64, 1, (at % 3 != 0).then_some(20 - at / 5))).collect();
        let sorted = order(&rows);
        let hours: Vec<_> = sorted.iter().filter_map(|line| rows[*line as usize].2).collect();
        assert!(hours.is_sorted(), "{hours:?}");
    }
}
