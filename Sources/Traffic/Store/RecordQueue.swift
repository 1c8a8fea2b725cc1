/// Records on their way to the disk: who waits for what, as a value.
///
/// Every method returns what is to be done once the lock is released.
struct RecordQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// What the caller does after the lock.
    enum Step {
        case wait
        case resume(Waiter)
        /// Start the drain, and let the caller go on.
        case start(Waiter?)
    }

    /// Bytes that may wait; beyond that whoever adds waits too.
    static let bound = 16 << 20
    /// Records stored in one transaction.
    static let batchLimit = 256

    private var records: [ExchangeRecord] = []
    private var bytes = 0
    private var draining = false
    /// Records added, and records stored or given up, since the start.
    private var added = 0
    private var finished = 0
    private var batchCount = 0
    /// Those who wait until `finished` reaches their number.
    private var flushes: [(until: Int, waiter: Waiter)] = []
    /// Those who added to a full queue.
    private var crowd: [Waiter] = []

    /// Takes a record; it is accepted also beyond the bound, but then its
    /// bringer waits until there is room.
    mutating func add(_ record: ExchangeRecord, waiting: Waiter) -> Step {
        records.append(record)
        bytes += record.bytes
        added += 1
        let full = bytes > Self.bound
        if full { crowd.append(waiting) }
        guard draining else {
            draining = true
            return .start(full ? nil : waiting)
        }
        return full ? .wait : .resume(waiting)
    }

    /// Returns the waiter if there is nothing to wait for.
    mutating func flush(_ waiter: Waiter) -> Waiter? {
        guard finished < added else { return waiter }
        flushes.append((added, waiter))
        return nil
    }

    /// The next records to store; nil ends the drain.
    mutating func takeBatch() -> [ExchangeRecord]? {
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
        if bytes <= Self.bound {
            woken += crowd
            crowd = []
        }
        return woken
    }
}
