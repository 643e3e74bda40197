//! The remote tier: a directory, and a server that lies, stalls and dies. `remote_s3.rs` has one that does neither.

use crate::common;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use common::{folder, key, value};
use mlirbc_store::remote::{Remote, RemoteOptions};
use mlirbc_store::{Options, RecordKind, Store};

/// What the server does with a GET.
#[derive(Clone, Debug, PartialEq)]
enum Mode {
    Honest,
    /// Bytes that were never put.
    Garbage(usize),
    /// One byte is another.
    Flipped(usize),
    /// The length is right, and the connection ends before.
    Torn(usize),
    /// The length is that of the part that comes.
    Short(usize),
    /// What another key has.
    Other(u64),
    /// An answer that never ends.
    Endless,
    /// A length that no machine has room for.
    Huge,
    /// Nothing is ever answered.
    Stalls,
    /// Nothing comes behind the head.
    StallsInside,
    /// A byte now and then.
    Drips,
    HangsUp,
    Status(u16),
    /// Elsewhere, which is here.
    Redirects,
    /// What is no HTTP.
    Babbles,
    /// It waits until it is let go.
    Waits,
}

#[derive(Debug)]
struct Server {
    address: SocketAddr,
    mode: Mutex<Mode>,
    /// Whether PUT and DELETE are answered.
    takes: AtomicBool,
    dead: AtomicBool,
    objects: Mutex<HashMap<String, Vec<u8>>>,
    go: (Mutex<bool>, Condvar),
}

impl Server {
    fn start() -> Arc<Server> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Arc::new(Server {
            address: listener.local_addr().expect("an address"),
            mode: Mutex::new(Mode::Honest),
            takes: AtomicBool::new(true),
            dead: AtomicBool::new(false),
            objects: Mutex::default(),
            go: Default::default(),
        });
        let serving = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if serving.dead.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), server) = (stream, serving.clone()) else { continue };
                // That the client has gone is its business.
                std::thread::spawn(move || drop(server.serve(stream)));
            }
        });
        server
    }

    fn kill(&self) {
        self.dead.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }

    fn be(&self, mode: Mode) {
        *self.mode.lock().unwrap() = mode;
    }

    fn let_go(&self) {
        *self.go.0.lock().unwrap() = true;
        self.go.1.notify_all();
    }

    fn url(&self) -> String {
        format!("http://{}/modules", self.address)
    }

    fn object(&self, number: u64) -> Option<Vec<u8>> {
        let name = key(number).to_string();
        let objects = self.objects.lock().unwrap();
        objects.iter().find(|(path, _)| path.ends_with(&name)).map(|(_, bytes)| bytes.clone())
    }

    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut out = stream;
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line)?;
        let mut words = line.split(' ').map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            if header.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = header.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        if method != "GET" && !self.takes.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_secs(60));
            return Ok(());
        }
        let answer = |out: &mut TcpStream, status: &str, length: usize| {
            write!(
                out,
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: \"x\"\r\nConnection: close\r\n\
                 Last-Modified: Sat, 21 Nov 2026 12:00:00 GMT\r\n\r\n"
            )
        };
        match method.as_str() {
            "PUT" => {
                self.objects.lock().unwrap().insert(path, body);
                return answer(&mut out, "201 Created", 0);
            }
            "DELETE" => {
                let found = self.objects.lock().unwrap().remove(&path).is_some();
                return answer(&mut out, if found { "204 No Content" } else { "404 Not Found" }, 0);
            }
            "GET" => {}
            _ => return answer(&mut out, "405 Method Not Allowed", 0),
        }
        let mode = self.mode.lock().unwrap().clone();
        let honest = self.objects.lock().unwrap().get(&path).cloned();
        let Some(mut bytes) = honest else { return answer(&mut out, "404 Not Found", 0) };
        let total = bytes.len();
        let wait = || std::thread::sleep(Duration::from_secs(60));
        match mode {
            Mode::Honest => {}
            Mode::Garbage(length) => bytes = value(999, 999, length.max(24)),
            Mode::Flipped(at) => bytes[at] ^= 0x10,
            Mode::Torn(end) => {
                answer(&mut out, "200 OK", total)?;
                return out.write_all(&bytes[..end]);
            }
            Mode::Short(end) => bytes.truncate(end),
            Mode::Other(number) => bytes = self.object(number).unwrap_or_default(),
            Mode::Endless => {
                write!(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"x\"\r\n\r\n")?;
                loop {
                    write!(out, "10000\r\n")?;
                    out.write_all(&[b'x'; 0x10000])?;
                    write!(out, "\r\n")?;
                }
            }
            Mode::Huge => {
                answer(&mut out, "200 OK", 1 << 60)?;
                out.write_all(&bytes)?;
                wait();
                return Ok(());
            }
            Mode::Stalls => {
                wait();
                return Ok(());
            }
            Mode::StallsInside => {
                answer(&mut out, "200 OK", total)?;
                out.write_all(&bytes[..total / 2])?;
                wait();
                return Ok(());
            }
            Mode::Drips => {
                answer(&mut out, "200 OK", total)?;
                for byte in bytes {
                    out.write_all(&[byte])?;
                    std::thread::sleep(Duration::from_millis(50));
                }
                return Ok(());
            }
            Mode::HangsUp => return Ok(()),
            Mode::Status(status) => return answer(&mut out, &format!("{status} So"), 0),
            Mode::Redirects => {
                let length = "Content-Length: 0\r\nConnection: close";
                return write!(out, "HTTP/1.1 302 Found\r\nLocation: {path}\r\n{length}\r\n\r\n");
            }
            Mode::Babbles => return out.write_all(&value(998, 998, 4096)),
            Mode::Waits => {
                let gone = self.go.0.lock().unwrap();
                drop(self.go.1.wait_while(gone, |gone| !*gone).unwrap());
            }
        }
        answer(&mut out, "200 OK", bytes.len())?;
        out.write_all(&bytes)
    }
}

fn quick() -> RemoteOptions {
    let short = Duration::from_millis(400);
    RemoteOptions::new().get_timeout(short).put_timeout(short).close_timeout(short)
}

fn open(path: &std::path::Path, url: &str, options: RemoteOptions) -> Store {
    let remote = Remote::open_with(url, options).expect("a client");
    Store::open_with(path, Options::new()).expect("a store").with_remote(remote)
}

fn bytes_of(store: &Store, number: u64) -> Option<Vec<u8>> {
    store.get_bytes(&key(number)).expect("a get never fails").map(|value| value.bytes.to_vec())
}

/// Sends `count` values from one store, and returns them.
fn filled(path: &std::path::Path, url: &str, count: u64) -> Vec<Vec<u8>> {
    let store = open(path, url, RemoteOptions::new());
    let values: Vec<Vec<u8>> = (0..count).map(|number| value(number, 1, 300 + 37 * number as usize)).collect();
    for (number, value) in values.iter().enumerate() {
        store.put_kind(&key(number as u64), RecordKind::Other, value, b"meta").expect("a put");
    }
    assert_eq!(store.flush_remote(Duration::from_secs(20)), 0);
    assert_eq!(store.stats().unwrap().remote_failed, 0);
    values
}

#[test]
fn a_directory_behind_two_stores() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let url = format!("file://{}", at("far").display());
    let large = value(77, 1, 3 << 20);
    let values = filled(&at("a"), &url, 50);
    open(&at("a"), &url, quick()).put_bytes(&key(77), &large, b"").unwrap();

    let store = open(&at("b"), &url, quick());
    for (number, value) in values.iter().enumerate() {
        assert!(!store.contains(&key(number as u64)));
        let found = store.get_bytes(&key(number as u64)).unwrap().expect("it was sent");
        assert_eq!((&*found.bytes, &*found.meta, found.kind), (&**value, &b"meta"[..], RecordKind::Other));
        assert!(store.contains(&key(number as u64)));
    }
    assert_eq!(bytes_of(&store, 77).as_deref(), Some(&*large));
    assert_eq!(bytes_of(&store, 500), None);
    let stats = store.stats().unwrap();
    assert_eq!((stats.remote_hits, stats.remote_failed, stats.misses), (51, 0, 1), "{stats:?}");
    assert_eq!(store.verify().unwrap().damage, []);

    // What is removed is removed there; what was got stays here without it.
    assert!(store.remove(&key(3)).unwrap());
    assert_eq!(store.flush_remote(Duration::from_secs(20)), 0);
    assert_eq!(bytes_of(&store, 3), None);
    assert_eq!(bytes_of(&open(&at("c"), &url, quick()), 3), None);
    std::fs::remove_dir_all(at("far")).unwrap();
    assert_eq!(bytes_of(&store, 4).as_ref(), Some(&values[4]));

    // A store that may only be read gives what comes, and keeps nothing.
    let _ = filled(&at("a2"), &url, 5);
    let remote = Remote::open_with(&url, quick()).unwrap();
    std::fs::create_dir(at("d")).unwrap();
    let reading = Store::open_with(at("d"), Options::new().read_only(true)).unwrap().with_remote(remote);
    assert_eq!(bytes_of(&reading, 2).as_ref(), Some(&values[2]));
    assert_eq!(std::fs::read_dir(at("d")).unwrap().count(), 0);
}

/// An object has the bytes of its key, whoever else has the same; where they arrive, they stand once again.
#[test]
fn equal_content_behind_two_stores() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let url = format!("file://{}", at("far").display());
    let bytes = value(77, 1, 100_000);
    let store = open(&at("a"), &url, RemoteOptions::new());
    for number in 0..3 {
        store.put_bytes(&key(number), &bytes, number.to_string().as_bytes()).unwrap();
    }
    assert_eq!(store.flush_remote(Duration::from_secs(20)), 0);
    assert!(store.remove(&key(0)).unwrap());
    assert_eq!(store.flush_remote(Duration::from_secs(20)), 0);
    let other = open(&at("b"), &url, quick());
    assert_eq!(bytes_of(&other, 0), None);
    for number in 1..3 {
        let found = other.get_bytes(&key(number)).unwrap().expect("it was sent");
        assert_eq!((&*found.bytes, &*found.meta), (&*bytes, number.to_string().as_bytes()));
        assert!(other.contains(&key(number)));
    }
    for store in [&store, &other] {
        let stats = store.stats().unwrap();
        assert!(stats.entries == 2 && stats.shared_bytes >= 100_000 && stats.remote_failed == 0, "{stats:?}");
    }
}

#[test]
fn damage_here_is_mended_from_there() {
    let folder = folder();
    let path = folder.path().join("a");
    let url = format!("file://{}", folder.path().join("far").display());
    let values = filled(&path, &url, 8);
    for entry in std::fs::read_dir(&path).unwrap() {
        let entry = entry.unwrap().path();
        if entry.extension().is_some_and(|extension| extension == "seg") {
            let mut bytes = std::fs::read(&entry).unwrap();
            // In the fourth value: what it begins with stands nowhere else.
            let at = bytes.windows(24).position(|window| window == &values[4][..24]).expect("it was put");
            bytes[at] ^= 1;
            // Another file, as maps must not change.
            std::fs::remove_file(&entry).unwrap();
            std::fs::write(&entry, bytes).unwrap();
        }
    }
    assert_eq!(bytes_of(&Store::open(&path).unwrap(), 4), None);
    let store = open(&path, &url, quick());
    assert_eq!(bytes_of(&store, 4).as_ref(), Some(&values[4]));
    drop(store);
    assert_eq!(bytes_of(&Store::open(&path).unwrap(), 4).as_ref(), Some(&values[4]), "mended for good");
}

#[test]
fn a_server_that_lies_stalls_and_dies() {
    let folder = folder();
    let server = Server::start();
    let values = filled(&folder.path().join("a"), &server.url(), 10);
    let length = server.object(5).expect("it was sent").len();
    let modes = [
        Mode::Garbage(0),
        Mode::Garbage(length),
        Mode::Garbage(1 << 20),
        Mode::Torn(0),
        Mode::Torn(length - 1),
        Mode::Short(0),
        Mode::Short(127),
        Mode::Short(length - 128),
        Mode::Short(length - 1),
        Mode::Other(6),
        Mode::Endless,
        Mode::Huge,
        Mode::Stalls,
        Mode::StallsInside,
        Mode::Drips,
        Mode::HangsUp,
        Mode::Status(200),
        Mode::Status(403),
        Mode::Status(429),
        Mode::Status(500),
        Mode::Status(503),
        Mode::Redirects,
        Mode::Babbles,
    ];
    for mode in modes {
        let path = folder.path().join("b");
        let store = open(&path, &server.url(), quick().max_object(8 << 20));
        store.put_bytes(&key(100), value(100, 1, 5_000), b"").unwrap();
        let (start, failed) = (Instant::now(), store.stats().unwrap().remote_failed);
        server.be(mode.clone());
        assert_eq!(bytes_of(&store, 5), None, "{mode:?}");
        assert!(start.elapsed() < Duration::from_secs(3), "{mode:?}: {:?}", start.elapsed());
        let stats = store.stats().unwrap();
        assert_eq!(stats.remote_failed - failed, 1, "{mode:?} is counted: {stats:?}");
        // What is here is here, and is put as before.
        assert_eq!(bytes_of(&store, 100), Some(value(100, 1, 5_000)));
        store.put_bytes(&key(101), value(101, 1, 5_000), b"").unwrap();
        server.be(Mode::Honest);
        assert_eq!(bytes_of(&store, 5).as_ref(), Some(&values[5]), "after {mode:?}");
        drop(store);
        std::fs::remove_dir_all(&path).unwrap();
    }

    // It dies: of what is here nothing is lost, what is not is a miss, and after some failures it is not asked.
    let store = open(&folder.path().join("b"), &server.url(), quick());
    assert_eq!(bytes_of(&store, 1).as_ref(), Some(&values[1]));
    server.kill();
    for number in 2..6 {
        assert_eq!(bytes_of(&store, number), None);
        store.put_bytes(&key(200 + number), value(number, 2, 800), b"").unwrap();
    }
    let start = Instant::now();
    for number in 300..400 {
        assert_eq!(bytes_of(&store, number), None);
    }
    assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
    assert_eq!(bytes_of(&store, 1).as_ref(), Some(&values[1]));
    assert_eq!(bytes_of(&store, 202), Some(value(2, 2, 800)));
    let start = Instant::now();
    drop(store);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn every_byte_of_an_object_flipped_in_turn() {
    let folder = folder();
    let server = Server::start();
    let values = filled(&folder.path().join("a"), &server.url(), 2);
    let length = server.object(0).expect("it was sent").len();
    let (mut misses, path) = (0, folder.path().join("b"));
    for at in 0..length {
        server.be(Mode::Flipped(at));
        // Read only: nothing stays here from one to the next.
        std::fs::create_dir_all(&path).unwrap();
        let remote = Remote::open_with(&server.url(), quick().get_timeout(Duration::from_secs(10))).unwrap();
        let store = Store::open_with(&path, Options::new().read_only(true)).unwrap().with_remote(remote);
        match bytes_of(&store, 0) {
            // Padding has no checksum.
            Some(found) => assert_eq!(found, values[0], "byte {at}"),
            None => misses += 1,
        }
        assert_eq!(store.stats().unwrap().remote_failed, u64::from(store.stats().unwrap().remote_hits == 0));
    }
    assert!(misses >= 128 + 128 + values[0].len(), "{misses} of {length} bytes");
}

#[test]
fn what_waits_to_be_sent_is_bounded() {
    let folder = folder();
    let server = Server::start();
    server.takes.store(false, Ordering::SeqCst);
    let path = folder.path().join("a");
    let store = open(&path, &server.url(), quick().put_timeout(Duration::from_secs(20)).queue(10));
    let start = Instant::now();
    for number in 0..200 {
        store.put_bytes(&key(number), value(number, 1, 2_000), b"").unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(store.stats().unwrap().remote_failed, 190);
    let start = Instant::now();
    drop(store);
    assert!(start.elapsed() < Duration::from_secs(2), "closing took {:?}", start.elapsed());
    let store = Store::open(&path).unwrap();
    assert_eq!((0..200).filter(|number| bytes_of(&store, *number).is_some()).count(), 200);
    assert_eq!(store.stats().unwrap().remote_failed, 200, "what was not sent is counted");
}

#[test]
fn what_is_put_while_the_server_answers_is_newer() {
    let folder = folder();
    let server = Server::start();
    let values = filled(&folder.path().join("a"), &server.url(), 2);
    let patient = quick().get_timeout(Duration::from_secs(20)).read_only(true);
    let store = open(&folder.path().join("b"), &server.url(), patient);
    store.put_bytes(&key(50), value(50, 1, 100), b"").unwrap();
    server.be(Mode::Waits);
    let newer = value(0, 2, 400);
    std::thread::scope(|scope| {
        let getting = scope.spawn(|| bytes_of(&store, 0));
        std::thread::sleep(Duration::from_millis(200));
        store.put_bytes(&key(0), &newer, b"").unwrap();
        server.let_go();
        let got = getting.join().unwrap().expect("either of them");
        assert!(got == newer || got == values[0]);
    });
    assert_eq!(bytes_of(&store, 0), Some(newer.clone()));
    drop(store);
    assert_eq!(bytes_of(&Store::open(folder.path().join("b")).unwrap(), 0), Some(newer));
}

#[test]
fn addresses() {
    for url in ["", "ftp://host/x", "no address", "memory:///"] {
        assert!(Remote::open(url).is_err(), "{url}");
    }
    assert!(Remote::open_with("s3://bucket/x", RemoteOptions::new().setting("no_such_setting", "1")).is_err());
    let known = RemoteOptions::new().setting("region", "eu-west-1").setting("aws_skip_signature", "true");
    assert!(Remote::open_with("s3://bucket/x", known).is_ok());
    for url in ["gs://bucket/x", "https://example.com/x"] {
        assert!(Remote::open(url).is_ok(), "{url}");
    }
    let azure = RemoteOptions::new().setting("azure_storage_account_name", "account");
    assert!(Remote::open_with("az://container/x", azure).is_ok());
}
