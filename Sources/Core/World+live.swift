import FoundationEssentials

extension World {
    /// The system's clock, randomness and timers.
    package static func live(log: Log = .standardError()) -> World {
        World(
            now: { Date() }, makeID: { Identifier.make(prefix: $0, bytes: systemRandomBytes(16)) },
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
