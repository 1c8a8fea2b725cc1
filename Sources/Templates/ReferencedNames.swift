/// The names a page and its layout look up, at any depth.
///
/// Members with other names are not encoded, so a model may offer the same data in several forms at
/// no cost. A name is one bit of 1,024, which is faster to check than a member is to write; two
/// names that share a bit are both written, without harm.
final class ReferencedNames: Sendable {
    private let bits: SIMD16<UInt64>

    init(_ names: some Sequence<String>) {
        var bits = SIMD16<UInt64>()
        for name in names {
            let (word, bit) = Self.bitPosition(of: name)
            bits[word] |= bit
        }
        self.bits = bits
    }

    /// The names in either of two sets.
    init(_ first: ReferencedNames, _ second: ReferencedNames) { bits = first.bits | second.bits }

    func contains(_ name: String) -> Bool {
        let (word, bit) = Self.bitPosition(of: name)
        return bits[word] & bit != 0
    }

    /// FNV-1a, whose low bits differ even for short names.
    private static func bitPosition(of name: String) -> (word: Int, bit: UInt64) {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return (Int(hash >> 6 & 15), 1 << UInt64(hash & 63))
    }
}
