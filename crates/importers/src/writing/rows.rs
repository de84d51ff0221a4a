//! Writing CSV that is read back as the same cells, whatever stands in them.

#[derive(Default)]
pub struct Rows {
    text: String,
}

impl Rows {
    pub fn push(&mut self, cells: impl Iterator<Item = impl AsRef<str>>) {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            self.cell(cell.as_ref());
        }
        self.text.push('\n');
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// In quotes where it holds any mark that some program parts cells with: readers count those marks to learn which it is.
    fn cell(&mut self, cell: &str) {
        match cell.contains([',', ';', '\t', '|', '"', '\n', '\r']) {
            true => {
                self.text.push('"');
                self.text.push_str(&cell.replace('"', "\"\""));
                self.text.push('"');
            }
            false => self.text.push_str(cell),
        }
    }
}
