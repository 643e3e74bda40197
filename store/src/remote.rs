//! A tier further away: the same keys in an object store, for the machines of a team or a cluster.
//!
//! What the directories do not have is asked for there, and kept in the uppermost directory when it comes; what is put is
//! sent there behind the put's back. An object is one record with its checksums, named `PREFIX/ab/abcd...` by its key;
//! all of them are checked when it arrives.
//!
//! Nothing that happens there fails a get or a put here. A get that finds nothing here waits for the remote tier for at
//! most its time-out; after a few failures in a row it is left alone for a while, which grows up to a minute. What waits
//! to be sent is bounded: beyond it, entries are not sent. All of that is counted in
//! [`Stats::remote_failed`](crate::Stats::remote_failed).
//!
//! Checksums tell damage and mistakes; they do not tell who wrote an object. A user who may write to the remote tier decides
//! what its readers get.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_core::Stream;
use mlirbc_ir::{Error, ErrorKind, Result};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, ObjectStoreScheme, RetryConfig};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use url::Url;

use crate::key::Key;
use crate::mutex::lock;
use crate::object;
use crate::record::Record;

/// How a remote tier is used.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    get_timeout: Duration,
    put_timeout: Duration,
    close_timeout: Duration,
    queue: usize,
    max_object: u64,
    read_only: bool,
    settings: Vec<(String, String)>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        RemoteOptions {
            get_timeout: Duration::from_secs(2),
            put_timeout: Duration::from_secs(30),
            close_timeout: Duration::from_secs(10),
            queue: 4096,
            max_object: 1 << 30,
            read_only: false,
            settings: Vec::new(),
        }
    }
}

impl RemoteOptions {
    /// Gets wait for 2 s, sending one entry takes 30 s and closing 10 s at most; 4,096 entries wait to be sent; no object
    /// is larger than 1 GiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// How long a get waits for the remote tier.
    #[must_use]
    pub fn get_timeout(mut self, time: Duration) -> Self {
        self.get_timeout = time;
        self
    }

    /// How long sending or deleting one entry may take.
    #[must_use]
    pub fn put_timeout(mut self, time: Duration) -> Self {
        self.put_timeout = time;
        self
    }

    /// How long closing the store waits for what has not been sent.
    #[must_use]
    pub fn close_timeout(mut self, time: Duration) -> Self {
        self.close_timeout = time;
        self
    }

    /// How many entries may wait to be sent. They take no memory of their own, being views of the store's maps.
    #[must_use]
    pub fn queue(mut self, entries: usize) -> Self {
        self.queue = entries;
        self
    }

    /// How many bytes an object may have, to be sent or taken.
    #[must_use]
    pub fn max_object(mut self, bytes: u64) -> Self {
        self.max_object = bytes;
        self
    }

    /// Only to get: nothing is sent or deleted.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// A setting of the client, by its name in the `object_store` crate: `endpoint`, `region`, `access_key_id`,
    /// `allow_http`. Those that the environment has (`AWS_...`, `GOOGLE_...`, `AZURE_...`) are used without being named.
    #[must_use]
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }
}

/// A client of an object store, with a thread that sends what is put. See [`Store::with_remote`](crate::Store::with_remote).
#[derive(Debug)]
pub struct Remote {
    shared: Arc<Shared>,
    /// To the thread; `None` once it is to end.
    jobs: Option<UnboundedSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    options: RemoteOptions,
    breaker: Mutex<Breaker>,
    /// Jobs behind puts and removals that are not done.
    waiting: Mutex<usize>,
    done: Condvar,
    /// Requests that failed, and entries that were not sent.
    failed: AtomicU64,
    /// Entries that were not sent or deleted.
    unsent: AtomicU64,
}

/// After a few failures in a row it is not asked for a while.
#[derive(Debug, Default)]
struct Breaker {
    failures: u32,
    until: Option<Instant>,
}

enum Job {
    Get(Key, mpsc::SyncSender<Option<Bytes>>),
    Put(Record),
    Delete(Key),
}

/// Failures in a row before the remote tier is left alone.
const MOST_FAILURES: u32 = 3;
/// Entries that are sent at a time. Those of one key go in the order of their puts.
const LANES: usize = 4;

/// What sends one entry takes: as a future that ends with whether it worked.
async fn within(time: Duration, work: impl Future<Output = object_store::Result<()>>) -> bool {
    matches!(timeout(time, work).await, Ok(Ok(()) | Err(object_store::Error::NotFound { .. })))
}

impl Shared {
    fn path(&self, key: &Key) -> Path {
        let name = key.to_string();
        let folder = name.get(..2).unwrap_or_default().to_owned();
        self.prefix.clone().join(folder).join(name)
    }

    /// Whether the remote tier is to be asked now.
    fn is_open(&self) -> bool {
        lock(&self.breaker).until.is_none_or(|until| Instant::now() >= until)
    }

    fn note(&self, worked: bool) {
        let mut breaker = lock(&self.breaker);
        if worked {
            *breaker = Breaker::default();
            return;
        }
        self.failed.fetch_add(1, Ordering::Relaxed);
        breaker.failures = breaker.failures.saturating_add(1);
        if let Some(more) = breaker.failures.checked_sub(MOST_FAILURES) {
            // A second, two, four, up to a minute.
            breaker.until = Some(Instant::now() + Duration::from_secs((1 << more.min(6)).min(60)));
        }
    }

    /// An object, `None` where there is none; all of it, in memory, and not more than may be.
    async fn get(&self, key: &Key) -> object_store::Result<Option<Bytes>> {
        let too_long = || object_store::Error::Generic { store: "mlirbc", source: "the object is too large".into() };
        let found = match self.objects.get(&self.path(key)).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            found => found?,
        };
        let mut stream = pin!(found.into_stream());
        let (mut pieces, mut length) = (Vec::new(), 0);
        while let Some(piece) = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await {
            let piece = piece?;
            length += piece.len() as u64;
            if length > self.options.max_object {
                return Err(too_long());
            }
            pieces.push(piece);
        }
        Ok(Some(object::join(&pieces)))
    }

    /// Whether the job was done.
    async fn behind(&self, job: Job) -> bool {
        if !self.is_open() {
            self.failed.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        let time = self.options.put_timeout;
        let worked = match job {
            Job::Put(record) => match object::pack(&record) {
                Some(bytes) => {
                    let path = self.path(&record.key());
                    within(time, async { self.objects.put(&path, bytes.into()).await.map(drop) }).await
                }
                // It is damaged here, which its reader finds.
                None => true,
            },
            Job::Delete(key) => within(time, self.objects.delete(&self.path(&key))).await,
            Job::Get(..) => true,
        };
        self.note(worked);
        worked
    }

    /// Sends what is put with some of the keys, one after the other.
    async fn lane(self: Arc<Self>, mut jobs: UnboundedReceiver<Job>) {
        while let Some(job) = jobs.recv().await {
            if !self.behind(job).await {
                self.unsent.fetch_add(1, Ordering::Relaxed);
            }
            *lock(&self.waiting) -= 1;
            self.done.notify_all();
        }
    }

    /// Hands jobs out until there will be none any more.
    async fn serve(self: Arc<Self>, mut jobs: UnboundedReceiver<Job>) {
        let lanes: Vec<UnboundedSender<Job>> = (0..LANES)
            .map(|_| {
                let (sender, receiver) = unbounded_channel();
                tokio::spawn(Arc::clone(&self).lane(receiver));
                sender
            })
            .collect();
        while let Some(job) = jobs.recv().await {
            let key = match job {
                Job::Get(key, reply) => {
                    let shared = Arc::clone(&self);
                    tokio::spawn(async move {
                        let got = timeout(shared.options.get_timeout, shared.get(&key)).await;
                        shared.note(matches!(got, Ok(Ok(_))));
                        // The asker may have gone.
                        let _ = reply.send(got.ok().and_then(|got| got.ok().flatten()));
                    });
                    continue;
                }
                Job::Put(ref record) => record.key(),
                Job::Delete(key) => key,
            };
            let lane = usize::from(key.as_bytes()[0]) % LANES;
            if let Some(lane) = lanes.get(lane) {
                let _ = lane.send(job);
            }
        }
    }
}

/// What is said of an address or a setting that is none, and who says so.
fn wrong(what: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::misuse(format!("{what}: {error}")).caused_by(error)
}

/// A builder with what the environment, the address and the options say.
macro_rules! build {
    ($start:expr, $url:expr, $options:expr) => {{
        let mut builder = $start.with_url($url).with_retry(RetryConfig {
            max_retries: 2,
            retry_timeout: $options.put_timeout,
            ..RetryConfig::default()
        });
        for (name, value) in &$options.settings {
            builder =
                builder.with_config(name.to_ascii_lowercase().parse().map_err(|error| wrong(name, error))?, value);
        }
        Arc::new(builder.build().map_err(|error| wrong($url, error))?) as Arc<dyn ObjectStore>
    }};
}

impl Remote {
    /// A client of what is at an address, with the usual [`RemoteOptions`].
    ///
    /// # Errors
    /// As [`Remote::open_with`].
    pub fn open(url: &str) -> Result<Remote> {
        Self::open_with(url, RemoteOptions::new())
    }

    /// A client of what is at an address: `s3://BUCKET/PREFIX`, `gs://...`, `az://...`, `https://...` (WebDAV) or
    /// `file:///...`. Nothing is asked of it yet.
    ///
    /// # Errors
    /// Where the address is of no such kind, or a setting is unknown or missing.
    pub fn open_with(url: &str, options: RemoteOptions) -> Result<Remote> {
        let parsed = Url::parse(url).map_err(|error| wrong(url, error))?;
        let (scheme, prefix) = ObjectStoreScheme::parse(&parsed).map_err(|error| wrong(url, error))?;
        let mut options = options;
        if parsed.scheme() == "http" {
            options.settings.insert(0, ("allow_http".to_owned(), "true".to_owned()));
        }
        // Where the process has chosen another, that one holds.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let timeout = format!("{} ms", options.put_timeout.max(options.get_timeout).as_millis());
        options.settings.insert(0, ("timeout".to_owned(), timeout));
        let (objects, prefix) = match scheme {
            ObjectStoreScheme::AmazonS3 => (build!(AmazonS3Builder::from_env(), url, options), prefix),
            ObjectStoreScheme::GoogleCloudStorage => {
                (build!(GoogleCloudStorageBuilder::from_env(), url, options), prefix)
            }
            ObjectStoreScheme::MicrosoftAzure => (build!(MicrosoftAzureBuilder::from_env(), url, options), prefix),
            ObjectStoreScheme::Http => (build!(HttpBuilder::new(), url, options), Path::default()),
            ObjectStoreScheme::Local => {
                let path = parsed.to_file_path().map_err(|()| Error::misuse(format!("{url}: not a path")))?;
                std::fs::create_dir_all(&path).map_err(|error| wrong(url, error))?;
                let folder = LocalFileSystem::new_with_prefix(path).map_err(|error| wrong(url, error))?;
                (Arc::new(folder) as Arc<dyn ObjectStore>, Path::default())
            }
            _ => return Err(Error::misuse(format!("{url}: no object store that others see"))),
        };
        Self::on(objects, prefix, options)
    }

    /// Uses a client that the caller has made, under a prefix of its names.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn on(objects: Arc<dyn ObjectStore>, prefix: Path, options: RemoteOptions) -> Result<Remote> {
        let shared = Arc::new(Shared {
            objects,
            prefix,
            options,
            breaker: Mutex::default(),
            waiting: Mutex::new(0),
            done: Condvar::new(),
            failed: AtomicU64::new(0),
            unsent: AtomicU64::new(0),
        });
        let io = |error| Error::new(ErrorKind::Io, format!("the remote tier: {error}")).caused_by(error);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(io)?;
        let (jobs, receiver) = unbounded_channel();
        let serving = Arc::clone(&shared);
        let serve = move || {
            runtime.block_on(serving.serve(receiver));
            // What is still under way is given up.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("mlirbc-remote".to_owned()).spawn(serve).map_err(io)?;
        Ok(Remote { shared, jobs: Some(jobs), thread: Some(thread) })
    }

    fn send(&self, job: Job) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok())
    }

    /// The record of a key, all of it checked.
    pub(crate) fn get(&self, key: &Key) -> Option<Record> {
        if !self.shared.is_open() {
            self.shared.failed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let (reply, answer) = mpsc::sync_channel(1);
        if !self.send(Job::Get(*key, reply)) {
            return None;
        }
        // The thread answers in time; it may also have ended.
        let bytes = answer.recv_timeout(self.shared.options.get_timeout + Duration::from_secs(1)).ok()??;
        let record = object::unpack(key, bytes);
        if record.is_none() {
            self.shared.failed.fetch_add(1, Ordering::Relaxed);
        }
        record
    }

    /// Sends a record when there is time.
    pub(crate) fn put(&self, record: Record) {
        self.behind(Job::Put(record));
    }

    /// Deletes the object of a key when there is time.
    pub(crate) fn delete(&self, key: &Key) {
        self.behind(Job::Delete(*key));
    }

    fn behind(&self, job: Job) {
        if self.shared.options.read_only {
            return;
        }
        let fits = !matches!(&job, Job::Put(record) if record.content().header.size() > self.shared.options.max_object);
        let mut waiting = lock(&self.shared.waiting);
        if fits && *waiting < self.shared.options.queue && self.send(job) {
            *waiting += 1;
        } else {
            self.shared.failed.fetch_add(1, Ordering::Relaxed);
            self.shared.unsent.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all is sent or given up, or for that long; how many entries are still waiting, and how many have been
    /// given up since this was opened.
    pub(crate) fn flush(&self, time: Duration) -> (u64, u64) {
        let waiting = lock(&self.shared.waiting);
        let waited = self.shared.done.wait_timeout_while(waiting, time, |waiting| *waiting > 0);
        let left = *waited.unwrap_or_else(PoisonError::into_inner).0;
        (left as u64, self.shared.unsent.load(Ordering::Relaxed))
    }

    /// How many requests have failed since the last call.
    pub(crate) fn take_failed(&self) -> u64 {
        self.shared.failed.swap(0, Ordering::Relaxed)
    }

    /// Waits for what is not sent as long as the options say, and ends.
    pub(crate) fn close(&mut self) {
        let (left, _) = self.flush(self.shared.options.close_timeout);
        self.shared.failed.fetch_add(left, Ordering::Relaxed);
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It ends at once: nothing is waited for without a jobs' sender.
            let _ = thread.join();
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if self.jobs.is_some() {
            self.close();
        }
    }
}
