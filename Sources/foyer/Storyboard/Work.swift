/// What a command has set going, to be ended in the opposite order.
actor Work {
    private var ends: [@Sendable () async -> Void] = []
    private var isClosed = false

    /// Ends it at once, and throws, if the time to end has come already.
    func keep(_ end: @escaping @Sendable () async -> Void) async throws {
        guard !isClosed else {
            await end()
            throw CancellationError()
        }
        ends.append(end)
    }

    func close() async {
        isClosed = true
        while let end = ends.popLast() { await end() }
    }
}
