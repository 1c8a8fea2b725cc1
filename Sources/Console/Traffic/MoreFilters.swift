import FoundationEssentials
import Web

/// The less common filters, of which one applies at a time: by token, by fault, by time.
enum MoreFilters {
    static let choices: [(id: String, name: String)] = [
        ("applied", "Affected by a fault"), ("token", "With token"),
        ("bare", "Without token"), ("5", "Last 5 minutes"),
        ("60", "Last hour"), ("1440", "Last day"),
    ]

    /// Minutes back, the accepted values of the `span` parameter next to `since`.
    static let timeSpans = ["5", "60", "1440"]

    /// The choice that the query parameters select; nil for none.
    static func selected(_ parameters: [String: String]) -> String? {
        if parameters["fault"] != nil { return "applied" }
        if let token = parameters["token"] { return token == "no" ? "bare" : "token" }
        // `since` alone does not identify the time span.
        return parameters["since"] == nil ? nil : parameters["span"]
    }

    /// The query parameter changes for the choice `id`; nil removes the filter.
    static func changes(_ id: String?, at now: Date) -> [String: String?] {
        var changes: [String: String?] = [
            "fault": nil, "token": nil, "since": nil, "until": nil, "span": nil,
        ]
        switch id {
        case nil: break
        case "applied": changes["fault"] = .some("applied")
        case "token": changes["token"] = .some("yes")
        case "bare": changes["token"] = .some("no")
        case .some(let minutes):
            let offset = Double(minutes).map { -$0 * 60 } ?? 0
            changes["span"] = .some(minutes)
            changes["since"] = .some(now.addingTimeInterval(offset).iso8601)
        }
        return changes
    }
}
