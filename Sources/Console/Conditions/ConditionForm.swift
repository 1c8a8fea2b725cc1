import Traffic
import Web

/// Reads the page's form: texts into a draft, and what is no number.
struct ConditionForm {
    private let typed: [String: String]
    private(set) var faults: [Problem.FieldError] = []

    init(_ typed: [String: String]) { self.typed = typed }

    mutating func draft() -> Condition.Draft {
        let kind = given("kind").flatMap(Condition.Kind.init)
        if kind == nil { fault("kind", "choose what goes wrong") }
        var draft = Condition.Draft(
            kind ?? .offline, app: given("app"), device: given("device"), call: given("call"),
            times: integer("times"))
        let phase = given("phase").flatMap(Condition.Phase.init) ?? .before
        draft.phase = kind?.hasAfter == false ? .before : phase
        let settings = kind?.settings ?? []
        if settings.contains("status") { draft.status = integer("status") }
        if settings.contains("body") { draft.body = given("body") }
        if settings.contains("headers") { draft.headers = headers() }
        if settings.contains("delay") { draft.delay = number("delay") }
        if settings.contains("retryAfter") { draft.retryAfter = integer("retryAfter") }
        if settings.contains("skew") { draft.skew = integer("skew") }
        return draft
    }

    private func given(_ name: String) -> String? {
        var text = typed[name]?.drop(while: \.isWhitespace) ?? ""
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    private mutating func headers() -> [String: String] {
        let lines = HeaderLines(given("headers") ?? "")
        if let odd = lines.odd {
            fault("headers", "are a line each, a name, a colon and a value; \(odd) is none")
        }
        return Dictionary(
            lines.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    private mutating func integer(_ name: String) -> Int? {
        guard let text = given(name) else { return nil }
        if let number = Int(Self.plain(text)) { return number }
        fault(name, "is no whole number")
        return nil
    }

    private mutating func number(_ name: String) -> Double? {
        guard let text = given(name) else { return nil }
        if let number = Double(Self.plain(text)), number.isFinite { return number }
        fault(name, "is no number")
        return nil
    }

    /// With a true minus, as the page writes it, or a hyphen.
    private static func plain(_ text: String) -> String { text.replacing("−", with: "-") }

    private mutating func fault(_ name: String, _ detail: String) {
        faults.append(.init(pointer: "/" + name, detail: detail))
    }
}
