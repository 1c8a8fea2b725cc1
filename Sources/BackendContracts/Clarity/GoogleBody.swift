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
        guard let text = value.protobufText else { throw .notAString(name) }
        guard text.utf8.count <= limit else { throw .tooLong(name, limit: limit) }
        guard !text.utf8.contains(0) else { throw .containsNUL(name) }
        return text.isEmpty ? nil : text
    }

    /// A password of at most 64 KiB. The method itself applies the stricter limit.
    func password(_ name: String) throws(BodyError) -> String? {
        try text(name, limit: Self.longTextLimit)
    }

    /// A token: longer than other texts if it contains claims, a name and a picture.
    func token(_ name: String) throws(BodyError) -> String? {
        try text(name, limit: Self.longTextLimit)
    }

    func idToken() throws(BodyError) -> String? { try token("idToken") }

    static let longTextLimit = 1 << 16

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

    /// Nil if it is absent.
    func optionalFlag(_ name: String) throws(BodyError) -> Bool? {
        switch value(name)?.scalarText?.lowercased() {
        case "true", "1": true
        case "false", "0", "": false
        case nil where value(name) == nil: nil
        default: throw .notAString(name)
        }
    }

    func flag(_ name: String) throws(BodyError) -> Bool { try optionalFlag(name) ?? false }

    /// A whole number, as a number or as text. Nil if it is absent.
    func number(_ name: String) throws(BodyError) -> Int64? {
        guard let text = try text(name, limit: JSONBody.shortTextLimit) else { return nil }
        if let number = Int64(text) { return number }
        guard let number = Double(text), let whole = Int64(exactly: number.rounded(.down)) else {
            throw .notAString(name)
        }
        return whole
    }

    /// The texts of a list. A single text counts as a list of one.
    func texts(_ name: String) throws(BodyError) -> [String] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else {
            return try text(name).map { [$0] } ?? []
        }
        var texts: [String] = []
        for element in elements {
            guard let text = element.protobufText, text.utf8.count <= JSONBody.tokenLimit,
                !text.utf8.contains(0)
            else { throw .notAString(name) }
            texts.append(text)
        }
        return texts
    }

    /// The objects of a list; nil if it is absent.
    func list(_ name: String) throws(BodyError) -> [GoogleBody]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else { throw .notAString(name) }
        var list: [GoogleBody] = []
        for element in elements {
            guard case .object = element else { throw .notAnObject }
            list.append(GoogleBody(element))
        }
        return list
    }

    /// A message inside the message.
    func object(_ name: String) throws(BodyError) -> GoogleBody? {
        guard let value = value(name) else { return nil }
        guard case .object = value else { throw .notAString(name) }
        return GoogleBody(value)
    }

    /// Whether the field is there, even as an empty text.
    func has(_ name: String) -> Bool { value(name) != nil }

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

extension JSON {
    /// A text, or a number as text. A truth value is neither.
    fileprivate var protobufText: String? {
        if case .bool = self { nil } else { scalarText }
    }
}
