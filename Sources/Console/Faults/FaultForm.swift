import Traffic
import Web

/// Parses the form's text fields into a draft and collects errors.
struct FaultForm {
    private let input: [String: String]
    private(set) var errors: [Problem.FieldError] = []

    init(_ input: [String: String]) { self.input = input }

    mutating func draft() -> Fault.Draft {
        let kind = value("kind").flatMap(Fault.Kind.init)
        if kind == nil { addError("kind", "choose a type") }
        var draft = Fault.Draft(
            kind ?? .offline, app: value("app"), device: value("device"), call: value("call"),
            times: integer("times"))
        let phase = value("phase").flatMap(Fault.Phase.init) ?? .before
        draft.phase = kind?.supportsAfterPhase == false ? .before : phase
        let settings = kind?.settingNames ?? []
        if settings.contains("status") { draft.status = integer("status") }
        if settings.contains("body") { draft.body = value("body") }
        if settings.contains("headers") { draft.headers = headers() }
        if settings.contains("delay") { draft.delay = number("delay") }
        if settings.contains("retryAfter") { draft.retryAfter = integer("retryAfter") }
        if settings.contains("skew") { draft.skew = integer("skew") }
        return draft
    }

    private func value(_ name: String) -> String? {
        var text = input[name]?.drop(while: \.isWhitespace) ?? ""
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    private mutating func headers() -> [String: String] {
        let lines = HeaderLines(value("headers") ?? "")
        if let invalidLine = lines.invalidLine {
            addError("headers", "invalid header line: \(invalidLine)")
        }
        return Dictionary(
            lines.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    private mutating func integer(_ name: String) -> Int? {
        guard let text = value(name) else { return nil }
        if let number = Int(Self.normalizingMinus(text)) { return number }
        addError(name, "is not an integer")
        return nil
    }

    private mutating func number(_ name: String) -> Double? {
        guard let text = value(name) else { return nil }
        if let number = Double(Self.normalizingMinus(text)), number.isFinite { return number }
        addError(name, "is not a number")
        return nil
    }

    /// Accepts the true minus sign that the page displays as well as a hyphen.
    private static func normalizingMinus(_ text: String) -> String {
        text.replacing("−", with: "-")
    }

    private mutating func addError(_ name: String, _ detail: String) {
        errors.append(.init(pointer: "/" + name, detail: detail))
    }
}
