//! Equal content stands once, under however many keys it was put: what each key has is its own all the same.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{Numbers, folder, key, scale, value};
use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_store::{Key, Options, RecordKind, Store};
use mlirbc_testing::{Shape, context, generate};

/// From here on content is kept once.
const FROM: usize = 16 << 10;
/// What a record takes beside its value and what is put beside it, at most.
const RECORD: u64 = 512;

/// Segments that take content beside other records, and those where it has one of its own.
const SEGMENTS: [u64; 2] = [1 << 20, 64 << 10];

fn open(path: &Path, segment: u64) -> Store {
    Store::open_with(path, Options::new().segment_length(segment).context(context)).expect("a store")
}

/// The bytes of every file.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

/// How often bytes stand in the files.
fn copies(path: &Path, bytes: &[u8]) -> usize {
    let part = &bytes[bytes.len() / 2..bytes.len() / 2 + 64];
    files(path).values().map(|file| file.windows(64).filter(|window| *window == part).count()).sum()
}

fn got(store: &Store, number: u64) -> Option<(Vec<u8>, Vec<u8>)> {
    let value = store.get_bytes(&key(number)).expect("a get")?;
    Some((value.bytes.to_vec(), value.meta.to_vec()))
}

#[test]
fn equal_content_stands_once() {
    let module = write(&generate(&context(), Shape::Functions, 300_000).unwrap(), &WriteOptions::default()).unwrap();
    for segment in SEGMENTS {
        for bytes in [value(1000, 0, FROM), value(1000, 0, 200_000), module.clone()] {
            let folder = folder();
            let path = folder.path().join("store");
            let store = open(&path, segment);
            store.put_bytes(&key(0), &bytes, b"0").unwrap();
            let once = store.stats().unwrap();
            assert!(once.bytes > bytes.len() as u64 && once.shared_bytes == 0, "{once:?}");
            for number in 1..5 {
                // By this opener and others.
                let put = |store: &Store| store.put_bytes(&key(number), &bytes, number.to_string().as_bytes()).unwrap();
                if number % 2 == 0 { put(&store) } else { put(&open(&path, segment)) }
            }
            for store in [&store, &open(&path, segment)] {
                let stats = store.stats().unwrap();
                assert!(stats.bytes <= once.bytes + 4 * RECORD, "{segment}: {stats:?}");
                assert_eq!((stats.entries, copies(&path, &bytes)), (5, 1), "{segment}");
                assert!(stats.shared_bytes >= 4 * bytes.len() as u64, "{stats:?}");
                let rows = |rows: &[(u64, u64); 5]| rows.iter().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
                let all = (5, stats.live_bytes + stats.shared_bytes);
                assert_eq!((rows(&stats.by_age), rows(&stats.by_size)), (all, all));
                let mut listed: Vec<_> = store.iter().unwrap().collect();
                listed.sort_unstable_by_key(|listed| listed.key);
                let mut keys: Vec<Key> = (0..5).map(key).collect();
                keys.sort_unstable();
                assert_eq!(listed.iter().map(|listed| listed.key).collect::<Vec<_>>(), keys);
                for listed in listed {
                    assert_eq!((listed.length, listed.kind), (bytes.len() as u64, RecordKind::of(&bytes)));
                }
                for number in 0..5 {
                    assert_eq!(got(store, number), Some((bytes.clone(), number.to_string().into_bytes())));
                    assert!(store.contains(&key(number)) && store.is_whole(&key(number)));
                    assert_eq!(store.meta(&key(number)).as_deref(), Some(number.to_string().as_bytes()));
                }
            }
            // Sealed, and moved to other files, it is the same.
            let done = store.gc(None, None, false).unwrap();
            assert_eq!((done.entries_before, done.entries_after, done.busy), (5, 5, false));
            let stats = store.stats().unwrap();
            assert!(stats.entries == 5 && stats.sealed > 0 && stats.active == 0, "{stats:?}");
            (0..5).for_each(|number| assert_eq!(got(&store, number).expect("an entry").0, bytes));
            // What is there is not written again, and what is there under another key is named.
            store.put_bytes(&key(3), &bytes, b"3").unwrap();
            assert_eq!(store.stats().unwrap().bytes, stats.bytes);
            store.put_bytes(&key(5), &bytes, b"").unwrap();
            assert!(store.stats().unwrap().bytes <= stats.bytes + RECORD);
            assert_eq!(store.verify().unwrap().damage, []);
        }
    }
}

#[test]
fn what_is_small_stands_as_it_did() {
    let folder = folder();
    let path = folder.path().join("store");
    let store = open(&path, 1 << 20);
    let bytes = value(1000, 0, FROM - 1);
    for number in 0..3 {
        store.put_bytes(&key(number), &bytes, b"").unwrap();
    }
    assert_eq!((copies(&path, &bytes), store.stats().unwrap().shared_bytes), (3, 0));
    assert!(files(&path).values().all(|file| records(file).all(|at| file[at + FORM] == 0)));
}

#[test]
fn a_module_under_several_keys_is_read_lazily() {
    let bytes = write(&generate(&context(), Shape::Functions, 3_000_000).unwrap(), &WriteOptions::default()).unwrap();
    let folder = folder();
    let store = open(&folder.path().join("store"), 64 << 20);
    for number in 0..2 {
        store.put_bytes(&key(number), &bytes, b"").unwrap();
    }
    let blocks = bytes.len() as u64 >> 16;
    for number in 0..2 {
        let before = store.blocks_checked();
        let module = store.get(&context(), &key(number)).unwrap().expect("it was put");
        assert!(module.symbol("f100").unwrap().is_some());
        assert!(store.blocks_checked() - before < blocks / 2);
        assert_eq!(write(&module, &WriteOptions::default()).unwrap(), bytes);
    }
}

#[test]
fn what_differs_in_anything_is_its_own() {
    let folder = folder();
    let path = folder.path().join("store");
    let store = open(&path, 1 << 20);
    let bytes = value(1000, 0, 20_000);
    let mut other = bytes.clone();
    other[19_999] ^= 1;
    store.put_bytes(&key(0), &bytes, b"a").unwrap();
    store.put_bytes(&key(1), &other, b"a").unwrap();
    store.put_kind(&key(2), RecordKind::Spirv, &bytes, b"a").unwrap();
    store.put_bytes(&key(3), &bytes, b"b").unwrap();
    assert_eq!(copies(&path, &bytes), 3);
    assert_eq!(
        (got(&store, 0), got(&store, 1)),
        (Some((bytes.clone(), b"a".into())), Some((other.clone(), b"a".into())))
    );
    let kinds = [0, 2].map(|number| store.get_bytes(&key(number)).unwrap().expect("an entry").kind);
    assert_eq!(kinds, [RecordKind::Other, RecordKind::Spirv]);
    // Put again with other bytes, with few, and with what another has.
    store.put_bytes(&key(0), &other, b"c").unwrap();
    assert_eq!(
        (got(&store, 0), got(&store, 3)),
        (Some((other.clone(), b"c".into())), Some((bytes.clone(), b"b".into())))
    );
    store.put_bytes(&key(0), b"few", b"d").unwrap();
    assert_eq!((got(&store, 0), got(&store, 1)), (Some((b"few".into(), b"d".into())), Some((other, b"a".into()))));
    store.put_bytes(&key(0), &bytes, b"").unwrap();
    assert_eq!((got(&store, 0), copies(&path, &bytes)), (Some((bytes, Vec::new())), 3));
}

#[test]
fn what_one_key_loses_others_keep() {
    for segment in SEGMENTS {
        for sealed in [false, true] {
            let folder = folder();
            let path = folder.path().join("store");
            let store = open(&path, segment);
            let bytes = value(1000, 0, 30_000);
            let gc = || assert!(!store.gc(None, None, false).unwrap().busy);
            store.put_bytes(&key(9), b"another", b"").unwrap();
            (0..3).for_each(|number| store.put_bytes(&key(number), &bytes, b"").unwrap());
            if sealed {
                gc();
            }
            assert!(store.remove(&key(1)).unwrap() && !store.remove(&key(1)).unwrap());
            for _ in 0..2 {
                let left: Vec<u64> =
                    (0..4).filter(|number| got(&store, *number).is_some_and(|got| got.0 == bytes)).collect();
                assert_eq!(left, [0, 2], "{segment}, sealed: {sealed}");
                assert_eq!(store.iter().unwrap().count(), 3);
                gc();
            }
            // When no key has it any more, its room is given back: at once where it has a file of its own that is not sealed.
            store.put_bytes(&key(3), value(1001, 0, 30_000), b"").unwrap();
            store.put_bytes(&key(4), value(1001, 0, 30_000), b"").unwrap();
            assert!(store.remove(&key(4)).unwrap());
            assert_eq!(copies(&path, &value(1001, 0, 30_000)), 1, "another key has it");
            assert!(store.remove(&key(3)).unwrap());
            assert_eq!(copies(&path, &value(1001, 0, 30_000)), usize::from(segment == SEGMENTS[0]));
            assert!(store.remove(&key(0)).unwrap() && store.remove(&key(2)).unwrap());
            gc();
            // Also what was replaced.
            store.put_bytes(&key(5), &bytes, b"").unwrap();
            store.put_bytes(&key(5), b"few", b"").unwrap();
            gc();
            let stats = store.stats().unwrap();
            assert_eq!((copies(&path, &bytes), copies(&path, &value(1001, 0, 30_000))), (0, 0));
            assert!(stats.bytes < 4096 && stats.entries == 2, "{segment}, sealed: {sealed}: {stats:?}");
            assert_eq!(got(&store, 9), Some((b"another".into(), Vec::new())));
        }
    }
}

/// A use of one key is a use of the content, and content stays as long as one of its keys.
#[test]
fn what_was_used_least_goes_with_its_content() {
    for segment in SEGMENTS {
        let folder = folder();
        let path = folder.path().join("store");
        let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_secs();
        let wait = || {
            let begun = now();
            while now() < begun + 2 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        };
        let bytes = |content: u64| value(1000 + content, 0, 20_000);
        {
            let store = open(&path, segment);
            // Ten keys of five contents: 0 and 5 have one, 1 and 6.
            (0..10).for_each(|number| store.put_bytes(&key(number), bytes(number % 5), b"").unwrap());
            assert_eq!(store.stats().unwrap().entries, 10);
        }
        wait();
        (0..2).for_each(|number| assert!(got(&open(&path, segment), 5 + number).is_some()));
        let store = open(&path, segment);
        let dry = store.gc(Some(50_000), None, true).unwrap();
        let done = store.gc(Some(50_000), None, false).unwrap();
        assert_eq!((dry.entries_after, dry.bytes_after), (done.entries_after, done.bytes_after));
        let left: Vec<u64> = (0..10).filter(|number| store.contains(&key(*number))).collect();
        // Another key of content that stays may stay.
        assert!(left.contains(&5) && left.contains(&6) && left.iter().all(|number| number % 5 < 2), "{left:?}");
        assert_eq!((done.entries_before, done.entries_after), (10, left.len() as u64));
        assert_eq!(store.stats().unwrap().evicted, 10 - left.len() as u64);
        assert!(store.stats().unwrap().bytes <= 50_000);
        left.iter().for_each(|number| assert_eq!(got(&store, *number).expect("it is there").0, bytes(number % 5)));
        assert_eq!((0..5).map(|content| copies(&path, &bytes(content))).sum::<usize>(), 2);
        // An entry is one, however many records it takes.
        let done = store.gc(None, Some(1), false).unwrap();
        assert_eq!((done.entries_after, store.iter().unwrap().count()), (1, 1));
        assert_eq!(store.verify().unwrap().records, 2);
        let done = store.gc(Some(0), None, false).unwrap();
        assert_eq!((done.entries_after, done.bytes_after, store.stats().unwrap().bytes), (0, 0, 0));
    }
}

#[test]
fn bounds_count_entries_of_users() {
    let folder = folder();
    let options = Options::new().segment_length(64 << 10).max_entries(100);
    let store = Store::open_with(folder.path().join("store"), options).unwrap();
    for number in 0..100 {
        store.put_bytes(&key(number), value(number, 0, FROM), b"").unwrap();
    }
    assert_eq!(store.iter().unwrap().count(), 100, "there are twice as many records");
    for number in 100..400 {
        store.put_bytes(&key(number), value(number % 3, 0, FROM), b"").unwrap();
        let count = store.iter().unwrap().count();
        assert!((80..=101).contains(&count), "{count} after {number}");
        assert!(store.contains(&key(number)));
    }
}

#[test]
fn an_export_takes_its_content_along() {
    let folder = folder();
    let (from, to) = (open(&folder.path().join("a"), 1 << 20), open(&folder.path().join("b"), 1 << 20));
    let bytes = value(1000, 0, 50_000);
    (0..3).for_each(|number| from.put_bytes(&key(number), &bytes, number.to_string().as_bytes()).unwrap());
    from.put_bytes(&key(3), b"few", b"3").unwrap();
    let mut export = Vec::new();
    assert_eq!(from.export(Some(&[key(1)]), &mut export, || ()).unwrap(), 1);
    assert_eq!(to.import(export, || ()).unwrap().entries, 1);
    assert_eq!(got(&to, 1), Some((bytes.clone(), b"1".into())));
    let mut export = Vec::new();
    assert_eq!(from.export(None, &mut export, || ()).unwrap(), 4);
    // Plain records: builds that know no others read them.
    assert!(records(&export).all(|at| export[at + FORM] == 0) && records(&export).count() == 4);
    assert_eq!(to.import(export, || ()).unwrap().entries, 4);
    (0..3).for_each(|number| assert_eq!(got(&to, number), Some((bytes.clone(), number.to_string().into_bytes()))));
    assert_eq!((copies(&folder.path().join("b"), &bytes), to.stats().unwrap().entries), (1, 4));
}

#[test]
fn a_layer_has_content_of_its_own() {
    let folder = folder();
    let (lower, upper) = (folder.path().join("lower"), folder.path().join("upper"));
    let bytes = value(1000, 0, 50_000);
    (0..2).for_each(|number| open(&lower, 1 << 20).put_bytes(&key(number), &bytes, b"lower").unwrap());
    let store = open(&upper, 1 << 20).with_layer(&lower).unwrap();
    assert_eq!(
        (got(&store, 0), got(&store, 1)),
        (Some((bytes.clone(), b"lower".into())), Some((bytes.clone(), b"lower".into())))
    );
    store.put_bytes(&key(0), &bytes, b"upper").unwrap();
    store.put_bytes(&key(2), &bytes, b"upper").unwrap();
    let metas: Vec<_> = (0..3).map(|number| got(&store, number).expect("an entry").1).collect();
    assert_eq!((metas, store.iter().unwrap().count()), (vec![b"upper".to_vec(), b"lower".into(), b"upper".into()], 3));
    assert_eq!((copies(&upper, &bytes), copies(&lower, &bytes)), (1, 1));
    store.remove(&key(0)).unwrap();
    assert_eq!(got(&store, 0), Some((bytes, b"lower".into())));
}

/// Whoever puts and evicts at once: what was put and nobody removed is there, as no bound is near.
#[test]
fn puts_of_equal_content_while_waste_is_given_back() {
    let folder = folder();
    let path = folder.path().join("store");
    for segment in SEGMENTS {
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let evict = scope.spawn(|| {
                let (store, mut segments) = (open(&path, segment), 0);
                while !end.load(Ordering::SeqCst) {
                    segments += store.gc(None, None, false).expect("eviction").segments;
                }
                segments
            });
            let work = |seed: u64| {
                let (store, mut numbers) = (open(&path, segment), Numbers(seed));
                for step in 0..scale("MLIRBC_STORE_EQUAL", 300) {
                    let (number, content) = (seed * 1000 + numbers.below(8), numbers.below(3));
                    let bytes = value(5000 + content, 0, 17_000);
                    store.put_bytes(&key(number), &bytes, b"").expect("a put");
                    let found = got(&store, number).unwrap_or_else(|| panic!("step {step}: what was put is gone"));
                    assert!(found.0 == bytes, "step {step}");
                    if numbers.below(2) == 0 {
                        assert!(store.remove(&key(number)).expect("a removal"));
                        assert_eq!(got(&store, number), None);
                    }
                }
            };
            let workers: Vec<_> = (1..4).map(|seed| scope.spawn(move || work(seed))).collect();
            let done: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            end.store(true, Ordering::SeqCst);
            assert!(evict.join().expect("eviction") > 0, "nothing was given back");
            done.into_iter().for_each(|done| done.expect("a worker"));
        });
        let store = open(&path, segment);
        let stats = store.stats().unwrap();
        assert_eq!((stats.bad, stats.failed, store.verify().unwrap().damage.len()), (0, 0, 0));
        store.gc(None, None, false).unwrap();
        assert!((0..3).all(|content| copies(&path, &value(5000 + content, 0, 17_000)) <= 1));
    }
}

/// Where things stand in the header of a record.
const KEY: usize = 16;
const BODY_AT: usize = 80;
const BODY_CHECK: usize = 88;
const FORM: usize = 93;

/// Where records begin.
fn records(file: &[u8]) -> impl Iterator<Item = usize> {
    (0..file.len()).step_by(128).filter(|at| file[*at..].starts_with(b"MLBR"))
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

/// Makes the only block of a record, and its header, what was written.
fn seal(file: &mut [u8], name: &str, at: usize, length: usize) {
    let body = at + number(file, at + BODY_AT);
    let sum = crc32fast::hash(&file[body..body + length]);
    let sum = if file[at + FORM] == 0 { sum } else { !sum };
    file[at + BODY_CHECK..at + BODY_CHECK + 4].copy_from_slice(&sum.to_le_bytes());
    let segment = u64::from_str_radix(&name[..16], 16).expect("an id");
    let place = u128::from(at as u64) << 64 | u128::from(segment);
    let bytes = [&place.to_le_bytes()[..], &file[at + 8..at + 124]].concat();
    file[at + 4..at + 8].copy_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
}

/// A store of two keys with one content, and one with another, and what stands in its only segment.
fn three(path: &Path) -> (String, Vec<u8>) {
    let store = open(path, 1 << 20);
    for number in 0..3 {
        store.put_bytes(&key(number), value(1000 + number / 2, 0, 17_000), b"meta").unwrap();
    }
    drop(store);
    files(path).into_iter().find(|(name, _)| name.ends_with(".seg")).expect("a segment")
}

/// The records of a key, or of content, by the key that they have.
fn place_of(file: &[u8], wanted: &Key) -> usize {
    records(file).find(|at| file[at + KEY..at + KEY + 32] == *wanted.as_bytes()).expect("a record")
}

/// What an alias names.
fn named(file: &[u8], number_of_key: u64) -> Key {
    let at = place_of(file, &key(number_of_key));
    assert_eq!(file[at + FORM], 1);
    let body = at + number(file, at + BODY_AT);
    Key::new(file[body..body + 32].try_into().expect("a key"))
}

#[test]
fn hostile_aliases_are_misses() {
    let folder = folder();
    let path = folder.path().join("store");
    let (name, whole) = three(&path);
    assert_eq!(records(&whole).count(), 5);
    let [content, other] = [0, 2].map(|number| named(&whole, number));
    assert_eq!(named(&whole, 1), content);
    // Which keys are left where 0 names what it should not: itself, another alias, the other one in turn, nothing.
    let stranger = Key::of(b"nothing");
    let cases = [
        (vec![(0, key(0))], vec![1, 2]),
        (vec![(0, key(1))], vec![1, 2]),
        (vec![(0, key(1)), (1, key(0))], vec![2]),
        (vec![(0, stranger)], vec![1, 2]),
        // Of another content: that is what it says, as good as if it had been put.
        (vec![(0, other)], vec![0, 1, 2]),
    ];
    for (changes, left) in cases {
        // Content that says so, that says that it is an alias, or a plain value, or what nobody knows.
        for form in [2, 1, 0, 7] {
            let mut file = whole.clone();
            for (changed, target) in &changes {
                let at = place_of(&file, &key(*changed));
                let body = at + number(&file, at + BODY_AT);
                file[body..body + 32].copy_from_slice(target.as_bytes());
                seal(&mut file, &name, at, 32);
            }
            let at = place_of(&file, &content);
            file[at + FORM] = form;
            seal(&mut file, &name, at, 17_000);
            let names = |number: u64, target| changes.contains(&(number, target));
            let is_left = |number: &u64| form == 2 || *number == 2 || names(*number, other);
            let left: Vec<u64> = left.iter().copied().filter(is_left).collect();
            std::fs::write(path.join(&name), &file).unwrap();
            let store = open(&path, 1 << 20);
            let look = |store: &Store| {
                let found: Vec<u64> = (0..3).filter(|number| got(store, *number).is_some()).collect();
                assert_eq!(found, left, "{changes:?}, {form}");
                for number in 0..3 {
                    let is_left = left.contains(&number);
                    assert_eq!(store.contains(&key(number)), is_left);
                    assert_eq!(store.is_whole(&key(number)), is_left);
                    assert_eq!(store.meta(&key(number)).is_some(), is_left);
                }
                // A plain value is an entry, whatever its key is.
                assert_eq!(store.iter().unwrap().count(), left.len() + usize::from(form == 0));
            };
            look(&store);
            let done = store.gc(None, None, false).unwrap();
            let entries = left.len() as u64 + u64::from(form == 0);
            assert_eq!((done.entries_before, done.entries_after), (entries, entries));
            look(&store);
            // They can be put anew.
            (0..2).for_each(|number| store.put_bytes(&key(number), value(1000, 0, 17_000), b"").unwrap());
            (0..2).for_each(|number| assert_eq!(got(&store, number).expect("it was put").0, value(1000, 0, 17_000)));
            drop(store);
            std::fs::remove_dir_all(&path).unwrap();
            let (again, _) = three(&path);
            std::fs::remove_file(path.join(again)).unwrap();
        }
    }
}

/// Nobody has the key of content: what is asked for or removed under it is not there.
#[test]
fn content_is_no_entry() {
    let folder = folder();
    let path = folder.path().join("store");
    let (_, whole) = three(&path);
    let content = named(&whole, 0);
    let store = open(&path, 1 << 20);
    assert!(store.get_bytes(&content).unwrap().is_none() && store.get(&context(), &content).unwrap().is_none());
    assert!(!store.contains(&content) && !store.is_whole(&content) && store.meta(&content).is_none());
    assert!(!store.remove(&content).unwrap());
    assert_eq!(store.export(Some(&[content]), &mut Vec::new(), || ()).unwrap(), 0);
    assert_eq!((0..3).filter(|number| got(&store, *number).is_some()).count(), 3);
    // A record that an export has of it is not taken.
    let mut export = Vec::new();
    store.export(Some(&[key(0)]), &mut export, || ()).unwrap();
    let id = u64::from_le_bytes(export[16..24].try_into().unwrap());
    for form in [1, 2, 9] {
        let mut changed = export.clone();
        changed[128 + FORM] = form;
        seal(&mut changed, &format!("{id:016x}.seg"), 128, 17_000);
        let imported = store.import(changed, || ()).unwrap();
        assert_eq!((imported.entries, imported.damaged), (0, 1));
    }
}

/// What a build that knows nothing of this checks of a value, its checksum, is never right: it finds damage, which is a miss.
#[test]
fn older_builds_find_no_value() {
    let folder = folder();
    let (_, file) = three(&folder.path().join("store"));
    let mut shared = 0;
    for at in records(&file).filter(|at| file[at + FORM] != 0) {
        let length = if file[at + FORM] == 1 { 32 } else { 17_000 };
        let body = at + number(&file, at + BODY_AT);
        assert_ne!(crc32fast::hash(&file[body..body + length]) as usize, number(&file, at + BODY_CHECK));
        shared += 1;
    }
    assert_eq!(shared, 5);
}

#[test]
fn damage_is_a_miss_of_the_keys_that_it_is_of() {
    let folder = folder();
    let path = folder.path().join("store");
    let (name, whole) = three(&path);
    let content = place_of(&whole, &named(&whole, 0));
    let own = place_of(&whole, &key(0));
    let end = whole.iter().rposition(|byte| *byte != 0).expect("records") + 1;
    let places = (0..end).step_by(if mlirbc_testing::is_whole() { 1 } else { 7 });
    let (mut one, mut both, mut told) = (0, 0, 0);
    // All of what is not bytes of the values, and of those every 97th.
    for at in places.filter(|at| at % 128 < 20 || at % 97 == 0 || *at >= own && *at < own + 512) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        std::fs::write(path.join(&name), &flipped).unwrap();
        let store = open(&path, 1 << 20);
        let missed: Vec<u64> = (0..3)
            .filter(|number| match got(&store, *number) {
                Some(found) => {
                    assert_eq!(found, (value(1000 + number / 2, 0, 17_000), b"meta".into()), "byte {at}");
                    false
                }
                None => true,
            })
            .collect();
        assert!(missed.len() < 3, "byte {at}");
        let verified = store.verify().unwrap();
        let keys: Vec<Key> = verified.damage.iter().filter_map(|damage| damage.key).collect();
        if missed == [0, 1] {
            assert!(missed.iter().all(|number| keys.contains(&key(*number))), "byte {at}: {verified:?}");
            told += 1;
        }
        for number in &missed {
            assert!(!verified.damage.is_empty() && store.stats().unwrap().bad > 0, "byte {at}");
            assert!(!store.is_whole(&key(*number)));
        }
        // One key put anew is all that it takes for both.
        if let Some(first) = missed.first() {
            store.put_bytes(&key(*first), value(1000 + first / 2, 0, 17_000), b"meta").unwrap();
            let still: Vec<u64> = missed.iter().copied().filter(|number| got(&store, *number).is_none()).collect();
            assert!(still.is_empty() || missed == [0, 1] && still == [1] && at < content, "byte {at}: {still:?}");
        }
        one += u64::from(missed.len() == 1);
        both += u64::from(missed.len() == 2);
        drop(store);
    }
    println!("one key was missed {one} times, two {both} times, {told} told");
    assert!(one > 20 && both > 20);
}
