package import Web

extension Fuzz {
    /// A random JSON value. The names of an object are unique and unsorted.
    package mutating func json(depth: Int = 4) -> JSON {
        switch number(below: depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(one(of: [true, false]))
        case 2: return .int(one(of: [0, -1, 7, .max, .min, Int64(number(below: 1 << 40))]))
        case 3: return .double(double())
        case 4, 5: return .string(text(of: Self.signs, upTo: 5))
        case 6: return .array((0..<number(below: 4)).map { _ in json(depth: depth - 1) })
        default: return object(depth: depth)
        }
    }

    /// A random object.
    package mutating func object(depth: Int = 3) -> JSON {
        var members: [JSON.Member] = []
        // Sometimes more members than are looked up by linear search.
        for _ in 0..<number(below: chance(oneIn: 10) ? 40 : 5) {
            let name = text(of: Self.signs, upTo: 3)
            guard !members.contains(where: { $0.name == name }) else { continue }
            members.append(JSON.Member(name, json(depth: depth - 1)))
        }
        return .object(members)
    }

    private mutating func double() -> Double {
        let digits = Double(number(below: 1 << 50))
        return one(of: [0.5, -0.0, 1e-7, 1e20, .greatestFiniteMagnitude, digits / 1_024, -digits])
    }

    /// Pieces of text that are error-prone: escapes, control characters, every length of UTF-8.
    package static let signs = [
        "a", "B", "z9", " ", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{8}", "\u{1F}", "\u{7F}", "é",
        "e\u{301}", "\u{301}", "\u{2028}", "€", "😀", "'", "<", "&", "u00e9", "%20", "$",
    ]
}
