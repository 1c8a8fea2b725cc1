import Backend
import Web

/// A JSON body as FastAPI validates it: every missing or invalid field is reported at once.
struct FastAPIBody: Sendable {
    private let body: JSONBody
    private(set) var errors: [FieldError] = []

    /// An invalid field.
    struct FieldError: Sendable, Equatable {
        let type: String
        /// Nil if the body itself is invalid.
        let field: String?
        let message: String

        package init(_ type: String, _ field: String?, _ message: String) {
            self.type = type
            self.field = field
            self.message = message
        }

        init(_ error: BodyError) {
            switch error {
            case .unsupportedMediaType, .notAnObject:
                self.init(
                    "model_attributes_type", nil,
                    "Input should be a valid dictionary or object to extract fields from")
            case .malformed: self.init("json_invalid", nil, "JSON decode error")
            case .notAString(let name):
                self.init("string_type", name, "Input should be a valid string")
            case .tooLong(let name, let limit):
                self.init("string_too_long", name, "String should have at most \(limit) characters")
            case .containsNUL(let name):
                self.init("value_error", name, "Value error, it holds a NUL")
            }
        }

        var json: JSON {
            let location: [JSON] = ["body"] + (field.map { [.string($0)] } ?? [])
            return ["type": .string(type), "loc": .array(location), "msg": .string(message)]
        }
    }

    init(_ request: Request) throws(BodyError) { body = try JSONBody(request) }

    /// The text of `name`. A missing required field adds an error.
    mutating func text(
        _ name: String, limit: Int = JSONBody.shortTextLimit, isRequired: Bool = true
    ) -> String {
        do {
            if let text = try body.text(name, limit: limit) { return text }
            if isRequired { addError("missing", name, "Field required") }
        } catch { errors.append(FieldError(error)) }
        return ""
    }

    static let invalidEmail = FieldError(
        "value_error", "email", "value is not a valid email address")

    /// The address in `email`. An invalid address adds an error.
    mutating func emailAddress() -> EmailAddress? {
        let errorCount = errors.count
        let text = text("email", limit: JSONBody.emailLimit)
        let address = EmailAddress(text)
        if address == nil, errors.count == errorCount { errors.append(Self.invalidEmail) }
        return address
    }

    /// A new password of at least eight characters. A shorter one adds an error.
    mutating func newPassword(_ name: String) -> String {
        let errorCount = errors.count
        let text = text(name, limit: JSONBody.passwordLimit)
        if text.unicodeScalars.count < 8, errors.count == errorCount {
            addError("string_too_short", name, "String should have at least 8 characters")
        }
        return text
    }

    /// A required first or last name.
    mutating func namePart(_ name: String) -> String {
        let text = text(name)
        if !ClarityProfile.fits(namePart: text) {
            errors.append(FieldError(.tooLong(name, limit: ClarityProfile.maxNamePartLength)))
        }
        return text
    }

    /// The optional display name.
    mutating func displayName() -> String? {
        let text = text("display_name", isRequired: false)
        if !ClarityProfile.fits(displayName: text) {
            errors.append(FieldError(.tooLong("display_name", limit: ClarityProfile.maxNameLength)))
        }
        return text.isEmpty ? nil : text
    }

    /// A required consent, which must be true.
    mutating func requireConsent(_ name: String) {
        switch body.json[name]?.scalarText {
        case "true", "True", "1": return
        case nil: addError("missing", name, "Field required")
        default: addError("value_error", name, "Value error, it must be accepted")
        }
    }

    private mutating func addError(_ type: String, _ field: String, _ message: String) {
        errors.append(FieldError(type, field, message))
    }

    /// Throws if there are errors.
    func check() throws(FastAPIFailure) {
        guard errors.isEmpty else { throw FastAPIFailure(fieldErrors: errors) }
    }
}
