import FoundationEssentials
import Web

/// The rarer ways to narrow the list, one at a time: by token, by condition,
/// by time.
enum MoreFilters {
    static let choices: [(id: String, name: String)] = [
        ("struck", "a condition struck"), ("token", "with a token"),
        ("bare", "without a token"), ("5", "the last 5 minutes"),
        ("60", "the last hour"), ("1440", "the last day"),
    ]

    /// Minutes back, as an address may tell them beside `since`.
    static let timeSpans = ["5", "60", "1440"]

    /// What the address asks for already; nil for none of these.
    static func selected(_ asked: [String: String]) -> String? {
        if asked["condition"] != nil { return "struck" }
        if let token = asked["token"] { return token == "no" ? "bare" : "token" }
        // The time alone does not tell which span it was.
        return asked["since"] == nil ? nil : asked["span"]
    }

    /// What changes in the address for the choice `id`; nil takes it back.
    static func changes(_ id: String?, at now: Date) -> [String: String?] {
        var changes: [String: String?] = [
            "condition": nil, "token": nil, "since": nil, "until": nil, "span": nil,
        ]
        switch id {
        case nil: break
        case "struck": changes["condition"] = .some("struck")
        case "token": changes["token"] = .some("yes")
        case "bare": changes["token"] = .some("no")
        case .some(let minutes):
            let back = Double(minutes).map { -$0 * 60 } ?? 0
            changes["span"] = .some(minutes)
            changes["since"] = .some(now.addingTimeInterval(back).iso8601)
        }
        return changes
    }
}
