import Web

/// The preferences in a request's `Prefer` header (RFC 7240).
struct PreferHeader: Sendable {
    private(set) var returnPreference: ReturnPreference?
    private(set) var resolution: Resolution?
    private(set) var count: Count?
    private(set) var fillsDefaults = false
    private(set) var rollsBack = false
    private(set) var maxAffected: Int?
    private var handling: String?
    private var transaction: String?
    private var isReading: Bool
    private var isInsert: Bool

    enum ReturnPreference: String, Sendable {
        case minimal, representation
        case headers = "headers-only"
    }

    enum Resolution: String, Sendable {
        case merge = "merge-duplicates"
        case ignore = "ignore-duplicates"
    }

    enum Count: String, Sendable { case exact, planned, estimated }

    init(_ request: Request) throws(RestFailure) {
        isReading = request.method.isSafe
        isInsert = request.method == .post
        let preferences = request.headers.all("Prefer").joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        var unknown: [String] = []
        for preference in preferences {
            let halves = preference.split(separator: "=", maxSplits: 1)
            let value = halves.count == 2 ? String(halves[1]) : ""
            switch halves.first {
            case "return" where ReturnPreference(rawValue: value) != nil:
                returnPreference = returnPreference ?? ReturnPreference(rawValue: value)
            case "resolution" where Resolution(rawValue: value) != nil:
                resolution = resolution ?? Resolution(rawValue: value)
            case "count" where Count(rawValue: value) != nil:
                count = count ?? Count(rawValue: value)
            case "missing" where ["default", "null"].contains(value):
                fillsDefaults = value == "default"
            case "tx" where ["commit", "rollback"].contains(value):
                transaction = transaction ?? value
                rollsBack = transaction == "rollback"
            case "handling" where ["strict", "lenient"].contains(value):
                handling = handling ?? value
            case "max-affected" where Int(value) != nil: maxAffected = Int(value)
            case "timezone": break
            default: unknown.append(preference)
            }
        }
        if handling == "strict", !unknown.isEmpty { throw .invalidPreferences(unknown) }
        if handling != "strict" { maxAffected = nil }
    }

    var wantsCount: Bool { count != nil }
    var wantsRows: Bool { returnPreference == .representation }

    func addAppliedHeader(to response: inout Response) {
        var applied: [String] = []
        if isInsert, let resolution { applied.append("resolution=" + resolution.rawValue) }
        if !isReading {
            if fillsDefaults { applied.append("missing=default") }
            if let returnPreference { applied.append("return=" + returnPreference.rawValue) }
        }
        if let count { applied.append("count=" + count.rawValue) }
        if !isReading, let transaction { applied.append("tx=" + transaction) }
        if let handling { applied.append("handling=" + handling) }
        if !isReading, !isInsert, let maxAffected { applied.append("max-affected=\(maxAffected)") }
        guard !applied.isEmpty else { return }
        response.headers["Preference-Applied"] = applied.joined(separator: ", ")
    }
}
