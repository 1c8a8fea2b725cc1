import Backend
import Web

/// A JSON body as FastAPI validates it: every missing or invalid field is reported at once.
struct ClarityFastAPIBody: Sendable {
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
    )
        -> String
    {
        do {
            if let text = try body.text(name, limit: limit) { return text }
            if isRequired { addError("missing", name, "Field required") }
        } catch { errors.append(FieldError(error)) }
        return ""
    }

    /// A required first or last name.
    mutating func namePart(_ name: String) -> String {
        let text = text(name)
        if !ClarityProfile.fits(namePart: text) {
            addError(FieldError(.tooLong(name, limit: ClarityProfile.maxNamePartLength)))
        }
        return text
    }

    /// The optional display name.
    mutating func displayName() -> String? {
        let text = text("display_name", isRequired: false)
        if !ClarityProfile.fits(displayName: text) {
            addError(FieldError(.tooLong("display_name", limit: ClarityProfile.maxNameLength)))
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

    mutating func addError(_ type: String, _ field: String, _ message: String) {
        addError(FieldError(type, field, message))
    }

    private mutating func addError(_ error: FieldError) { errors.append(error) }

    /// Throws if there are errors.
    func check() throws(ClarityFastAPIFailure) {
        guard errors.isEmpty else { throw ClarityFastAPIFailure(fieldErrors: errors) }
    }
}
