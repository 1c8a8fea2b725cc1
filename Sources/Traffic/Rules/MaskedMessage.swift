import Crypto
package import Web

/// Headers and body of a message with secrets replaced by placeholders, which an edited version may
/// contain: they stand for the real values.
package struct MaskedMessage: Sendable {
    /// Name and value of each field.
    package let fields: [Headers.Field]
    /// The body as text; nil if it cannot be edited.
    package let body: String?
    /// Why the body cannot be edited; nil if it can.
    package let bodyNote: String?
    /// The placeholders in it, each with a masked form for users.
    package private(set) var placeholders: [(text: String, masked: String)] = []

    private let values: [MaskedText]
    private let maskedBody: MaskedText?
    private let original: (headers: Headers, body: [UInt8])
    private let url: MaskedText?

    /// The URL with secrets replaced; empty without one.
    package var maskedURL: String { url?.text ?? "" }

    /// `bodyNote` is why the body cannot be edited, if the caller knows a reason.
    init(
        _ headers: Headers, _ body: [UInt8], url: String? = nil, passwords: [String],
        tokens: [String], bodyNote: String? = nil
    ) {
        var redaction = Redaction(passwords: passwords, tokens: tokens)
        original = (headers, body)
        self.url = url.map { MaskedText($0, redacted: redaction.redact($0)) }
        values = headers.fields.map {
            MaskedText($0.value, redacted: redaction.redact(header: $0.name, $0.value))
        }
        fields = zip(headers.fields, values).map { .init(name: $0.name, value: $1.text) }
        let coding = headers["Content-Encoding"]?.lowercased() ?? ""
        let text =
            body.contains(0) ? nil : String(validating: body, as: UTF8.self)
        if let bodyNote {
            (maskedBody, self.bodyNote) = (nil, bodyNote)
        } else if !body.isEmpty, !coding.isEmpty, coding != "identity" {
            maskedBody = nil
            self.bodyNote = "encoded as \(coding.prefix(40)): passes unchanged"
        } else if let text {
            maskedBody = MaskedText(text, redacted: redaction.redact(text))
            self.bodyNote = nil
        } else {
            maskedBody = nil
            self.bodyNote = "binary, \(Format.size(body.count)): passes unchanged"
        }
        self.body = maskedBody?.text
        let tokens = redaction.tokens.map { String(decoding: $0, as: UTF8.self) }
        var known: Set<String> = []
        for text in [self.url].compactMap(\.self) + values + [maskedBody].compactMap(\.self) {
            for label in text.labels where known.insert(label).inserted {
                let index = tokens.indices.first { Redaction.placeholder($0) == label }
                placeholders.append((label, index.map { Token.masked(tokens[$0]) } ?? "a password"))
            }
        }
    }

    /// The edited URL with the real values in place of placeholders.
    func url(edited: String) -> String? { url.flatMap { fill(edited, like: $0) } }

    /// The edited fields with real values, and the indexes of those with unknown placeholders.
    package func headers(edited: [Headers.Field]) -> (headers: Headers, invalid: [Int]) {
        if edited == fields { return (original.headers, []) }
        var invalid: [Int] = []
        let filled = edited.enumerated().map { index, field in
            let own = fields.firstIndex(of: field).map { values[$0] }
            let value = own?.original ?? fill(field.value, like: nil)
            if value == nil { invalid.append(index) }
            return Headers.Field(name: field.name, value: value ?? field.value)
        }
        return (Headers(filled), invalid)
    }

    /// The edited body with real values; nil if it has an unknown placeholder.
    package func body(edited: String) -> [UInt8]? {
        guard let maskedBody else { return Array(edited.utf8) }
        return fill(edited, like: maskedBody).map { Array($0.utf8) }
    }

    /// Fills in the values of `text`'s own placeholders, then those of the others.
    private func fill(_ edited: String, like text: MaskedText?) -> String? {
        if let text, text.isSame(edited) { return text.original }
        var known = text?.values ?? [:]
        for other in values + [url, maskedBody].compactMap(\.self) {
            known.merge(other.values) { first, _ in first }
        }
        guard let filled = MaskedText.fill(edited, known) else { return nil }
        // Browsers and editors write other line ends than some formats require.
        guard let text, text.original.utf8.contains(UInt8(ascii: "\r")) else { return filled }
        return filled.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    }
}

/// A text with its secrets replaced by placeholders, and what each stands for in it.
struct MaskedText: Sendable {
    let original: String
    /// With placeholders: `‹token:0›`, `‹password›`, and `‹password:2›` for another password.
    let text: String
    /// The replaced text by placeholder.
    private(set) var values: [String: String] = [:]

    var labels: [String] { values.keys.sorted() }

    /// Aligns the redacted text with the original, in which a secret may be encoded in any way.
    init(_ original: String, redacted: String) {
        self.original = original
        let (literals, placeholders) = Self.split(redacted)
        guard !placeholders.isEmpty, original != redacted else {
            text = redacted
            return
        }
        let bytes = Array(original.utf8)
        var (position, out) = (literals[0].count, String(decoding: literals[0], as: UTF8.self))
        for (index, placeholder) in placeholders.enumerated() {
            let next = literals[index + 1]
            let end =
                index == placeholders.count - 1
                ? bytes.count - next.count
                : ByteSearch.firstIndex(of: next, in: bytes[min(position, bytes.count)...])
            guard let end, end >= position else {
                // Not aligned, as between secrets without a delimiter: shown, and not editable.
                text = redacted
                values = [:]
                return
            }
            let value = String(decoding: bytes[position..<end], as: UTF8.self)
            var label = placeholder
            if placeholder.hasPrefix("‹password") {
                var number = 1
                while let other = values[label], other != value {
                    number += 1
                    label = "‹password:\(number)›"
                }
            }
            values[label] = values[label] ?? value
            out += label + String(decoding: next, as: UTF8.self)
            position = end + next.count
        }
        text = out
    }

    /// Whether an edited text is this one, apart from line ends.
    func isSame(_ edited: String) -> Bool {
        edited == text || edited.replacing("\r\n", with: "\n") == text.replacing("\r\n", with: "\n")
    }

    /// Replaces every placeholder, in one pass; nil if one has no value.
    static func fill(_ text: String, _ values: [String: String]) -> String? {
        let (literals, placeholders) = split(text)
        var out = literals[0]
        for (placeholder, literal) in zip(placeholders, literals.dropFirst()) {
            guard let value = values[placeholder] else { return nil }
            out += value.utf8
            out += literal
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let start = Array("‹".utf8)
    private static let end = Array("›".utf8)

    /// The placeholders in a text, and the parts around them.
    private static func split(_ text: String) -> (literals: [[UInt8]], placeholders: [String]) {
        let bytes = Array(text.utf8)
        var literals: [[UInt8]] = [[]]
        var placeholders: [String] = []
        var remaining = bytes[...]
        while let open = ByteSearch.firstIndex(of: start, in: remaining) {
            literals[literals.count - 1] += remaining[..<open]
            let limit = min(bytes.count, open + 24)
            if let close = ByteSearch.firstIndex(of: end, in: bytes[open..<limit]),
                case let label = String(decoding: bytes[open..<(close + end.count)], as: UTF8.self),
                isPlaceholder(label)
            {
                placeholders.append(label)
                literals.append([])
                remaining = bytes[(close + end.count)...]
            } else {
                literals[literals.count - 1] += start
                remaining = bytes[(open + start.count)...]
            }
        }
        literals[literals.count - 1] += remaining
        return (literals, placeholders)
    }

    private static func isPlaceholder(_ label: String) -> Bool {
        Redaction.isPlaceholder(label)
            || label.hasPrefix("‹password:") && Int(label.dropFirst(10).dropLast()) != nil
    }
}
