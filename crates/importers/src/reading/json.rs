//! Lists in JSON files, and the lines of their members.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Problem, Reason};

/// The line on which each member of a list begins, in the order of the text.
pub fn lines_of(text: &str, members: &[&RawValue]) -> Vec<u64> {
    let (mut counted, mut line) = (0, 1);
    let of = |member: &&RawValue| {
        let place = (member.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        line += text.get(counted..place).map_or(0, |passed| passed.matches('\n').count() as u64);
        counted = counted.max(place);
        line
    };
    members.iter().map(of).collect()
}

/// The members of the list with this name, each with the line on which it has `field`; all on the first line if that is unknown.
/// The error refuses the file.
pub fn members(text: &str, list: &str, field: &str) -> Result<Vec<(u64, Value)>, Problem> {
    let mut whole: Value =
        serde_json::from_str(text).map_err(|error| Problem::new(error.line() as u64, Reason::JsonMalformed))?;
    let members = whole.get_mut(list).and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    let named = |line: &str| line.matches(&format!("\"{field}\"")).count();
    let lines: Vec<u64> = (1..).zip(text.lines()).flat_map(|(number, line)| vec![number; named(line)]).collect();
    let lines = if lines.len() == members.len() { lines } else { vec![1; members.len()] };
    Ok(lines.into_iter().zip(members).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_member_has_the_line_where_it_begins() {
        let text = "[\n{\"a\":\n1}, {}\n,\n{}]";
        let members: Vec<&RawValue> = serde_json::from_str(text).unwrap();
        assert_eq!(lines_of(text, &members), [2, 3, 5]);
    }

    #[test]
    fn a_json_member_has_the_line_of_its_named_field() {
        let lines = |text: &str| -> Vec<u64> { members(text, "all", "Action").unwrap().iter().map(|(line, _)| *line).collect() };
        assert_eq!(lines("{\"all\": [\n{\n\"Action\": 1}, {\"Action\": 2}\n]}"), [3, 3]);
        assert_eq!(lines("{\"all\": [\n{\"Action\": \"\\\"\"},\n{\"else\": 2}\n]}"), [1, 1]);
        assert_eq!(members("{\n,", "all", "Action").unwrap_err().line, 2);
    }
}
