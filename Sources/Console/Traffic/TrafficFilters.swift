import Core
import FoundationEssentials
import Traffic
import Web

/// The filters of the page: those of the API, and its own.
struct TrafficFilters {
    /// A query whose workspace is not set.
    var query = ExchangeQuery(workspace: "")
    /// The session the list is filtered by.
    var session: String?

    static let names: [String] = {
        var reader = QueryReader()
        _ = Self(&reader)
        return reader.parameters.map(\.name)
    }()
}

extension TrafficFilters {
    /// An invalid search is an error only if `checksSearch`.
    init(_ reader: inout QueryReader, checksSearch: Bool = true) {
        query = ExchangeQuery(&reader, checksSearch: checksSearch)
        query.sort = .init(&reader)
        _ = reader.value(
            "span", "", schema: Schema.string,
            rule: "can be \(MoreFilters.timeSpans.joined(separator: ", "))"
        ) { MoreFilters.timeSpans.contains($0) ? $0 : nil }
        session = reader.string("session", "")
    }
}

/// The filters of a list of requests, as URL parameters of the API and the page.
extension ExchangeQuery {
    /// A query whose workspace is not set.
    init(_ query: inout QueryReader, checksSearch: Bool = true) {
        self.init(workspace: "")
        app = query.string("app", "An app's id.")
        device = query.string("device", "A device's id.")
        call = query.string("call", "A call's name.")
        cause = query.choice("cause", "What initiated it.", of: ExchangeContext.Cause.self)
        status = query.value(
            "status", "401, 4xx, error (400 and above) or failed (no response).",
            schema: Schema.string, rule: "must be " + StatusFilter.rule, convert: StatusFilter.init)
        if let method = query.string("method", "A method, such as POST.")?.nonEmpty {
            terms.append(ExchangeTerm(.method(method)))
        }
        if let host = query.string("host", "A part of the host and port.")?.nonEmpty {
            terms.append(ExchangeTerm(.host(host)))
        }
        if let path = query.string("path", "A part of the path and query.")?.nonEmpty {
            terms.append(ExchangeTerm(.path(path)))
        }
        let fault = query.choice("fault", "Only those affected by a fault.", among: ["applied"])
        onlyFaulted = fault != nil
        if query.choice("rule", "Only those that a rule matched.", among: ["applied"]) != nil {
            terms.append(ExchangeTerm(.ruled))
        }
        hasToken = query.choice(
            "token", "Whether the request or the response has a token.", among: ["yes", "no"]
        ).map { $0 == "yes" }
        from = query.time("since", "Sent at this time or later.")
        until = query.time("until", "Sent at this time or earlier.")
        text = query.string("q", Self.searchDescription)?.nonEmpty
        guard checksSearch else { return }
        for error in searchErrors { query.addError("q", "is invalid: " + error.dropLast()) }
    }

    /// One sentence per invalid term of the search.
    var searchErrors: [String] { text.map { ExchangeSearch($0).errors } ?? [] }

    private static let searchDescription = """
        A search: words, each a part of URL, status, method, app or a body, and filters: \
        \(ExchangeSearch.keys.map { $0 + ":" }.joined(separator: ", ")). All must hold; a minus \
        excludes; a value with spaces is in double quotes. For instance: \
        status:4xx path:/auth -method:GET "not found".
        """

    /// The syntax in examples, for the page.
    static let searchSyntax = [
        DetailModel("auth", "Any part of URL, status, method, app or body"),
        DetailModel("status:401", "Also 4xx, error, failed"),
        DetailModel("method:POST", "Method"), DetailModel("path:/auth", "Part of path and query"),
        DetailModel("host:localhost", "Part of host and port"),
        DetailModel("app:shop", "App; also call:, device:, cause:"),
        DetailModel("fault:applied", "Affected by a fault"),
        DetailModel("rule:applied", "Matched by a rule"),
        DetailModel("has:token", "Request or response with a token"),
        DetailModel("-status:200", "Excludes"), DetailModel("\"not found\"", "Text with spaces"),
    ]

    /// A query with the filters in `parameters`, whose names were already checked.
    init(_ parameters: [String: String], workspace: String) throws(Problem) {
        var reader = QueryReader(parameters)
        self.init(&reader, checksSearch: false)
        try reader.finish()
        self.workspace = workspace
    }
}

extension ExchangeQuery.Sort {
    private static let names = Column.allCases.flatMap { [$0.rawValue, "-" + $0.rawValue] }

    /// `sort`: a column, with a minus descending.
    init(_ query: inout QueryReader) {
        let name = query.choice(
            "sort", "A column; with a minus, descending. -time by default.", among: Self.names)
        self = name.flatMap(Self.init(name:)) ?? Self()
    }

    private init?(name: String) {
        guard let column = Column(rawValue: String(name.drop { $0 == "-" })) else { return nil }
        self.init(by: column, isAscending: !name.hasPrefix("-"))
    }

    /// The value of `sort`; nil for the default.
    var name: String? {
        self == Self() ? nil : (isAscending ? "" : "-") + column.rawValue
    }

    /// The order after a press on the head of `column`: reversed if the list is sorted by it. At
    /// first numbers and times descend, and texts ascend.
    func pressed(_ column: Column) -> Self {
        guard self.column != column else { return Self(by: column, isAscending: !isAscending) }
        let isText = [.app, .method, .host, .path].contains(column)
        return Self(by: column, isAscending: isText)
    }
}
