/// Seeded random data, the same in every run: texts of given pieces, bytes, choices and damage.
package struct Fuzz {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    package mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }

    /// True with probability one in `share`.
    package mutating func chance(oneIn share: Int) -> Bool { number(below: share) == 0 }

    package mutating func one<Value>(of values: [Value]) -> Value {
        values[number(below: values.count)]
    }

    package mutating func bytes(upTo most: Int) -> [UInt8] {
        (0..<number(below: most + 1)).map { _ in UInt8(number(below: 256)) }
    }

    /// Up to `most` random elements of `pieces`, joined.
    package mutating func text(of pieces: [String], upTo most: Int) -> String {
        var text = ""
        for _ in 0..<number(below: most + 1) { text += pieces[number(below: pieces.count)] }
        return text
    }

    /// `text` with some bytes removed, duplicated or replaced by others of it, or with its end cut
    /// off.
    package mutating func damaged(_ text: String) -> [UInt8] { damaged(Array(text.utf8)) }

    /// `bytes`, damaged in the same way.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<1 + number(below: 4) where !bytes.isEmpty {
            let index = number(below: bytes.count)
            switch number(below: 4) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(bytes[index], at: index)
            case 2: bytes[index] = bytes[number(below: bytes.count)]
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
