//! Writing to the terminal.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};

/// A line to standard output. See [`written`] for what happens if it cannot be written.
pub(crate) fn line(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    written(writeln!(out, "{}", text.as_ref()).and_then(|()| out.flush()));
}

/// Ends the program if standard output could not be written: quietly if the reader went away
/// (`carom list scenes | head`), else with an error, as what was asked for is not there.
pub(crate) fn written(result: io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            remark(&format!("error: standard output cannot be written: {error}"));
            std::process::exit(2);
        }
    }
}

/// A line to standard error; there is nowhere to report a failure of that.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A table whose columns after the first `left` ones are aligned to the right.
pub(crate) fn table<const N: usize>(header: [&str; N], left: usize) -> Table {
    table_of(&header, left)
}

/// The same for a header whose length is known at run time only.
pub(crate) fn table_of(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(header.iter().copied());
    for (at, column) in table.column_iter_mut().enumerate() {
        if at >= left {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A number with blanks between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!(
            ["7", "123", "1 234", "1 234 567"],
            [7, 123, 1234, 1_234_567].map(grouped).each_ref().map(String::as_str)
        );
    }
}
