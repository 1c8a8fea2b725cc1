import Synchronization

/// The open connections, and the number of them that hold a stream.
final class ConnectionRegistry: Sendable {
    private let streamLimit: Int
    /// From this count on, each new connection evicts an idle one.
    private let evictionThreshold: Int
    /// A connection that has been idle for less is not evicted.
    private let evictionGracePeriod: Duration
    private let state = Mutex(State())

    private struct State {
        var connections: [ObjectIdentifier: ClientConnection] = [:]
        var streamCount = 0
        var isClosing = false
    }

    /// Reserves a quarter of the connections for pages, and an eighth for new clients.
    init(connectionLimit: Int, evictionGracePeriod: Duration) {
        self.evictionGracePeriod = evictionGracePeriod
        streamLimit = connectionLimit * 3 / 4
        evictionThreshold = connectionLimit * 7 / 8
    }

    var connections: [ClientConnection] { state.withLock { Array($0.connections.values) } }

    /// Whether any response is still pending.
    var isBusy: Bool { connections.contains { $0.isBusy } }

    /// Registers a connection. At the eviction threshold it evicts the one that has been idle
    /// longest.
    func add(_ connection: ClientConnection) {
        let (isClosing, others) = state.withLock { state in
            let others =
                state.connections.count >= evictionThreshold ? Array(state.connections.values) : []
            state.connections[ObjectIdentifier(connection)] = connection
            return (state.isClosing, others)
        }
        if isClosing { connection.stopAccepting() }
        disconnect(1, of: others, at: .now)
    }

    /// Called periodically: evicts connections that were idle too briefly when others connected.
    /// The number of clients waiting for accept is unknown and may be large, so half the
    /// connections may be evicted.
    func evictIdle(_ now: ContinuousClock.Instant) {
        let connections = state.withLock { state in
            state.connections.count > evictionThreshold ? Array(state.connections.values) : []
        }
        disconnect(connections.count / 2, of: connections, at: now)
    }

    private func disconnect(
        _ limit: Int, of connections: [ClientConnection], at now: ContinuousClock.Instant
    ) {
        var candidates = connections.compactMap { connection in
            connection.idlePeriod.map { (idlePeriod: $0, connection: connection) }
        }.filter { $0.idlePeriod.since.advanced(by: evictionGracePeriod) <= now }
        // For a single eviction a minimum search is faster than sorting.
        if limit > 1 { candidates.sort { $1.idlePeriod < $0.idlePeriod } }
        var remaining = limit
        // Another thread may choose the same connection. Then the next one is evicted, otherwise
        // each such race would permanently cost a slot.
        while remaining > 0, !candidates.isEmpty {
            let longestIdle =
                limit > 1
                ? nil
                : candidates.indices.min { candidates[$0].idlePeriod < candidates[$1].idlePeriod }
            if let longestIdle { candidates.swapAt(longestIdle, candidates.endIndex - 1) }
            if candidates.removeLast().connection.disconnect() { remaining -= 1 }
        }
    }

    func remove(_ connection: ClientConnection) {
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// False when there are too many; true must be balanced by `releaseStream`.
    func reserveStream() -> Bool {
        state.withLock { state in
            guard state.streamCount < streamLimit else { return false }
            state.streamCount += 1
            return true
        }
    }

    func releaseStream() { state.withLock { $0.streamCount -= 1 } }

    /// Makes all current and later connections accept no further request.
    func stopAccepting() {
        let connections = state.withLock { state in
            state.isClosing = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.stopAccepting() }
    }
}
