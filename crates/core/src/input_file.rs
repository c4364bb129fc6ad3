//! Opening files that a user names.
//!
//! A plain `File::open` waits without end for somebody to write into a pipe, opens `/dev/zero`,
//! which has no end, and a directory, which then cannot be read. Here a path opens at once or is
//! refused with the reason. A pipe that is written to is fine: `carom run <(generator)` works.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// How long a pipe may be without a writer: the two programs of a command line start within
/// milliseconds of each other.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Opens a file, or a pipe that somebody writes to.
///
/// # Errors
/// What the system says; or that the path is a directory, a device, a socket, or a pipe that nobody
/// writes to.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return open_pipe(path);
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device, not a file"));
        }
        if kind.is_socket() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a socket, not a file"));
        }
    }
    File::open(path)
}

/// All bytes of what [`open`] opens.
///
/// # Errors
/// Those of [`open`], and of reading.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// Those of [`read`], and if it is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Opening a pipe waits for a writer, and no call of the standard library can be told how long. A
/// thread waits; if nobody comes, it is left behind and ends with the program.
#[cfg(unix)]
fn open_pipe(path: &Path) -> io::Result<File> {
    let (sender, opened) = std::sync::mpsc::channel();
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = sender.send(File::open(path));
    });
    let nobody = || io::Error::new(io::ErrorKind::TimedOut, "it is a pipe that nobody writes to");
    opened.recv_timeout(PATIENCE).map_err(|_| nobody())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_refused() {
        let error = open(Path::new(".")).unwrap_err();
        assert_eq!(error.to_string(), "it is a directory, not a file");
        assert_eq!(open(Path::new("no such file")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_sockets_are_refused() {
        for device in ["/dev/zero", "/dev/null", "/dev/full"] {
            assert_eq!(open(Path::new(device)).unwrap_err().to_string(), "it is a device, not a file");
        }
        let path = std::env::temp_dir().join(format!("carom-socket-{}", std::process::id()));
        let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert_eq!(open(&path).unwrap_err().to_string(), "it is a socket, not a file");
        drop(listener);
        fs::remove_file(path).unwrap();
    }
}
