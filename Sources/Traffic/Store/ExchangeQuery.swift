package import FoundationEssentials

/// Which exchanges to list.
package struct ExchangeQuery: Sendable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var call: String?
    package var cause: ExchangeContext.Cause?
    package var status: StatusFilter?
    /// Only exchanges a condition struck.
    package var onlyFaulted: Bool = false
    /// Whether a token went or came with it.
    package var hasToken: Bool?
    /// Words searched in URL and bodies.
    package var text: String?
    /// Only exchanges sent at this time or later.
    package var from: Date?
    /// Only exchanges sent at this time or earlier.
    package var until: Date?
    /// Only exchanges with a smaller sequence: the next, older page.
    package var before: Int64?
    /// Only exchanges with a larger sequence: the next, newer page.
    package var after: Int64?
    /// 1 … 500.
    package var limit: Int = 50

    package init(workspace: String) { self.workspace = workspace }

    package enum StatusFilter: Sendable, Equatable {
        case exact(Int)
        /// 2, 3, 4, 5.
        case statusClass(Int)
        case noResponse
        /// 400 and above.
        case httpError
    }
}
