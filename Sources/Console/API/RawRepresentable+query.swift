import Web

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case that a query parameter names; nil without the parameter.
    static func queryValue(_ name: String, in query: [String: String]) throws(Problem) -> Self? {
        guard let word = query[name] else { return nil }
        guard let value = Self(rawValue: word) else {
            let values = allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "can be \(values)")
        }
        return value
    }
}
