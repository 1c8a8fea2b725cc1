import Surroundings

/// Records on their way to the disk: who waits for what, as a value.
///
/// Every method returns what is to be done once the lock is released.
struct RecordQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// Bytes that may wait; beyond that whoever adds waits too.
    static let bound = 16 << 20
    /// Records stored in one transaction.
    static let batchLimit = 256

    private var records: [ExchangeRecord] = []
    private var bytes = 0
    private var draining = false
    /// How many drains there were.
    private var drains = 0
    /// Waits a moment before the drain, so that more come together.
    private var pause: Task<Void, Never>?
    /// Records added, and records stored or given up, since the start.
    private(set) var added = 0
    private var finished = 0
    private var batchCount = 0
    /// Those who wait until `finished` reaches their number.
    private var flushes: [(until: Int, waiter: Waiter)] = []
    /// Those who added to a full queue.
    private var crowd: [Waiter] = []
    /// Workspaces that are gone; what still comes of one is not kept.
    private var gone = Forgotten()

    /// Whether so much waits that whoever brings more has to wait too.
    var isFull: Bool { bytes > Self.bound }

    /// Takes a record, also beyond the bound; answers the number of the
    /// drain that has to be started for it, nil if one is under way.
    mutating func add(_ record: ExchangeRecord) -> Int? {
        guard !gone.contains(record.exchange.workspace) else { return nil }
        records.append(record)
        bytes += record.bytes
        added += 1
        guard !draining else { return nil }
        draining = true
        drains += 1
        return drains
    }

    /// Takes nothing more of that workspace.
    mutating func close(_ workspace: String) { gone.insert(workspace) }

    /// That drain begins after `pause`, or now if somebody waits for it; it
    /// may be over already.
    mutating func begin(_ drain: Int, after pause: Task<Void, Never>) {
        guard draining, drain == drains else { return }
        self.pause = pause
        if isFull || !flushes.isEmpty { pause.cancel() }
    }

    /// Returns the waiter if there is room.
    mutating func awaitRoom(_ waiter: Waiter) -> Waiter? {
        guard isFull else { return waiter }
        crowd.append(waiter)
        pause?.cancel()
        return nil
    }

    /// Returns the waiter if there is nothing to wait for.
    mutating func flush(_ waiter: Waiter) -> Waiter? {
        guard finished < added else { return waiter }
        flushes.append((added, waiter))
        pause?.cancel()
        return nil
    }

    /// The next records to store; nil ends the drain.
    mutating func takeBatch() -> [ExchangeRecord]? {
        pause = nil
        guard !records.isEmpty else {
            draining = false
            return nil
        }
        let batch = Array(records.prefix(Self.batchLimit))
        records.removeFirst(batch.count)
        batchCount = batch.count
        bytes -= batch.reduce(0) { $0 + $1.bytes }
        return batch
    }

    /// Those to wake after the batch was stored.
    mutating func finishBatch() -> [Waiter] {
        finished += batchCount
        batchCount = 0
        var woken = flushes.filter { $0.until <= finished }.map(\.waiter)
        flushes.removeAll { $0.until <= finished }
        if !isFull {
            woken += crowd
            crowd = []
        }
        return woken
    }
}
