//! Counters are set back to zero for all who use a directory; when entries were used stays.

use crate::common;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use common::{Fault, Faulty, folder, key, value};
use mlirbc_store::{Options, Stats, Store};

fn options() -> Options {
    Options::new().segment_length(64 << 10)
}

/// Hits, misses, puts and evictions.
fn counted(store: &Store) -> [u64; 4] {
    let Stats { hits, misses, puts, evicted, .. } = store.stats().expect("figures");
    [hits, misses, puts, evicted]
}

fn get(store: &Store, number: u64) -> bool {
    store.get_bytes(&key(number)).expect("a get").is_some()
}

#[test]
fn counters_are_set_back_for_all_openers() {
    let folder = folder();
    let path = folder.path().join("store");
    let open = || Store::open_with(&path, options()).expect("a store");
    let (one, other) = (open(), open());
    for number in 0..10 {
        one.put_bytes(&key(number), value(number, 0, 300), b"").expect("a put");
        assert!(get(&other, number) && !get(&other, 100 + number));
    }
    // Of each opener, what it has counted and what was written down.
    assert_eq!((counted(&one), counted(&other)), ([0, 0, 10, 0], [10, 10, 0, 0]));
    drop(other);
    assert_eq!(counted(&one), [10, 10, 10, 0]);

    let other = open();
    assert!(get(&other, 1));
    one.reset_stats().expect("a reset");
    assert_eq!((counted(&one), counted(&open())), ([0; 4], [0; 4]));
    // What the other has not written down by then counts from then on.
    assert_eq!(counted(&other), [1, 0, 0, 0]);
    assert!(get(&other, 2) && !get(&one, 100));
    drop(other);
    assert_eq!(counted(&one), [2, 1, 0, 0]);
    drop(one);
    assert_eq!(counted(&open()), [2, 1, 0, 0]);

    // They stay zero when they are added up in the manifest, which has counters of its own by then.
    let store = open();
    let done = store.gc(None, Some(5), false).expect("eviction");
    assert_eq!(done.entries_after, 5);
    assert_eq!(counted(&store), [2, 1, 0, 5]);
    store.reset_stats().expect("a reset");
    assert_eq!(counted(&store), [0; 4]);
    assert!(!get(&store, 100));
    store.gc(None, Some(4), false).expect("eviction");
    assert_eq!(counted(&store), [0, 1, 0, 1]);
    drop(store);
    assert_eq!((counted(&open()), open().stats().expect("figures").entries), ([0, 1, 0, 1], 4));
    // Nor does evicting forget that where there is nothing to evict, once or more often; nor what was counted since.
    let store = open();
    store.reset_stats().expect("a reset");
    for round in 1..5 {
        assert!(get(&store, 9) && !get(&open(), 100));
        store.gc(None, None, false).expect("eviction");
        assert_eq!((counted(&store), counted(&open())), ([round, round, 0, 0], [round, round, 0, 0]));
    }
    drop(store);
    // Who may only read sets nothing back.
    assert!(Store::open_with(&path, options().read_only(true)).expect("a store").reset_stats().is_err());
}

#[test]
fn what_was_used_when_stays() {
    let folder = folder();
    let path = folder.path().join("store");
    let open = || Store::open_with(&path, options()).expect("a store");
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_secs();
    {
        let store = open();
        (0..10).for_each(|number| store.put_bytes(&key(number), value(number, 0, 300), b"").expect("a put"));
    }
    let begun = now();
    while now() < begun + 2 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    {
        // Uses that are written down, and uses that are written with the reset.
        assert!(get(&open(), 3));
        let store = open();
        assert!(get(&store, 0));
        store.reset_stats().expect("a reset");
    }
    let used = |store: &Store| {
        let mut all: Vec<_> = store.iter().expect("a list").map(|listed| (listed.key, listed.used)).collect();
        all.sort_unstable();
        all
    };
    let before = used(&open());
    open().reset_stats().expect("a reset");
    assert_eq!(used(&open()), before);
    let store = open();
    assert_eq!(store.gc(None, Some(2), false).expect("eviction").entries_after, 2);
    let left: Vec<u64> = (0..10).filter(|number| store.contains(&key(*number))).collect();
    assert_eq!(left, [0, 3]);
}

/// A reset that fails or ends in the middle forgets all or nothing, and never when something was used.
#[test]
fn a_reset_that_ends_anywhere() {
    let folder = folder();
    let path = folder.path().join("store");
    std::fs::create_dir(&path).expect("a folder");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("permissions");
    let (mut forgotten, mut kept) = (0, 0);
    for at in 0..40 {
        let fault = [Fault::Refused, Fault::Full, Fault::Torn(at / 3), Fault::Torn(at)][at as usize % 4];
        let sound = || Store::on(Arc::new(Faulty::new(&path)), options()).expect("a store");
        {
            let store = sound();
            store.reset_stats().expect("a reset");
            store.put_bytes(&key(at), value(at, 0, 100), b"").expect("a put");
        }
        let disk = Arc::new(Faulty::new(&path));
        let store = Store::on(disk.clone(), options()).expect("a store");
        assert!(get(&store, at));
        disk.plan.arm(at / 4, fault, true);
        let reset = store.reset_stats();
        assert!(reset.is_ok() || disk.plan.happened.load(Ordering::SeqCst), "{reset:?}");
        drop(store);
        let [_, misses, puts, _] = counted(&sound());
        assert!(misses == 0 && puts <= 1, "{puts} puts");
        assert!(puts == 0 || reset.is_err(), "a reset that returned forgot nothing: fault {fault:?} at {}", at / 4);
        forgotten += 1 - puts;
        kept += puts;
        // It goes on counting.
        let store = sound();
        assert!(!get(&store, 1000) && counted(&store)[1] == 1);
    }
    assert!(forgotten > 5 && kept > 5, "{forgotten} forgotten, {kept} kept");
}
