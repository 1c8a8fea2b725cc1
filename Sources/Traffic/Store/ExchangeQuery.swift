package import FoundationEssentials

/// Filters and paging for a list of exchanges.
package struct ExchangeQuery: Sendable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var call: String?
    package var cause: ExchangeContext.Cause?
    package var status: StatusFilter?
    /// Only exchanges that a fault affected.
    package var onlyFaulted: Bool = false
    /// Whether the request or the response contained a token.
    package var hasToken: Bool?
    /// Words to search for in URLs and bodies.
    package var text: String?
    /// Only exchanges sent at this time or later.
    package var from: Date?
    /// Only exchanges sent at this time or earlier.
    package var until: Date?
    /// Only exchanges with a smaller sequence: the next, older page.
    package var before: Int64?
    /// Only exchanges with a larger sequence: the next, newer page.
    package var after: Int64?
    /// 1 to 500.
    package var limit: Int = 50

    package init(workspace: String) { self.workspace = workspace }

    package enum StatusFilter: Sendable, Equatable {
        case exact(Int)
        /// The first digit: 2, 3, 4 or 5.
        case statusClass(Int)
        case noResponse
        /// 400 and above.
        case httpError
    }
}
