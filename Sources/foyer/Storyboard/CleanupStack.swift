/// What a command has set going, to be ended in the opposite order.
actor CleanupStack {
    private var cleanups: [@Sendable () async -> Void] = []
    private var isClosed = false

    /// Ends it at once, and throws, if the time to end has come already.
    func push(_ end: @escaping @Sendable () async -> Void) async throws {
        guard !isClosed else {
            await end()
            throw CancellationError()
        }
        cleanups.append(end)
    }

    func close() async {
        isClosed = true
        while let end = cleanups.popLast() { await end() }
    }
}
