import Synchronization

/// Who is connected, and how many of them hold a stream.
final class ConnectionRegistry: Sendable {
    private let streamLimit: Int
    /// From so many on, whoever comes takes the place of one that waits.
    private let evictionThreshold: Int
    /// Whoever was silent for less stays.
    private let evictionGracePeriod: Duration
    private let state = Mutex(State())

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var streamCount = 0
        var isClosing = false
    }

    /// A quarter of the connections is kept for pages, and an eighth for
    /// those who come.
    init(connectionLimit: Int, evictionGracePeriod: Duration) {
        self.evictionGracePeriod = evictionGracePeriod
        streamLimit = connectionLimit * 3 / 4
        evictionThreshold = connectionLimit * 7 / 8
    }

    var connections: [Connection] { state.withLock { Array($0.connections.values) } }

    /// Whether any answer is still on its way.
    var isBusy: Bool { connections.contains { $0.isBusy } }

    /// Lets somebody in. In a crowd another has to go: of those who have
    /// nothing under way, whoever was silent longest.
    func add(_ connection: Connection) {
        let (isClosing, others) = state.withLock { state in
            let others =
                state.connections.count >= evictionThreshold ? Array(state.connections.values) : []
            state.connections[ObjectIdentifier(connection)] = connection
            return (state.isClosing, others)
        }
        if isClosing { connection.stopAccepting() }
        disconnect(1, of: others, at: .now)
    }

    /// Once in a while: those who were too fresh to have to go when others
    /// came do so now. Who waits to be let in is not seen here, and may be
    /// many: half the connections are made free.
    func evictIdle(_ now: ContinuousClock.Instant) {
        let connections = state.withLock { state in
            state.connections.count > evictionThreshold ? Array(state.connections.values) : []
        }
        disconnect(connections.count / 2, of: connections, at: now)
    }

    private func disconnect(
        _ most: Int, of connections: [Connection], at now: ContinuousClock.Instant
    ) {
        var silent = connections.compactMap { connection in
            connection.idlePeriod.map { (silence: $0, visitor: connection) }
        }.filter { $0.silence.since.advanced(by: evictionGracePeriod) <= now }
        // For one alone the least is found sooner than all are sorted.
        if most > 1 { silent.sort { $1.silence < $0.silence } }
        var left = most
        // Another thread may choose the same one: then it is the next, or
        // each such meeting would cost a place for good.
        while left > 0, !silent.isEmpty {
            let first =
                most > 1 ? nil : silent.indices.min { silent[$0].silence < silent[$1].silence }
            if let first { silent.swapAt(first, silent.endIndex - 1) }
            if silent.removeLast().visitor.disconnect() { left -= 1 }
        }
    }

    func remove(_ connection: Connection) {
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// False when there are too many; true wants a `releaseStream` one day.
    func reserveStream() -> Bool {
        state.withLock { state in
            guard state.streamCount < streamLimit else { return false }
            state.streamCount += 1
            return true
        }
    }

    func releaseStream() { state.withLock { $0.streamCount -= 1 } }

    /// Everybody, and whoever still comes, takes no further request.
    func stopAccepting() {
        let connections = state.withLock { state in
            state.isClosing = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.stopAccepting() }
    }
}
