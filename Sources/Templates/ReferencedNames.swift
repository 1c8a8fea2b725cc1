/// The names a page and its layout look up, at whatever depth.
///
/// A member of any other name is not written at all: what no template reads
/// costs nothing, so a model may offer the same in several ways. A name is
/// one bit of 1,024, which is asked in less time than writing takes; two that
/// share one are both written, and that does no harm.
final class ReferencedNames: Sendable {
    private let bits: SIMD16<UInt64>

    init(_ names: Set<String>) {
        var bits = SIMD16<UInt64>()
        for name in names {
            let (word, bit) = Self.bitPosition(of: name)
            bits[word] |= bit
        }
        self.bits = bits
    }

    /// What either of two mentions.
    init(_ one: ReferencedNames, _ other: ReferencedNames) { bits = one.bits | other.bits }

    func contains(_ name: String) -> Bool {
        let (word, bit) = Self.bitPosition(of: name)
        return bits[word] & bit != 0
    }

    /// FNV-1a, whose low bits differ for names as short as these.
    private static func bitPosition(of name: String) -> (word: Int, bit: UInt64) {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return (Int(hash >> 6 & 15), 1 << UInt64(hash & 63))
    }
}
