import CMustache

/// Owns one parsed template of the C++ library and its rendered text.
///
/// `@unchecked Sendable`: the library's `render` modifies the template, so it is used by one
/// rendering at a time; `CompiledTemplate` lends each exclusively.
final class ParsedTemplate: @unchecked Sendable {
    /// The library's error message, without the offset at its end.
    struct Failure: Error {
        var detail: String
        var offset: Int?
    }

    private let handle: OpaquePointer

    init(_ source: [UInt8], partials: [String: [UInt8]] = [:]) throws(Failure) {
        let parsed = source.withUnsafeBytes { bytes in mustache_parse(bytes.cString, bytes.count) }
        guard let parsed else { throw Failure(detail: "out of memory") }
        handle = parsed
        if let failure = Self.failure(of: parsed) { throw failure }
        for (name, text) in partials {
            var name = name
            name.withUTF8 { name in
                text.withUnsafeBytes { text in
                    mustache_add_partial(
                        parsed, UnsafeRawBufferPointer(name).cString, name.count, text.cString,
                        text.count)
                }
            }
        }
    }

    deinit { mustache_free(handle) }

    /// Renders into its own buffer; `body` is the value of `{{{body}}}`.
    func render(_ model: Model, body: ParsedTemplate?) throws(Failure) {
        guard mustache_render(handle, model.handle, body?.handle) else {
            throw Self.failure(of: handle) ?? Failure(detail: "not rendered")
        }
    }

    /// The text rendered last.
    var output: [UInt8] {
        var count = 0
        guard let bytes = mustache_output(handle, &count) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// "Unclosed tag at 12" becomes "unclosed tag" and 12.
    private static func failure(of handle: OpaquePointer) -> Failure? {
        guard let text = mustache_error(handle) else { return nil }
        let words = String(cString: text).split(separator: " ")
        var detail = words[...]
        var offset: Int?
        if words.count > 2, words[words.count - 2] == "at", let number = Int(words[words.count - 1])
        {
            offset = number
            detail = words.dropLast(2)
        }
        let sentence = detail.joined(separator: " ")
        return Failure(
            detail: sentence.prefix(1).lowercased() + sentence.dropFirst(), offset: offset)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as C's `char *`; never nil, so that empty text is still text.
    var cString: UnsafePointer<CChar> {
        if let start = baseAddress { return start.assumingMemoryBound(to: CChar.self) }
        // A literal's bytes are never freed and end with a zero.
        let empty: StaticString = ""
        return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
