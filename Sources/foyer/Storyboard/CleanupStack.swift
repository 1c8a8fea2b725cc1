/// Cleanup closures of a command, run in reverse order.
actor CleanupStack {
    private var cleanups: [@Sendable () async -> Void] = []
    private var isClosed = false

    /// Adds a cleanup. If the stack is closed already, runs it at once and throws.
    func push(_ cleanup: @escaping @Sendable () async -> Void) async throws {
        guard !isClosed else {
            await cleanup()
            throw CancellationError()
        }
        cleanups.append(cleanup)
    }

    func close() async {
        isClosed = true
        while let cleanup = cleanups.popLast() { await cleanup() }
    }
}
