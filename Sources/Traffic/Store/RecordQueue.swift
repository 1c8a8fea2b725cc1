import Core

/// A value-type queue of records to store, and of the tasks waiting for room or for a flush.
///
/// Every method returns the action to perform after the lock is released.
struct RecordQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// Queued bytes beyond which adding also waits.
    static let maxBytes = 16 << 20
    /// Records stored in one transaction.
    static let batchLimit = 256

    private var records: [ExchangeRecord] = []
    private var bytes = 0
    private var isDraining = false
    /// The drain while it still delays, to let more records join the batch; canceling it ends the
    /// delay.
    private var delayedDrain: Task<Void, Never>?
    /// Records added, and records stored or discarded, since the start.
    private(set) var addedCount = 0
    private var finishedCount = 0
    private var batchCount = 0
    /// Tasks waiting until `finishedCount` reaches their number.
    private var flushWaiters: [(until: Int, waiter: Waiter)] = []
    /// Tasks that added to a full queue.
    private var roomWaiters: [Waiter] = []
    /// Deleted workspaces; further records of theirs are discarded.
    private var closedWorkspaces = LRUCache<String, Bool>(capacity: 4_096)

    /// Whether tasks that add records have to wait.
    var isFull: Bool { bytes > Self.maxBytes }

    /// Adds a record, even beyond the limit. Calls `startDrain` unless a drain is running.
    mutating func add(_ record: ExchangeRecord, _ startDrain: () -> Task<Void, Never>) {
        let workspace = record.detail.exchange.workspace
        guard closedWorkspaces.value(for: workspace) == nil else { return }
        records.append(record)
        bytes += record.memorySize
        addedCount += 1
        guard !isDraining else { return }
        isDraining = true
        delayedDrain = startDrain()
    }

    /// Discards further records of the workspace.
    mutating func close(_ workspace: String) { closedWorkspaces.set(workspace, true) }

    /// Returns the waiter if there is room.
    mutating func awaitRoom(_ waiter: Waiter) -> Waiter? {
        guard isFull else { return waiter }
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

    /// The next records to store; nil ends the drain.
    mutating func takeBatch() -> [ExchangeRecord]? {
        delayedDrain = nil
        guard !records.isEmpty else {
            isDraining = false
            return nil
        }
        let batch = Array(records.prefix(Self.batchLimit))
        records.removeFirst(batch.count)
        batchCount = batch.count
        bytes -= batch.reduce(0) { $0 + $1.memorySize }
        return batch
    }

    /// Returns the waiters to resume after the batch was stored.
    mutating func finishBatch() -> [Waiter] {
        finishedCount += batchCount
        batchCount = 0
        var woken = flushWaiters.filter { $0.until <= finishedCount }.map(\.waiter)
        flushWaiters.removeAll { $0.until <= finishedCount }
        if !isFull {
            woken += roomWaiters
            roomWaiters = []
        }
        return woken
    }
}
