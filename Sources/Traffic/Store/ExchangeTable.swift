import Crypto
import FoundationEssentials
import SQLite
import Web

/// The `exchanges` table: converts records to rows and rows to exchanges.
enum ExchangeTable {
    /// The columns of `Exchange` in `exchanges e`, in the order `exchange(_:)` reads them.
    static let columns: StaticSQL = """
        e.sequence, e.id, e.workspace, e.app, e.device, e.backend, e.call, e.cause, e.cause_event, \
        e.cause_exchange, e.attempt, e.method, e.url, e.status, e.failure_kind, e.failure_detail, \
        e.started_at, e.name_lookup, e.connect, e.tls, e.first_byte, e.total, e.request_bytes, \
        e.response_bytes, e.condition
        """

    static func insert(
        _ detail: ExchangeDetail, _ sealed: [String], at now: Date, _ connection: Connection
    ) throws {
        let exchange = detail.exchange
        let root = try exchange.causeExchange.flatMap { cause in
            try connection.text("SELECT root FROM exchanges WHERE id = ?", [.text(cause)]) ?? cause
        }
        let (request, response) = (detail.requestBody, detail.responseBody)
        try connection.insert(
            [
                ("id", .text(exchange.id)), ("workspace", .text(exchange.workspace)),
                ("app", .text(exchange.app)), ("device", .text(exchange.device)),
                ("backend", .text(exchange.backend)), ("call", .text(exchange.call)),
                ("cause", .text(exchange.cause.rawValue)),
                ("cause_event", .integer(exchange.causeEvent)),
                ("cause_exchange", .text(exchange.causeExchange)),
                ("root", .text(root ?? exchange.id)), ("attempt", .integer(exchange.attempt)),
                ("method", .text(exchange.method)), ("url", .text(exchange.url)),
                ("status", .integer(exchange.status.map(Int64.init))),
                ("failure_kind", .text(exchange.failure?.kind.rawValue)),
                ("failure_detail", .text(exchange.failure?.detail)),
                ("started_at", .date(exchange.startedAt)),
                ("name_lookup", .real(exchange.timings.nameLookup)),
                ("connect", .real(exchange.timings.connect)), ("tls", .real(exchange.timings.tls)),
                ("first_byte", .real(exchange.timings.firstByte)),
                ("total", .real(exchange.timings.total)),
                ("request_bytes", .integer(exchange.requestBytes)),
                ("response_bytes", .integer(exchange.responseBytes)),
                ("condition", .text(exchange.fault)),
                ("remote_address", .text(detail.remoteAddress)),
                ("tokens", .text(encode(detail.tokens))), ("sealed", .text(encode(sealed))),
                ("request_headers", .text(encode(detail.requestHeaders.rows))),
                ("response_headers", .text(encode(detail.responseHeaders.rows))),
                ("request_text", .text(request.text)), ("response_text", .text(response.text)),
                ("request_blob", request.text == nil ? .blob(request.binary) : .null),
                ("response_blob", response.text == nil ? .blob(response.binary) : .null),
                ("checks", detail.checks.isEmpty ? .null : .text(encode(detail.checks.map(\.row)))),
                ("recorded_at", .date(now)),
            ], into: "exchanges")
    }

    static func exchange(_ row: Row) -> Exchange {
        let failure = row.optionalText(14).map { kind in
            TransportFailure(TransportFailure.Kind(rawValue: kind) ?? .connection, row.text(15))
        }
        return Exchange(
            id: row.text(1), sequence: row.integer(0), workspace: row.text(2), app: row.text(3),
            device: row.text(4), backend: row.text(5), call: row.text(6),
            cause: ExchangeContext.Cause(rawValue: row.text(7)) ?? .manual,
            causeEvent: row.optionalInteger(8), causeExchange: row.optionalText(9),
            attempt: Int(row.integer(10)), method: row.text(11), url: row.text(12),
            status: row.optionalInteger(13).map(Int.init), failure: failure,
            startedAt: row.date(16),
            timings: Timings(
                nameLookup: row.optionalReal(17), connect: row.optionalReal(18),
                tls: row.optionalReal(19), firstByte: row.optionalReal(20), total: row.real(21)),
            requestBytes: Int(row.integer(22)), responseBytes: Int(row.integer(23)),
            fault: row.optionalText(24))
    }

    /// The columns that `detail(_:)` reads.
    static let detailColumns: StaticSQL = """
        \(columns), remote_address, tokens, request_headers, response_headers, request_text, \
        response_text, request_blob, response_blob, checks
        """

    static func detail(_ row: Row) -> ExchangeDetail {
        let exchange = exchange(row)
        return ExchangeDetail(
            exchange: exchange, requestHeaders: Headers(rows: decode(row.text(27))),
            requestBody: .init(
                text: row.optionalText(29), binary: row.blob(31), length: exchange.requestBytes),
            responseHeaders: Headers(rows: decode(row.text(28))),
            responseBody: .init(
                text: row.optionalText(30), binary: row.blob(32), length: exchange.responseBytes),
            remoteAddress: row.optionalText(25), tokens: decode(row.text(26)),
            checks: row.optionalText(33).map { decode($0).compactMap(ExchangeCheck.init) } ?? [])
    }

    // MARK: Lists as JSON

    private static func encode(_ texts: [String]) -> String {
        JSON.array(texts.map(JSON.string)).description
    }

    private static func encode(_ rows: [[String]]) -> String {
        JSON.array(rows.map { .array($0.map(JSON.string)) }).description
    }

    static func decode(_ text: String) -> [String] {
        (try? JSON(parsing: text))?.elements.compactMap(\.string) ?? []
    }

    private static func decode(_ text: String) -> [[String]] {
        (try? JSON(parsing: text))?.elements.map { $0.elements.compactMap(\.string) } ?? []
    }

    // MARK: Deleting

    /// Deletes the oldest exchanges beyond `limit` and those recorded before `cutoff`, at most 512
    /// of each per call, so that no page waits for it. Rows are in recording order, so if the first
    /// is not too old, none is.
    static func prune(
        _ workspace: String, to limit: Int, before cutoff: Date, _ connection: Connection
    ) throws {
        let surplus = try ExchangeTotals(in: workspace, connection).all - limit
        if surplus > 0 {
            try drop(
                """
                SELECT sequence FROM exchanges WHERE workspace = ? \
                ORDER BY sequence LIMIT min(?, 512)
                """, [.text(workspace), .integer(surplus)], of: workspace, connection)
        }
        let values: [Value] = [.text(workspace), .date(cutoff)]
        let isOld = try connection.exists(
            """
            SELECT 1 FROM (SELECT coalesce(recorded_at, started_at) AS at FROM exchanges WHERE \
            workspace = ? ORDER BY sequence LIMIT 1) WHERE at < ?
            """, values)
        guard isOld else { return }
        try drop(
            """
            SELECT sequence FROM (
                SELECT sequence, coalesce(recorded_at, started_at) AS at
                FROM exchanges WHERE workspace = ?
                ORDER BY sequence LIMIT 512)
            WHERE at < ?
            """, values, of: workspace, connection)
    }

    /// Deletes the exchanges whose sequences `selection` selects.
    private static func drop(
        _ selection: StaticSQL, _ values: [Value], of workspace: String, _ connection: Connection
    ) throws {
        let removed = try connection.row(
            """
            SELECT count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE \
            failure_kind IS NOT NULL), count(*) FILTER (WHERE cause = 'refresh') FROM exchanges \
            WHERE sequence IN (\(selection))
            """, values, ExchangeTotals.init)
        try SearchIndex.remove("sequence IN (\(selection))", values, connection)
        try connection.run("DELETE FROM exchanges WHERE sequence IN (\(selection))", values)
        try removed?.store(in: workspace, sign: -1, connection)
    }
}

extension Headers {
    /// Name and value of every field: keeps order and repetitions.
    fileprivate var rows: [[String]] { fields.map { [$0.name, $0.value] } }

    fileprivate init(rows: [[String]]) {
        self.init(rows.filter { $0.count == 2 }.map { Field(name: $0[0], value: $0[1]) })
    }
}

extension ExchangeCheck {
    fileprivate var row: [String] { [name, title, state.rawValue, evidence] }

    fileprivate init?(row: [String]) {
        guard row.count == 4, let state = State(rawValue: row[2]) else { return nil }
        self.init(name: row[0], title: row[1], state: state, evidence: row[3])
    }
}
