package import FoundationEssentials

/// Everything outside the process that a room may ask for.
///
/// A room that needs the time, an identifier, randomness, a pause or the log
/// takes a `World`; tests pass a frozen one. Writing `Date()` or `UUID()`
/// anywhere else is a bug.
package struct World: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Date
    /// A fresh identifier, `<prefix>_` and 16 characters of base 58.
    package var makeID: @Sendable (_ prefix: String) -> String
    /// Unpredictable bytes, fit for keys.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// A pause; throws `CancellationError` when its task is cancelled.
    package var sleep: @Sendable (_ duration: Duration) async throws -> Void
    /// Where a line for the person at the terminal goes.
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
