package import Web

/// Conditions on the values of names, all of which must be met.
package struct ValueConditions: Sendable, Equatable {
    /// Names that must have a value.
    package var presentNames: [String]
    /// Names that must not have a value.
    package var absentNames: [String]
    /// Required values by name: `emailVerified: 'true'`.
    package var expectedValues: [String: String]

    /// Reads the members `present`, `missing` and `where` of `node`, whose names are references of
    /// `kind`; `read` reads an expected value.
    init(
        _ node: ManifestNode, present: String, _ kind: Reference.Kind,
        _ read: (ManifestNode) throws -> String
    ) throws {
        presentNames = try node[present]?.references(kind) ?? []
        absentNames = try node["missing"]?.references(kind) ?? []
        expectedValues = try node["where"]?.dictionary(of: kind, read) ?? [:]
    }

    /// A short description, as an edge label; nil without conditions.
    var summary: String? {
        let parts =
            presentNames + absentNames.map { "no \($0)" }
            + expectedValues.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Whether they are met by the values that `value` returns; null counts as none.
    package func areMet(_ value: (String) -> JSON?) -> Bool {
        presentNames.allSatisfy { value($0)?.nonNull != nil }
            && absentNames.allSatisfy { value($0)?.nonNull == nil }
            && expectedValues.allSatisfy { value($0.key)?.scalarText == $0.value }
    }
}
