import Core

/// A value-type queue of records to store, and of the tasks waiting for room or for a flush.
///
/// Every method returns the action to perform after the lock is released.
struct RecordQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// Queued bytes beyond which adding also waits for room.
    private static let maxBytes = 16 << 20
    /// Queued bytes beyond which adding pauses. More is queued only while storing stops for some
    /// time, as at a checkpoint, so that few senders wait for its end.
    private static let pacedBytes = 4 << 20
    /// Records stored in one transaction.
    static let batchLimit = 256
    /// How long a drain waits, so that senders receive their responses first and further records
    /// join the batch: longer under load, when it costs more to store records one by one.
    private static let usualDelay = Duration.milliseconds(4)
    private static let delayUnderLoad = Duration.milliseconds(20)
    /// The number of records in a batch that counts as load.
    private static let loadThreshold = 8

    private var records: [ExchangeRecord] = []
    private var bytes = 0
    private var isDraining = false
    /// The drain while it still delays, to let more records join the batch; canceling it ends the
    /// delay.
    private var delayedDrain: Task<Void, Never>?
    /// Records added, and records stored or discarded, since the start.
    private(set) var addedCount = 0
    private var finishedCount = 0
    /// The number of records in the last batch.
    private var batchCount = 0
    /// Tasks waiting until `finishedCount` reaches their number.
    private var flushWaiters: [(until: Int, waiter: Waiter)] = []
    /// Tasks that added to a full queue.
    private var roomWaiters: [Waiter] = []
    /// Deleted workspaces; further records of theirs are discarded.
    private var closedWorkspaces = LRUCache<String, Bool>(capacity: 4_096)

    /// How tasks that add records have to wait.
    enum Admission { case immediate, paced, full }

    var admission: Admission {
        bytes > Self.maxBytes ? .full : bytes > Self.pacedBytes ? .paced : .immediate
    }

    /// Starts a drain after the delay.
    typealias StartDrain = (Duration) -> Task<Void, Never>

    /// Adds a record, even beyond the limit. Calls `startDrain` unless a drain is running.
    mutating func add(_ record: ExchangeRecord, _ startDrain: StartDrain) {
        let workspace = record.detail.exchange.workspace
        guard closedWorkspaces.value(for: workspace) == nil else { return }
        records.append(record)
        bytes += record.memorySize
        addedCount += 1
        if records.count == Self.batchLimit || admission != .immediate { delayedDrain?.cancel() }
        guard !isDraining else { return }
        isDraining = true
        delayedDrain = startDrain(delay)
    }

    private var delay: Duration {
        batchCount < Self.loadThreshold ? Self.usualDelay : Self.delayUnderLoad
    }

    /// Discards further records of the workspace.
    mutating func close(_ workspace: String) { closedWorkspaces.set(workspace, true) }

    /// Returns the waiter if there is room.
    mutating func awaitRoom(_ waiter: Waiter) -> Waiter? {
        guard admission == .full else { return waiter }
        roomWaiters.append(waiter)
        delayedDrain?.cancel()
        return nil
    }

    /// Returns the waiter if there is nothing to wait for.
    mutating func flush(_ waiter: Waiter) -> Waiter? {
        guard finishedCount < addedCount else { return waiter }
        flushWaiters.append((addedCount, waiter))
        delayedDrain?.cancel()
        return nil
    }

    /// The next records to store, and the tasks that waited for room, if there is room now.
    mutating func takeBatch() -> (batch: [ExchangeRecord], woken: [Waiter]) {
        delayedDrain = nil
        let batch = Array(records.prefix(Self.batchLimit))
        records.removeFirst(batch.count)
        batchCount = batch.count
        bytes -= batch.reduce(0) { $0 + $1.memorySize }
        guard admission != .full else { return (batch, []) }
        defer { roomWaiters = [] }
        return (batch, roomWaiters)
    }

    /// Returns the waiters to resume after the batch was stored, and whether the drain goes on: it
    /// does while tasks wait or a whole batch is queued. Fewer records wait for another drain.
    mutating func finishBatch(_ startDrain: StartDrain) -> (woken: [Waiter], continues: Bool) {
        finishedCount += batchCount
        let woken = flushWaiters.filter { $0.until <= finishedCount }.map(\.waiter)
        flushWaiters.removeAll { $0.until <= finishedCount }
        if !flushWaiters.isEmpty || admission != .immediate || records.count >= Self.batchLimit {
            return (woken, true)
        }
        isDraining = !records.isEmpty
        if isDraining { delayedDrain = startDrain(delay) }
        return (woken, false)
    }
}
