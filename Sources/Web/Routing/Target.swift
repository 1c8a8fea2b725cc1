/// A request target in canonical form (RFC 9112, 3.2; RFC 3986, 6).
///
/// There is one spelling of every address: `/%61pi` is `/api`. What could mean
/// two things to two readers (dot segments, encoded slashes, NUL, text that is
/// no UTF-8) is refused.
package struct Target: Sendable, Equatable {
    /// Decoded, without empty ones.
    package let segments: [String]
    /// Whether the path ends in `/` (and is more than that).
    package let hasTrailingSlash: Bool
    /// Decoded names and values in order.
    package let query: [Item]

    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// Longer targets are refused.
    package static let limit = 8 << 10

    /// The canonical path, decoded.
    package var path: String {
        "/" + segments.joined(separator: "/")
            + (hasTrailingSlash ? "/" : "")
    }

    package init(parsing target: String) throws(Problem) {
        let bytes = Array(target.utf8)
        guard bytes.count <= Self.limit else {
            throw Problem(
                status: 414, code: "target-too-long",
                title: "The address is too long",
                detail: "It may have \(Self.limit) bytes.")
        }
        guard bytes.first == UInt8(ascii: "/") else {
            throw Self.malformed("it must begin with /")
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let path = bytes[..<(mark ?? bytes.endIndex)]
        var segments: [String] = []
        for part in path.split(separator: UInt8(ascii: "/")) {
            segments.append(try Self.segment(part))
        }
        self.segments = segments
        hasTrailingSlash = !segments.isEmpty && path.last == UInt8(ascii: "/")
        query = try mark.map { mark throws(Problem) in
            try Form.items(bytes[(mark + 1)...]).map {
                Item(name: $0.name, value: $0.value)
            }
        } ?? []
    }

    private static func segment(
        _ part: ArraySlice<UInt8>
    ) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decode(part) else {
            throw malformed("it holds a % that is no escape")
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw malformed("it is not UTF-8")
        }
        let refused: Set<UInt8> = [0, UInt8(ascii: "/"), UInt8(ascii: "\\")]
        guard !decoded.contains(where: { refused.contains($0) || $0 < 0x20 })
        else {
            throw malformed("it holds an encoded slash or control character")
        }
        guard text != ".", text != ".." else {
            throw malformed("it holds a dot segment")
        }
        return text
    }

    private static func malformed(_ why: String) -> Problem {
        Problem(
            status: 400, code: "malformed-target",
            title: "The address is malformed", detail: "Its path is refused: \(why).")
    }
}
