import Dispatch
package import FoundationEssentials
import Glibc

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

    /// The system's clock, randomness and timers.
    package static func live(log: Log = .standardError()) -> World {
        World(
            now: { Date() },
            makeID: { Identifier.make(prefix: $0, at: Date(), random: systemRandomBytes(11)) },
            randomBytes: { systemRandomBytes($0) }, sleep: { try await Task.sleep(for: $0) },
            log: log)
    }

    /// Bytes from the system's cryptographic generator.
    private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = generator.next()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }
}

/// Makes identifiers that are easy to read aloud and to select with a double click.
package enum Identifier {
    /// Base 58 (Bitcoin's alphabet): no `0`, `O`, `I`, `l`.
    private static let alphabet = Array(
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// `<prefix>_` and one base 58 character for each byte of `bytes`.
    package static func make(prefix: String, bytes: [UInt8]) -> String {
        let tail = bytes.map { alphabet[Int($0) % alphabet.count] }
        return prefix + "_" + String(decoding: tail, as: UTF8.self)
    }

    /// A new identifier, whose first five characters count eighths of a second: identifiers made in
    /// succession are neighbors in an index, and change few of its pages.
    ///
    /// Eleven random bytes give 64 bits, enough that ids are not guessed; even so, an identifier is
    /// a name and never a secret.
    package static func make(prefix: String, at time: Date, random: [UInt8]) -> String {
        var count = UInt64(max(0, time.timeIntervalSince1970 * 8))
        var digits = [UInt8](repeating: 0, count: 5)
        for index in digits.indices.reversed() {
            digits[index] = UInt8(count % UInt64(alphabet.count))
            count /= UInt64(alphabet.count)
        }
        return make(prefix: prefix, bytes: digits + random)
    }

    /// A random UUID (RFC 9562, version 4) in lowercase, of 16 random bytes.
    package static func uuid(_ random: [UInt8]) -> String {
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
        return groups.map { Hex.encode($0) }.joined(separator: "-")
    }
}

/// Writes log lines for the user at the terminal.
///
/// No token, password or bound value is ever passed to it; callers refer to things by their
/// identifiers.
package struct Log: Sendable {
    /// Writes one line, passed without its newline.
    package var writeLine: @Sendable (String) -> Void

    package func callAsFunction(_ text: String) { writeLine(text) }

    /// Drops every line.
    package static let silent = Log { _ in }

    /// Writes to standard error from its own queue.
    ///
    /// At most 1,000 lines wait. While the pipe is not drained, further lines are dropped, so that
    /// a full pipe never stops a request.
    package static func standardError() -> Log {
        let queue = DispatchQueue(label: "foyer.log")
        let waiting = UsageLimit(1_000)
        return Log { line in
            guard waiting.acquire() else { return }
            queue.async {
                _ = FileWriting.writeAll((line + "\n").utf8, to: STDERR_FILENO)
                waiting.release()
            }
        }
    }
}

extension World {
    /// The first value of `stream` that `isWanted` accepts; nil if none comes within `timeout`.
    package func first<Value: Sendable>(
        of stream: AsyncStream<Value>, within timeout: Duration,
        where isWanted: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) async throws -> Value? {
        guard timeout > .zero else { return nil }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await value in stream where isWanted(value) { return value }
                return nil
            }
            group.addTask { [sleep] in
                try await sleep(timeout)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
