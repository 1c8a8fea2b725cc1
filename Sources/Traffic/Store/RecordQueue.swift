import Core

/// Records on their way to the disk: who waits for what, as a value.
///
/// Every method returns what is to be done once the lock is released.
struct RecordQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// Bytes that may wait; beyond that whoever adds waits too.
    static let maxBytes = 16 << 20
    /// Records stored in one transaction.
    static let batchLimit = 256

    private var records: [ExchangeRecord] = []
    private var bytes = 0
    private var isDraining = false
    /// How many drains there were.
    private var drainCount = 0
    /// Waits a moment before the drain, so that more come together.
    private var pauseTask: Task<Void, Never>?
    /// Records added, and records stored or given up, since the start.
    private(set) var addedCount = 0
    private var finishedCount = 0
    private var batchCount = 0
    /// Those who wait until `finished` reaches their number.
    private var flushWaiters: [(until: Int, waiter: Waiter)] = []
    /// Those who added to a full queue.
    private var roomWaiters: [Waiter] = []
    /// Workspaces that are gone; what still comes of one is not kept.
    private var closedWorkspaces = RecentlyRemovedIDs()

    /// Whether so much waits that whoever brings more has to wait too.
    var isFull: Bool { bytes > Self.maxBytes }

    /// Takes a record, also beyond the bound; answers the number of the
    /// drain that has to be started for it, nil if one is under way.
    mutating func add(_ record: ExchangeRecord) -> Int? {
        guard !closedWorkspaces.contains(record.exchange.workspace) else { return nil }
        records.append(record)
        bytes += record.memorySize
        addedCount += 1
        guard !isDraining else { return nil }
        isDraining = true
        drainCount += 1
        return drainCount
    }

    /// Takes nothing more of that workspace.
    mutating func close(_ workspace: String) { closedWorkspaces.insert(workspace) }

    /// That drain begins after `pause`, or now if somebody waits for it; it
    /// may be over already.
    mutating func beginDrain(_ drain: Int, after pause: Task<Void, Never>) {
        guard isDraining, drain == drainCount else { return }
        self.pauseTask = pause
        if isFull || !flushWaiters.isEmpty { pause.cancel() }
    }

    /// Returns the waiter if there is room.
    mutating func awaitRoom(_ waiter: Waiter) -> Waiter? {
        guard isFull else { return waiter }
        roomWaiters.append(waiter)
        pauseTask?.cancel()
        return nil
    }

    /// Returns the waiter if there is nothing to wait for.
    mutating func flush(_ waiter: Waiter) -> Waiter? {
        guard finishedCount < addedCount else { return waiter }
        flushWaiters.append((addedCount, waiter))
        pauseTask?.cancel()
        return nil
    }

    /// The next records to store; nil ends the drain.
    mutating func takeBatch() -> [ExchangeRecord]? {
        pauseTask = nil
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

    /// Those to wake after the batch was stored.
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
