package import Web

/// The values that `{name}` refers to while a call is built or a text is shown.
package struct Variables: Sendable {
    /// Form fields, captured values, settings, device properties; on a conflict the caller decides
    /// which wins.
    package var values: [String: JSON]

    package init(_ values: [String: JSON] = [:]) { self.values = values }

    /// The value of `name`; `user.email` follows members. Null counts as missing.
    package subscript(name: String) -> JSON? {
        if let value = values[name] { return value.nonNull }
        guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        var steps = name.split(separator: ".")[...]
        guard let root = steps.popFirst(), var current = values[String(root)] else { return nil }
        for step in steps {
            guard let next = current[String(step)] else { return nil }
            current = next
        }
        return current.nonNull
    }

    /// `text` with every `{name}` replaced; `{user.email}` follows members. An unknown name becomes
    /// empty.
    package func fill(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return TextTemplate(text).parts.reduce(into: "") { out, part in
            switch part {
            case .plain(let text): out += text
            case .variable(let name): out += self[name]?.scalarText ?? ""
            }
        }
    }

    /// The text split into literal and variable segments, so that a page can style the variables.
    package func segments(_ text: String) -> [Segment] {
        TextTemplate(text).parts.map { part in
            switch part {
            case .plain(let text): Segment(text: text, isVariable: false)
            case .variable(let name): Segment(text: self[name]?.scalarText ?? "", isVariable: true)
            }
        }
    }

    /// Whether every variable of `text` has a non-empty value.
    package func hasValues(for text: String) -> Bool {
        hasValues(for: TextTemplate(text).variableNames)
    }

    /// Whether each of `names` has a non-empty value.
    package func hasValues(for names: some Sequence<String>) -> Bool {
        names.allSatisfy { self[$0]?.scalarText.map { !$0.isEmpty } ?? false }
    }

    package struct Segment: Sendable, Equatable {
        package var text: String
        package var isVariable: Bool

        package init(text: String, isVariable: Bool) {
            self.text = text
            self.isVariable = isVariable
        }
    }
}
