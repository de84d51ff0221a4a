//! Writes CSV that reads back as the same cells, whatever they contain.

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

    /// In quotes if it contains any character that some program uses as a separator: readers count those to find out which one it
    /// is.
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
