import Backend
import Core
import Web

/// A request's JSON object, read field by field. Unknown members are ignored.
struct JSONBody: Sendable {
    let json: JSON

    /// Throws unless the `Content-Type` is JSON and the body is an object in UTF-8.
    init(_ request: Request) throws(BodyError) {
        guard request.mediaType == "application/json" else { throw .unsupportedMediaType }
        try self.init(bytes: request.body)
        CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
    }

    /// Reads an object in UTF-8, whatever the `Content-Type`.
    init(bytes: [UInt8]) throws(BodyError) {
        guard let json = try? JSONReader.read(bytes) else { throw .malformed }
        guard case .object = json else { throw .notAnObject }
        self.json = json
    }

    /// The text of `name`. Nil if it is missing, null or empty.
    ///
    /// Throws if it is not a string, has more than `limit` bytes or contains a NUL.
    func text(_ name: String, limit: Int = shortTextLimit) throws(BodyError) -> String? {
        guard let value = json[name], value != .null else { return nil }
        guard let text = value.string else { throw .notAString(name) }
        guard text.utf8.count <= limit else { throw .tooLong(name, limit: limit) }
        guard !text.utf8.contains(0) else { throw .containsNUL(name) }
        return text.isEmpty ? nil : text
    }

    func email() throws(BodyError) -> String? { try text("email", limit: Self.emailLimit) }

    func password(_ name: String = "password") throws(BodyError) -> String? {
        try text(name, limit: Self.passwordLimit)
    }

    /// `crypt(3)` ignores the rest of a longer password.
    static let passwordLimit = 511
    /// More than an address may have, to allow for white space around it.
    static let emailLimit = 320
    /// Longer than the embedded backend's tokens and those of the real servers.
    static let tokenLimit = 4_096
    /// For a person's name or a one-time code.
    static let shortTextLimit = 400
}

extension Request {
    /// The media type in lower case, without parameters.
    var mediaType: String {
        let type = headers["Content-Type"] ?? ""
        return type.prefix { $0 != ";" }.lowercased().trimming(" \t")
    }
}

extension BodyError {
    /// The text of servers that have none of their own.
    var message: String {
        switch self {
        case .unsupportedMediaType: "Send the body as Content-Type: application/json"
        case .malformed: "The request body is not valid JSON"
        case .notAnObject: "The request body must be a JSON object"
        case .notAString(let name): "\(name) must be a string"
        case .tooLong(let name, let limit): "\(name) must have at most \(limit) bytes"
        case .containsNUL(let name): "\(name) must not hold a NUL character"
        }
    }
}

extension Optional {
    /// The value; throws `error` if there is none.
    func orThrow<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}
