package import FoundationEssentials

/// Everything outside the process that a component may use.
///
/// A component that needs the time, an identifier, randomness, a pause or the log takes a `World`;
/// tests pass a fixed one. Calling `Date()` or `UUID()` anywhere else is a bug.
package struct World: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Date
    /// A new identifier, `<prefix>_` and 16 characters of base 58.
    package var makeID: @Sendable (_ prefix: String) -> String
    /// Unpredictable bytes, suitable for keys.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// Suspends for a duration; throws `CancellationError` when its task is canceled.
    package var sleep: @Sendable (_ duration: Duration) async throws -> Void
    /// Log lines for the user at the terminal.
    package var log: Log

    package init(
        now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable (String) -> String,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (Duration) async throws -> Void, log: Log
    ) {
        self.now = now
        self.makeID = makeID
        self.randomBytes = randomBytes
        self.sleep = sleep
        self.log = log
    }
}
