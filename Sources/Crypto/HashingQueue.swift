import Dispatch
import Synchronization

/// Runs slow work two at a time, off the threads that serve pages.
final class HashingQueue: Sendable {
    private static let capacity = 256

    /// A serial queue gets its own thread; a concurrent one would occupy the threads that all tasks
    /// share.
    private let queues = (0..<2).map { DispatchQueue(label: "foyer.crypto.hashing.\($0)") }
    /// How much work each queue has, running or waiting.
    private let loads = Mutex([0, 0])

    /// Runs `work` on the queue with less of it; throws `.busy` if 256 wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(CryptoError) -> Value)
        async throws(CryptoError) -> Value
    {
        let index: Int? = loads.withLock { loads in
            guard loads[0] + loads[1] < Self.capacity + loads.count else { return nil }
            let index = loads[0] <= loads[1] ? 0 : 1
            loads[index] += 1
            return index
        }
        guard let index else {
            throw CryptoError(
                kind: .busy, detail: "\(Self.capacity) password checks are already waiting")
        }
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, CryptoError>, Never>) in
            queues[index].async {
                let result = Result { () throws(CryptoError) in try work() }
                self.loads.withLock { $0[index] -= 1 }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
