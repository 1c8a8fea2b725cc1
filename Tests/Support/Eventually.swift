/// Waits until `condition` holds, letting other tasks run in between.
///
/// For conditions no event tells of; gives up after a minute, and then the
/// caller's expectation fails with its own words.
package func eventually(_ condition: @Sendable () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var turns = 0
    while ContinuousClock.now < end {
        if try await condition() { return true }
        turns += 1
        // What it waits for often runs on a thread of its own: after some
        // turns they are not taken from it.
        if turns < 1_000 {
            await Task.yield()
        } else {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
    return try await condition()
}
