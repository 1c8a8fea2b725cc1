import Web

/// A request's JSON object, read field by field; members nobody asks for are
/// passed over.
struct JSONBody: Sendable {
    let json: JSON

    /// Throws unless it says it is JSON and is an object in UTF-8.
    init(_ request: Request) throws(BodyError) {
        guard request.mediaType == "application/json" else { throw .unsupportedMediaType }
        try self.init(bytes: request.body)
        CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
    }

    /// An object in UTF-8, whatever it says it is.
    init(bytes: [UInt8]) throws(BodyError) {
        guard let json = try? JSONReader.read(bytes) else { throw .malformed }
        guard case .object = json else { throw .notAnObject }
        self.json = json
    }

    /// The text of `name`, nil if it is missing, null or empty.
    ///
    /// Throws if it is no string, has more than `limit` bytes or holds a NUL.
    func text(_ name: String, limit: Int) throws(BodyError) -> String? {
        guard let value = json[name], value != .null else { return nil }
        guard let text = value.string else { throw .notAString(name) }
        guard text.utf8.count <= limit else { throw .tooLong(name, limit: limit) }
        guard !text.utf8.contains(0) else { throw .containsNUL(name) }
        return text.isEmpty ? nil : text
    }

    /// `crypt(3)` sees no more of a password.
    static let passwordLimit = 511
    /// Longer ones than addresses may be, for white space around them.
    static let emailLimit = 320
    /// Ours are shorter; so are those of real servers.
    static let tokenLimit = 4_096
    /// A person's name, a one-time code.
    static let shortTextLimit = 400
}

extension Request {
    /// What the body says it is, in lower case and without parameters.
    var mediaType: String {
        let type = headers["Content-Type"] ?? ""
        return type.prefix { $0 != ";" }.lowercased().trimming(" \t")
    }
}

extension String {
    /// Without these ASCII characters at both ends.
    func trimming(_ characters: String) -> String {
        var rest = self[...]
        while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
        while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
