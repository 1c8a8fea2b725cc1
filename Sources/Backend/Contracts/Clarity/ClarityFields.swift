import Web

/// A JSON body as FastAPI reads it: every missing or wrong field is told at
/// once.
struct ClarityFields: Sendable {
    private let body: JSONBody
    private(set) var faults: [Fault] = []

    /// One field that is not as it should be.
    struct Fault: Sendable, Equatable {
        let type: String
        /// Nil for the whole body.
        let field: String?
        let message: String

        init(_ type: String, _ field: String?, _ message: String) {
            self.type = type
            self.field = field
            self.message = message
        }

        init(_ fault: BodyFault) {
            switch fault {
            case .mediaType, .notObject:
                self.init(
                    "model_attributes_type", nil,
                    "Input should be a valid dictionary or object to extract fields from")
            case .malformed: self.init("json_invalid", nil, "JSON decode error")
            case .noText(let name): self.init("string_type", name, "Input should be a valid string")
            case .tooLong(let name, let limit):
                self.init("string_too_long", name, "String should have at most \(limit) characters")
            case .holdsNUL(let name): self.init("value_error", name, "Value error, it holds a NUL")
            }
        }

        var json: JSON {
            let place: [JSON] = ["body"] + (field.map { [.string($0)] } ?? [])
            return ["type": .string(type), "loc": .array(place), "msg": .string(message)]
        }
    }

    init(_ request: Request) throws(BodyFault) { body = try JSONBody(request) }

    /// The text of `name`; if there must be one, its absence is a fault.
    mutating func text(_ name: String, limit: Int = JSONBody.wordLimit, isRequired: Bool = true)
        -> String
    {
        do {
            if let text = try body.text(name, limit: limit) { return text }
            if isRequired { add("missing", name, "Field required") }
        } catch { faults.append(Fault(error)) }
        return ""
    }

    /// A first or last name, which must be there.
    mutating func namePart(_ name: String) -> String {
        let text = text(name)
        if !ClarityPerson.fits(namePart: text) {
            add(Fault(.tooLong(name, limit: ClarityPerson.longestNamePart)))
        }
        return text
    }

    /// A name to be shown by, nil without one.
    mutating func displayName() -> String? {
        let text = text("display_name", isRequired: false)
        if !ClarityPerson.fits(displayName: text) {
            add(Fault(.tooLong("display_name", limit: ClarityPerson.longestName)))
        }
        return text.isEmpty ? nil : text
    }

    /// A switch that must be there, and on.
    mutating func consent(_ name: String) {
        switch body.json[name]?.text {
        case "true", "True", "1": return
        case nil: add("missing", name, "Field required")
        default: add("value_error", name, "Value error, it must be accepted")
        }
    }

    mutating func add(_ type: String, _ field: String, _ message: String) {
        add(Fault(type, field, message))
    }

    private mutating func add(_ fault: Fault) { faults.append(fault) }

    /// Refuses the body if anything was wrong with it.
    func check() throws(ClarityProblem) {
        guard faults.isEmpty else { throw ClarityProblem(fields: faults) }
    }
}
