package import Web

/// What `{name}` stands for while a call is built or a text is shown.
package struct Variables: Sendable {
    /// Form fields, captured values, settings, device facts; later sources
    /// were put over earlier ones by whoever made it.
    package var values: [String: JSON]

    package init(_ values: [String: JSON] = [:]) { self.values = values }

    /// The value of `name`; `user.email` walks members. Null counts as
    /// nothing.
    package subscript(name: String) -> JSON? {
        if let value = values[name] { return value.nonNull }
        guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        var steps = name.split(separator: ".")[...]
        guard let root = steps.popFirst(), var here = values[String(root)] else { return nil }
        for step in steps {
            guard let next = here[String(step)] else { return nil }
            here = next
        }
        return here.nonNull
    }

    /// `text` with every known `{name}` filled; `{user.email}` walks members.
    /// An unknown one becomes empty.
    package func fill(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return TextTemplate(text).parts.reduce(into: "") { out, part in
            switch part {
            case .plain(let text): out += text
            case .variable(let name): out += self[name]?.scalarText ?? ""
            }
        }
    }

    /// The text cut into plain and filled pieces, so that a page can set the
    /// filled ones apart.
    package func segments(_ text: String) -> [Segment] {
        TextTemplate(text).parts.map { part in
            switch part {
            case .plain(let text): Segment(text: text, isVariable: false)
            case .variable(let name): Segment(text: self[name]?.scalarText ?? "", isVariable: true)
            }
        }
    }

    /// Whether every variable of `text` has a value with a text.
    package func hasValues(for text: String) -> Bool {
        hasValues(for: TextTemplate(text).variableNames)
    }

    /// Whether each of `names` has a value with a text.
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
