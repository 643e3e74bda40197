//! The remote tier in a real S3 server on loopback: moto's, from PyPI.
//!
//! `MLIRBC_S3_SERVER` names the command `moto_server`; without it, the one on the path is started, or one that is
//! installed to the target folder, which takes a minute once and needs a network (`CARGO_NET_OFFLINE` forbids it).
//! `python3 -m venv DIR && DIR/bin/pip install 'moto[s3]' flask flask-cors` makes one.

use crate::common;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{folder, key, value};
use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_store::remote::{Remote, RemoteOptions};
use mlirbc_store::{Options, Store};
use mlirbc_testing::{Shape, generate};

struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn works(command: &Path) -> bool {
    let quiet = Command::new(command).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// The server's command.
fn command() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("MLIRBC_S3_SERVER") {
        return Some(named.into());
    }
    let on_path = PathBuf::from("moto_server");
    if works(&on_path) {
        return Some(on_path);
    }
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moto");
    let server = made.join("bin/moto_server");
    if works(&server) {
        return Some(server);
    }
    if std::env::var("CARGO_NET_OFFLINE").is_ok_and(|offline| offline == "true") {
        return None;
    }
    let run = |command: &mut Command| command.stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let installed = run(Command::new("python3").args(["-m", "venv"]).arg(&made))
        && run(Command::new(made.join("bin/pip")).args(["install", "-q", "moto[s3]", "flask", "flask-cors"]));
    (installed && works(&server)).then_some(server)
}

/// A request as it is, without a signature; the status.
fn request(port: u16, method: &str, path: &str, body: &[u8]) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\
         X-Amz-Acl: public-read-write\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    Ok(answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

fn start(command: &Path, port: Option<u16>) -> Server {
    let free = || TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = port.unwrap_or_else(|| free().expect("a port").port());
    let mut child = Command::new(command);
    child.args(["-H", "127.0.0.1", "-p", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    let server = Server { child: child.spawn().expect("the server starts"), port };
    let started = Instant::now();
    while !request(port, "PUT", "/modules", b"").is_ok_and(|status| status == 200) {
        assert!(started.elapsed() < Duration::from_secs(60), "the server does not answer");
        std::thread::sleep(Duration::from_millis(100));
    }
    server
}

fn open(path: &Path, port: u16) -> Store {
    let second = Duration::from_secs(1);
    let options = RemoteOptions::new()
        .get_timeout(5 * second)
        .setting("endpoint", format!("http://127.0.0.1:{port}"))
        .setting("allow_http", "true")
        .setting("region", "us-east-1")
        .setting("access_key_id", "unknown")
        .setting("secret_access_key", "nothing");
    let remote = Remote::open_with("s3://modules/of/a/team", options).expect("a client");
    Store::open_with(path, Options::new()).expect("a store").with_remote(remote)
}

fn bytes_of(store: &Store, number: u64) -> Option<Vec<u8>> {
    store.get_bytes(&key(number)).expect("a get never fails").map(|value| value.bytes.to_vec())
}

#[test]
fn a_real_server() {
    let Some(command) = command() else {
        mlirbc_testing::skipped("a_real_server", "no `moto_server`, and none that could be installed");
        return;
    };
    let server = start(&command, None);
    let port = server.port;
    let folder = folder();
    let at = |name: &str| folder.path().join(name);

    // One machine compiles, another gets it.
    let context = mlirbc_testing::context();
    let module = generate(&context, Shape::Functions, 300_000).unwrap();
    let bytecode = write(&module, &WriteOptions::default()).unwrap();
    let values: Vec<Vec<u8>> = (0..100).map(|number| value(number, 1, 50 * number as usize)).collect();
    let large = value(900, 1, 12 << 20);
    let one = open(&at("one"), port);
    for (number, value) in values.iter().enumerate() {
        one.put_bytes(&key(number as u64), value, b"").unwrap();
    }
    one.put_bytes(&key(901), &bytecode, b"compiled").unwrap();
    one.put_bytes(&key(900), &large, b"").unwrap();
    assert_eq!(one.flush_remote(Duration::from_secs(60)), 0);
    assert_eq!(one.stats().unwrap().remote_failed, 0);

    let two = open(&at("two"), port);
    std::thread::scope(|scope| {
        for part in 0..4 {
            let (two, values) = (&two, &values);
            scope.spawn(move || {
                for number in (part..100).step_by(4) {
                    assert_eq!(bytes_of(two, number).as_ref(), Some(&values[number as usize]));
                }
            });
        }
    });
    assert_eq!(bytes_of(&two, 900), Some(large));
    let found = two.get(&context, &key(901)).unwrap().expect("it was sent");
    let same = write(&found, &WriteOptions::default()).unwrap();
    assert_eq!(same, bytecode);
    assert_eq!(bytes_of(&two, 5_000), None);
    let stats = two.stats().unwrap();
    assert_eq!((stats.remote_hits, stats.remote_failed, stats.entries), (102, 0, 102));
    assert_eq!(two.verify().unwrap().damage, []);

    // What is removed is gone there; what was written over is a miss.
    assert!(two.remove(&key(7)).unwrap());
    assert_eq!(two.flush_remote(Duration::from_secs(20)), 0);
    let name = key(8).to_string();
    let path = format!("/modules/of/a/team/{}/{name}", &name[..2]);
    assert_eq!(request(port, "PUT", &path, b"no record").unwrap(), 200);
    let three = open(&at("three"), port);
    assert_eq!((bytes_of(&three, 7), bytes_of(&three, 8)), (None, None));
    assert_eq!(bytes_of(&three, 9).as_ref(), Some(&values[9]));
    assert_eq!(three.stats().unwrap().remote_failed, 1);

    // It is killed: all goes on without it. Another takes its place, and is sent what is put then.
    drop(server);
    for number in 0..100 {
        assert_eq!(bytes_of(&two, number).is_some(), number != 7);
        two.put_bytes(&key(2_000 + number), value(number, 3, 900), b"").unwrap();
    }
    assert_eq!(bytes_of(&three, 10), None);
    assert!(two.stats().unwrap().remote_failed > 0);
    drop(two);
    let _server = start(&command, Some(port));
    let two = open(&at("two"), port);
    two.put_bytes(&key(3_000), &values[40], b"").unwrap();
    assert_eq!(two.flush_remote(Duration::from_secs(20)), 0);
    assert_eq!(bytes_of(&open(&at("four"), port), 3_000).as_ref(), Some(&values[40]));
}
