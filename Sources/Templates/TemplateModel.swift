/// A template's model as a literal: members by name, of any encodable types.
///
/// For a model that one function builds for one template. A model that several functions build, or
/// that an app's own templates see, is a type with documented properties.
package struct TemplateModel: Encodable, Sendable, ExpressibleByDictionaryLiteral {
    package typealias Key = String
    package typealias Value = (any Encodable & Sendable)?

    private(set) var members: [(name: String, value: Value)]

    package init(dictionaryLiteral elements: (String, Value)...) { members = elements }

    /// The members of both.
    package func merging(_ other: TemplateModel) -> TemplateModel {
        var merged = self
        merged.members += other.members
        return merged
    }

    /// A nil member is encoded too: it hides a member of the same name in an outer object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members {
            if let value {
                try container.encode(value, forKey: Name(stringValue: name))
            } else {
                try container.encodeNil(forKey: Name(stringValue: name))
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
