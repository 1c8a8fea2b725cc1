/// Waits until `condition` holds, letting other tasks run in between.
///
/// For conditions without an event to wait for. Returns false after a minute, so that the caller's
/// expectation fails with its own message.
package func eventually(_ condition: @Sendable () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var turns = 0
    while ContinuousClock.now < end {
        if try await condition() { return true }
        turns += 1
        // The awaited work often runs on another thread: after some turns, sleeping leaves the
        // processor to it.
        if turns < 1_000 {
            await Task.yield()
        } else {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
    return try await condition()
}
