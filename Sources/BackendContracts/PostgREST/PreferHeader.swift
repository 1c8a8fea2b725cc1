import TableSchemas
import Web

/// The preferences in a request's `Prefer` header (RFC 7240).
struct PreferHeader: Sendable {
    let returnPreference: ReturnPreference?
    let resolution: Resolution?
    let count: Count?
    private(set) var maxAffected: Int?
    private let missing: Missing?
    private let handling: Handling?
    private let transaction: Transaction?
    private let method: Method

    enum ReturnPreference: String, Sendable, CaseIterable {
        case minimal, representation
        case headers = "headers-only"
    }

    enum Resolution: String, Sendable, CaseIterable {
        case merge = "merge-duplicates"
        case ignore = "ignore-duplicates"
    }

    enum Count: String, Sendable, CaseIterable { case exact, planned, estimated }

    private enum Missing: String, CaseIterable { case `default`, null }

    private enum Handling: String, CaseIterable { case strict, lenient }

    private enum Transaction: String, CaseIterable { case commit, rollback }

    init(_ request: Request) throws(RestFailure) {
        method = request.method
        let preferences = request.headers.all("Prefer").joined(separator: ",").split(separator: ",")
            .map(\.trimmingSpaces)
        /// Of several values of a preference the first counts.
        func value<Value: RawRepresentable<String>>(_ name: String) -> Value? {
            preferences.lazy.filter { $0.hasPrefix(name + "=") }
                .compactMap { Value(rawValue: String($0.dropFirst(name.count + 1))) }.first
        }
        returnPreference = value("return")
        resolution = value("resolution")
        count = value("count")
        missing = value("missing")
        handling = value("handling")
        transaction = value("tx")
        let limits = preferences.filter { $0.hasPrefix("max-affected=") }
        if handling == .strict { maxAffected = limits.first.flatMap { Int($0.dropFirst(13)) } }
        let unknown = preferences.filter { !Self.isKnown($0) }
        if handling == .strict, !unknown.isEmpty { throw .invalidPreferences(unknown) }
    }

    private static let known = Set(
        ReturnPreference.allCases.map { "return=" + $0.rawValue }
            + Resolution.allCases.map { "resolution=" + $0.rawValue }
            + Count.allCases.map { "count=" + $0.rawValue }
            + Missing.allCases.map { "missing=" + $0.rawValue }
            + Handling.allCases.map { "handling=" + $0.rawValue }
            + Transaction.allCases.map { "tx=" + $0.rawValue })

    private static func isKnown(_ preference: String) -> Bool {
        known.contains(preference) || preference.hasPrefix("timezone=")
            || preference.hasPrefix("max-affected=")
    }

    var wantsCount: Bool { count != nil }
    /// A write has no plan that could estimate a count.
    var wantsCountOfWrite: Bool { [.exact, .estimated].contains(count) }
    var wantsRows: Bool { returnPreference == .representation }
    var fillsDefaults: Bool { missing == .default }
    var rollsBack: Bool { transaction == .rollback }

    func addAppliedHeader(to response: inout Response) {
        var applied: [String] = []
        func add<Value: RawRepresentable<String>>(
            _ name: String, _ value: Value?, in methods: Set<Method>? = nil
        ) {
            guard let value, methods?.contains(method) ?? true else { return }
            applied.append("\(name)=\(value.rawValue)")
        }
        add("resolution", resolution, in: [.post])
        add("missing", missing, in: [.post, .patch])
        add("return", returnPreference, in: [.post, .put, .patch, .delete])
        add("count", count)
        add("tx", transaction)
        add("handling", handling)
        if let maxAffected, [.patch, .delete].contains(method) {
            applied.append("max-affected=\(maxAffected)")
        }
        guard !applied.isEmpty else { return }
        response.headers["Preference-Applied"] = applied.joined(separator: ", ")
    }
}
