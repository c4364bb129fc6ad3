//! Writing a report: all files are made in memory, then each is put in place as a whole.
//!
//! A file is written under another name and renamed, so a reader, or a crash, meets the old file or
//! the new one and never half of one. The page comes last: where there is one, all it links to is
//! there as well.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ReportError;
use crate::model::Report;
use crate::page::{File, Layout, html, markdown};
use crate::validate;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page to look at.
    pub html: PathBuf,
    /// The same as Markdown.
    pub markdown: PathBuf,
    /// Every file, in the order in which they were written; the page is the last.
    pub files: Vec<PathBuf>,
}

impl Report {
    /// Writes `report.html`, `report.md`, and for every figure an SVG, a PNG and a CSV file, for
    /// every table a CSV file. Makes the folder if there is none; files of the same names are
    /// replaced, others left alone.
    ///
    /// # Errors
    ///
    /// If lists that belong together do not fit, a figure is too large, or a file cannot be
    /// written. Nothing is written in the first two cases.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<Written, ReportError> {
        let folder = folder.as_ref();
        let files = self.files()?;
        fs::create_dir_all(folder).map_err(|source| ReportError::File { path: folder.to_owned(), source })?;
        let mut written = Vec::new();
        for (name, content) in &files {
            written.push(put(folder, name, content)?);
        }
        Ok(Written { html: folder.join("report.html"), markdown: folder.join("report.md"), files: written })
    }

    /// All files with their names, the page last.
    fn files(&self) -> Result<Vec<File>, ReportError> {
        validate::check(self)?;
        let layout = Layout::new(self);
        let mut files = layout.files()?;
        files.push(("report.md".to_owned(), markdown::page(&layout).into_bytes()));
        files.push(("report.html".to_owned(), html::page(&layout).into_bytes()));
        Ok(files)
    }
}

/// Puts a file in its place as a whole.
fn put(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, ReportError> {
    let path = folder.join(name);
    // Two programs that write into one folder must not share the file on the way.
    let on_the_way = folder.join(format!(".{name}.{}.part", std::process::id()));
    let result = fs::write(&on_the_way, content).and_then(|()| fs::rename(&on_the_way, &path));
    match result {
        Ok(()) => Ok(path),
        Err(source) => {
            let _ = fs::remove_file(&on_the_way); // the first error is the one to report
            Err(ReportError::File { path, source })
        }
    }
}
