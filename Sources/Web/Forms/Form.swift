/// `application/x-www-form-urlencoded` (WHATWG URL, 5).
package struct Form: Sendable {
    /// Decoded, in order.
    package let items: [Item]

    /// A field as submitted, decoded.
    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The design tokens form has two fields for each of at most 2,000 tokens.
    private static let maxFieldCount = 5_000

    /// Parses the body of `request`; an empty body is an empty form.
    package init(_ request: Request) throws(Problem) {
        guard request.body.isEmpty || request.headers.isForm else {
            throw Problem(
                status: 415, code: "not-a-form", title: "Form expected",
                detail: "Send Content-Type: application/x-www-form-urlencoded.")
        }
        items = try Self.parseItems(request.body[...])
    }

    /// The first value of `name`.
    package subscript(name: String) -> String? { items.value(of: name) }

    /// Every value of `name`, in order.
    package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The first value of each name.
    package var firstValues: [String: String] { items.firstValues }

    static func parseItems(_ bytes: ArraySlice<UInt8>) throws(Problem) -> [Item] {
        var items: [Item] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            guard items.count < maxFieldCount else {
                throw malformed("it has more than \(maxFieldCount) fields")
            }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = pair[..<(equals ?? pair.endIndex)]
            let value = equals.map { pair[($0 + 1)...] } ?? []
            items.append(Item(name: try decode(name), value: try decode(value)))
        }
        return items
    }

    /// Parses pairs from an untrusted source, without a limit on their number; a name or value that
    /// cannot be decoded stays escaped.
    package static func parseLeniently(_ text: Substring) -> [(name: String, value: String)] {
        func decode(_ text: Substring) -> String {
            PercentEncoding.decodedText(text, plusIsSpace: true) ?? String(text)
        }
        return URLParts.pairs(in: text).map { (decode($0.name), decode($0.value)) }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: true) else {
            throw malformed("it contains an invalid % escape")
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw malformed("it is not UTF-8")
        }
        guard !decoded.contains(0) else { throw malformed("it contains a NUL character") }
        return text
    }

    private static func malformed(_ reason: String) -> Problem {
        Problem(
            status: 400, code: "malformed-form", title: "Malformed form or query",
            detail: "Rejected: \(reason).")
    }

    /// Encodes `pairs` as a query or a body.
    package static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { name, value in
            PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
        }.joined(separator: "&")
    }
}

extension [Form.Item] {
    /// The first value of each name.
    package var firstValues: [String: String] {
        Dictionary(map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The first value of `name`, also an empty one; nil if it is missing.
    package func value(of name: String) -> String? { first { $0.name == name }?.value }
}
