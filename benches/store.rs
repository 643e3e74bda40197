//! Getting modules from the store, beside a file each, slices of one file, LMDB and redb; putting them, beside a file each; opening it.
//!
//! ```sh
//! cargo bench -p mlirbc-benches --bench store
//! MLIRBC_BENCH_ENTRIES=1000000 cargo bench -p mlirbc-benches --bench store -- store    # takes 6 GiB
//! ```
//!
//! `MLIRBC_BENCH_DIR` names the folder to work in.

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput};
use mlirbc::bytecode::{WriteOptions, read, write};
use mlirbc::store::{Key, Options, Store};
use mlirbc::{Context, map_file};
use mlirbc_testing::{Shape, generate};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Asks for a little more than 5 KB, which is what comes.
const MODULE: usize = 6_900;

fn entries() -> u64 {
    std::env::var("MLIRBC_BENCH_ENTRIES").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000)
}

fn key(number: u64) -> Key {
    Key::of(&number.to_le_bytes())
}

/// A module with its checksum before it: what those hold that keep none.
fn with_checksum(module: &[u8]) -> Vec<u8> {
    // Eight bytes, so that what follows is aligned as it was.
    let mut bytes = u64::from(crc32fast::hash(module)).to_le_bytes().to_vec();
    bytes.extend_from_slice(module);
    bytes
}

fn open_checked(context: &Context, bytes: Bytes) -> Outcome<mlirbc::Module> {
    let sum = bytes.first_chunk::<8>().map_or(u64::MAX, |sum| u64::from_le_bytes(*sum));
    let module = bytes.slice(8..);
    if sum != u64::from(crc32fast::hash(&module)) {
        return Err("damaged".into());
    }
    Ok(read(context, module)?)
}

/// Numbers in an order that no cache foresees.
fn mixed(number: u64, count: u64) -> u64 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(31)
        % count
}

fn bench_get(
    criterion: &mut Criterion,
    name: &str,
    count: u64,
    mut get: impl FnMut(&Context, u64) -> Outcome<mlirbc::Module>,
) {
    let context = Context::new();
    // Warm: every page has been touched.
    for number in 0..count {
        get(&context, number).unwrap_or_else(|error| panic!("{name}: {number}: {error}"));
    }
    let mut group = criterion.benchmark_group("get");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    group.bench_function(BenchmarkId::new(name, count), |bencher| {
        bencher.iter_custom(|times| {
            let mut total = Duration::ZERO;
            for _ in 0..times {
                next += 1;
                let number = mixed(next, count);
                let start = Instant::now();
                let module = black_box(get(&context, number)).expect("it was put");
                total += start.elapsed();
                drop(module);
            }
            total
        });
    });
    group.finish();
}

fn options() -> Options {
    mlirbc::store_options().max_bytes(64 << 30).max_entries(u64::MAX / 2)
}

fn fill(store: &Store, module: &[u8], count: u64) -> Outcome<()> {
    for number in 0..count {
        store.put_bytes(&key(number), module, b"")?;
    }
    Ok(())
}

fn gets(criterion: &mut Criterion, folder: &Path, module: &[u8], only: &str) -> Outcome<()> {
    let count = entries();
    let wanted = |name: &str| only.is_empty() || only == name;
    if wanted("store") {
        let path = folder.join("store");
        let start = Instant::now();
        fill(&Store::open_with(&path, options())?, module, count)?;
        println!("put {count} modules in {:?}", start.elapsed());
        let mut opens: Vec<Duration> = Vec::new();
        for _ in 0..20 {
            let start = Instant::now();
            let store = black_box(Store::open_with(&path, options())?);
            opens.push(start.elapsed());
            drop(store);
        }
        opens.sort();
        println!("opened with {count} entries in {:?} (median of 20; longest {:?})", opens[10], opens[19]);
        let store = Store::open_with(&path, options())?;
        bench_get(criterion, "store", count, |context, number| {
            Ok(store.get(context, &key(number))?.ok_or("a miss")?)
        });
    }
    let checked = with_checksum(module);
    if wanted("files") {
        let path = folder.join("files");
        let name = |number: u64| path.join(format!("{:02x}", number % 256)).join(key(number).to_string());
        for number in 0..256 {
            std::fs::create_dir_all(path.join(format!("{number:02x}")))?;
        }
        for number in 0..count {
            std::fs::write(name(number), &checked)?;
        }
        bench_get(criterion, "mapped files", count, |context, number| open_checked(context, map_file(name(number))?));
    }
    if wanted("slices") {
        // The least that can be done: no look-up, and nothing copied. What others need beyond this is for finding it.
        let size = checked.len().next_multiple_of(64);
        let path = folder.join("slices");
        let mut all = BufWriter::new(File::create(&path)?);
        let padding = vec![0; size - checked.len()];
        (0..count).try_for_each(|_| all.write_all(&checked).and_then(|()| all.write_all(&padding)))?;
        all.into_inner()?.sync_all()?;
        let map = map_file(path)?;
        bench_get(criterion, "slices of one file", count, |context, number| {
            let at = number as usize * size;
            open_checked(context, map.slice(at..at + checked.len()))
        });
        // What no store that checks can beat: found by its key in a table that nobody else writes to.
        let places: HashMap<Key, u64> = (0..count).map(|number| (key(number), number)).collect();
        bench_get(criterion, "slices found by their keys", count, |context, number| {
            let at = *places.get(&key(number)).ok_or("a miss")? as usize * size;
            open_checked(context, map.slice(at..at + checked.len()))
        });
    }
    if wanted("redb") {
        let table = redb::TableDefinition::<&[u8; 32], &[u8]>::new("modules");
        let database = redb::Database::create(folder.join("redb"))?;
        let writing = database.begin_write()?;
        {
            let mut open = writing.open_table(table)?;
            for number in 0..count {
                open.insert(key(number).as_bytes(), &*checked)?;
            }
        }
        writing.commit()?;
        use redb::ReadableDatabase;
        bench_get(criterion, "redb", count, |context, number| {
            let reading = database.begin_read()?;
            let table = reading.open_table(table)?;
            let value = table.get(key(number).as_bytes())?.ok_or("a miss")?;
            open_checked(context, Bytes::copy_from_slice(value.value()))
        });
    }
    if wanted("lmdb") {
        bench_get_lmdb(criterion, folder, &checked, count)?;
    }
    Ok(())
}

#[expect(unsafe_code, reason = "heed opens an environment by an unsafe call: nothing else has this one open")]
fn lmdb(path: &Path) -> Outcome<heed::Env> {
    // SAFETY: the folder was made by this process just now, for this environment.
    Ok(unsafe { heed::EnvOpenOptions::new().map_size(64 << 30).open(path)? })
}

fn bench_get_lmdb(criterion: &mut Criterion, folder: &Path, checked: &[u8], count: u64) -> Outcome<()> {
    use heed::types::Bytes as Raw;
    let path = folder.join("lmdb");
    std::fs::create_dir(&path)?;
    let env = lmdb(&path)?;
    let mut writing = env.write_txn()?;
    let database: heed::Database<Raw, Raw> = env.create_database(&mut writing, None)?;
    for number in 0..count {
        database.put(&mut writing, key(number).as_bytes(), checked)?;
    }
    writing.commit()?;
    bench_get(criterion, "lmdb", count, |context, number| {
        let reading = env.read_txn()?;
        let value = database.get(&reading, key(number).as_bytes())?.ok_or("a miss")?;
        open_checked(context, Bytes::copy_from_slice(value))
    });
    Ok(())
}

fn puts(criterion: &mut Criterion, folder: &Path, module: &[u8]) -> Outcome<()> {
    let mut group = criterion.benchmark_group("put");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    let path = folder.join("puts");
    // What it grows by is bounded, as in life: eviction is part of what is timed.
    let store = Store::open_with(&path, mlirbc::store_options().max_bytes(2 << 30))?;
    group.bench_function("store", |bencher| {
        bencher.iter(|| {
            next += 1;
            store.put_bytes(&key(next), module, b"").expect("the disk works");
        });
    });
    let path = folder.join("renamed");
    std::fs::create_dir(&path)?;
    let checked = with_checksum(module);
    group.bench_function("file with rename", |bencher| {
        bencher.iter(|| {
            next += 1;
            let name = path.join(key(next % 50_000).to_string());
            let temporary = path.join(format!("{next}.tmp"));
            std::fs::write(&temporary, &checked).expect("the disk works");
            std::fs::rename(&temporary, &name).expect("the disk works");
        });
    });
    group.finish();
    Ok(())
}

fn all() -> Outcome<()> {
    // The first word that is no option says what to measure: `store`, `files`, `slices`, `redb`, `lmdb`; nothing: all, and puts.
    let only = std::env::var("MLIRBC_BENCH_ONLY").unwrap_or_default();
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let module = write(&generate(&Context::new(), Shape::Functions, MODULE)?, &WriteOptions::default())?;
    println!("modules of {} bytes", module.len());
    let base = std::env::var_os("MLIRBC_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(base)?;
    gets(&mut criterion, folder.path(), &module, &only)?;
    if only.is_empty() || only == "put" {
        puts(&mut criterion, folder.path(), &module)?;
    }
    criterion.final_summary();
    Ok(())
}

fn main() {
    if let Err(error) = all() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
