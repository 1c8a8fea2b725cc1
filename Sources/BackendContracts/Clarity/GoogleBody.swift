import Backend
import Web

/// A message to one of Google's services, read field by field.
///
/// As when protocol buffers are read from JSON, names are in camel or snake case, numbers and texts
/// are interchangeable, and null, an empty text and an absent field are the same.
struct GoogleBody: Sendable {
    private let json: JSON

    /// Reads a JSON object, whatever the `Content-Type`. An empty body is an empty object.
    init(_ request: Request) throws {
        self.init(request.body.isEmpty ? .object([]) : try JSONBody(bytes: request.body).json)
        CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
    }

    private init(_ json: JSON) { self.json = json }

    /// Reads JSON or a form, for the one service that accepts both.
    init(formOrJSON request: Request) throws {
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            try self.init(request)
            return
        }
        self.init(.object(try Form(request).items.map { .init($0.name, .string($0.value)) }))
    }

    /// The text of `name`, which is given in camel case.
    func text(_ name: String, limit: Int = JSONBody.tokenLimit) throws(BodyError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.scalarText else { throw .notAString(name) }
        guard text.utf8.count <= limit else { throw .tooLong(name, limit: limit) }
        guard !text.utf8.contains(0) else { throw .containsNUL(name) }
        return text.isEmpty ? nil : text
    }

    /// A password of at most 64 KiB. The method itself applies the stricter limit.
    func password(_ name: String) throws(BodyError) -> String? { try text(name, limit: 1 << 16) }

    /// An ID token is longer than other texts if it contains a name and a picture.
    func idToken() throws(BodyError) -> String? { try text("idToken", limit: Self.idTokenLimit) }

    /// More than the largest token that can be signed, which has about 5,500 bytes and fits a
    /// header block of 8 KiB.
    private static let idTokenLimit = 8_192

    /// Throws if the name would not fit into an ID token.
    func displayName() throws -> String? {
        let name = try text("displayName")
        guard name.map(ClarityProfile.fits(displayName:)) ?? true else {
            throw GoogleFailure.displayNameTooLong
        }
        return name
    }

    /// pyrebase spells the field `photoURL`.
    func photoURL() throws -> String? {
        let photo = try text("photoUrl") ?? text("photoURL")
        guard photo.map(ClarityProfile.fits(photoURL:)) ?? true else {
            throw GoogleFailure.photoURLTooLong
        }
        return photo
    }

    func flag(_ name: String) -> Bool { value(name)?.scalarText == "true" }

    /// The texts of a list. A value that is not a list counts as empty.
    func texts(_ name: String) -> [String] {
        guard case .array(let elements)? = value(name) else { return [] }
        return elements.compactMap(\.scalarText)
    }

    private func value(_ name: String) -> JSON? {
        let value = json[name] ?? json[Self.snakeCase(name)]
        return value == .null ? nil : value
    }

    private static func snakeCase(_ name: String) -> String {
        var snake = ""
        for character in name {
            if character.isUppercase { snake += "_" }
            snake += character.lowercased()
        }
        return snake
    }
}
