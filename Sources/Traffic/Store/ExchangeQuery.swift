package import Core
package import FoundationEssentials
import SQLite
import Web

/// Filters and paging for a list of exchanges.
package struct ExchangeQuery: Sendable, Equatable {
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
    /// Further conditions.
    package var terms: [ExchangeTerm] = []
    /// A search as typed (`ExchangeSearch`); with an invalid term it matches nothing.
    package var text: String?
    /// Only exchanges sent at this time or later.
    package var from: Date?
    /// Only exchanges sent at this time or earlier.
    package var until: Date?
    package var sort = Sort()
    package var keyset = Keyset()

    package init(workspace: String) { self.workspace = workspace }

    /// Whether any filter besides the workspace applies.
    var isFiltered: Bool {
        var plain = ExchangeQuery(workspace: workspace)
        plain.keyset = keyset
        plain.sort = sort
        return self != plain
    }

    private var search: ExchangeSearch? { text.map(ExchangeSearch.init) }

    /// Whether it may read the text index.
    var readsTextIndex: Bool {
        allTerms.contains { term in
            switch term.condition {
            case .text, .host, .path: !term.isExcluded
            default: false
            }
        }
    }

    var hasInvalidSearch: Bool { search?.errors.isEmpty == false }

    /// The conditions of all properties but the times.
    var allTerms: [ExchangeTerm] {
        let conditions: [ExchangeTerm.Condition?] = [
            app.map { .app($0) }, device.map { .device($0) }, call.map { .call($0) },
            cause.map { .cause($0) }, hasToken == true ? .token : nil,
            status.map { .status($0) }, onlyFaulted ? .faulted : nil,
        ]
        return conditions.compactMap { $0.map { ExchangeTerm($0) } } + terms + (search?.terms ?? [])
    }

    /// The responses that match.
    package enum StatusFilter: Sendable, Equatable {
        case exact(Int)
        /// The first digit: 2, 3, 4 or 5.
        case statusClass(Int)
        case noResponse
        /// 400 and above.
        case httpError
    }

    /// The order of a list.
    package struct Sort: Sendable, Equatable {
        package var column: Column
        package var isAscending: Bool

        /// The newest first by default.
        package init(by column: Column = .time, isAscending: Bool = false) {
            self.column = column
            self.isAscending = isAscending
        }

        package enum Column: String, Sendable, CaseIterable {
            case time, app, method, host, path, status, size, duration
        }
    }
}

extension ExchangeQuery.Sort {
    /// Nil for the recording order. All but that of the host have an index.
    var key: SortKey? {
        switch column {
        case .time: nil
        case .app: SortKey(sql: "e.app")
        case .method: SortKey(sql: "e.method")
        case .host: SortKey(sql: ExchangeColumns.host)
        case .path: SortKey(sql: ExchangeColumns.path)
        // Those without a response come before the lowest status.
        case .status: SortKey(sql: "coalesce(e.status, 0)", isNumber: true)
        case .size: SortKey(sql: "e.response_bytes", isNumber: true)
        case .duration: SortKey(sql: "e.total", isNumber: true)
        }
    }
}

/// Parts of the URL of `exchanges e` as SQL expressions. `http://` and `https://` end before the
/// ninth character.
enum ExchangeColumns {
    static let host: StaticSQL = """
        substr(e.url, instr(e.url, '://') + 3, \
        instr(substr(e.url, 9) || '/', '/') + 5 - instr(e.url, '://'))
        """
    /// With the query.
    static let path: StaticSQL = "substr(e.url, instr(substr(e.url, 9) || '/', '/') + 8)"
}
