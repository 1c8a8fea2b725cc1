import Web

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The one a query's parameter names; nil where it names none.
    static func queryValue(_ name: String, in query: [String: String]) throws(Problem) -> Self? {
        guard let word = query[name] else { return nil }
        guard let one = Self(rawValue: word) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "can be \(known)")
        }
        return one
    }
}
