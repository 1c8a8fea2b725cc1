/// Waits until `condition` holds, letting other tasks run in between.
///
/// For conditions no event tells of; gives up after many turns, and then the
/// caller's expectation fails with its own words.
package func eventually(
    _ condition: @Sendable () async throws -> Bool
) async rethrows -> Bool {
    for _ in 0..<20_000 {
        if try await condition() { return true }
        await Task.yield()
    }
    return try await condition()
}
