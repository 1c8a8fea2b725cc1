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
        e.response_bytes, e.condition, e.rule
        """

    private static let insertion: StaticSQL = {
        let names: [StaticSQL] = [
            "id", "workspace", "app", "device", "backend", "call", "cause", "cause_event",
            "cause_exchange", "root", "attempt", "method", "url", "status", "failure_kind",
            "failure_detail", "started_at", "name_lookup", "connect", "tls", "first_byte", "total",
            "request_bytes", "response_bytes", "condition", "remote_address", "tokens", "sealed",
            "request_headers", "response_headers", "request_text", "response_text", "request_blob",
            "response_blob", "checks", "recorded_at", "rule",
        ]
        return """
            INSERT INTO exchanges (\(StaticSQL.joined(names, separator: ", "))) \
            VALUES (\(StaticSQL.placeholders(names.count)))
            """
    }()

    static func insert(
        _ detail: ExchangeDetail, _ sealed: [String], at now: Date, _ connection: Connection
    ) throws {
        let exchange = detail.exchange
        let root = try exchange.causeExchange.flatMap { cause in
            try connection.text("SELECT root FROM exchanges WHERE id = ?", [.text(cause)]) ?? cause
        }
        let (request, response) = (detail.requestBody, detail.responseBody)
        try connection.run(
            insertion,
            [
                .text(exchange.id), .text(exchange.workspace), .text(exchange.app),
                .text(exchange.device), .text(exchange.backend), .text(exchange.call),
                .text(exchange.cause.rawValue), .integer(exchange.causeEvent),
                .text(exchange.causeExchange), .text(root ?? exchange.id),
                .integer(exchange.attempt), .text(exchange.method), .text(exchange.url),
                .integer(exchange.status.map(Int64.init)), .text(exchange.failure?.kind.rawValue),
                .text(exchange.failure?.detail), .date(exchange.startedAt),
                .real(exchange.timings.nameLookup), .real(exchange.timings.connect),
                .real(exchange.timings.tls), .real(exchange.timings.firstByte),
                .real(exchange.timings.total), .integer(exchange.requestBytes),
                .integer(exchange.responseBytes), .text(exchange.fault),
                .text(detail.remoteAddress), .text(encode(detail.tokens)), .text(encode(sealed)),
                .text(encode(detail.requestHeaders)), .text(encode(detail.responseHeaders)),
                .text(request.text), .text(response.text),
                request.text == nil ? .blob(request.binary) : .null,
                response.text == nil ? .blob(response.binary) : .null,
                detail.checks.isEmpty ? .null : .text(encode(detail.checks.map(\.row))),
                .date(now), .text(RuleColumn.text(detail)),
            ])
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
            fault: row.optionalText(24),
            rules: row.optionalText(25).map { RuleColumn($0).rules } ?? [])
    }

    /// The columns that `detail(_:)` reads.
    static let detailColumns: StaticSQL = """
        \(columns), remote_address, tokens, request_headers, response_headers, request_text, \
        response_text, request_blob, response_blob, checks
        """

    static func detail(_ row: Row) -> ExchangeDetail {
        let exchange = exchange(row)
        let column = row.optionalText(25).map(RuleColumn.init)
        return ExchangeDetail(
            exchange: exchange, requestHeaders: Headers(rows: decode(row.text(28))),
            requestBody: .init(
                text: row.optionalText(30), binary: row.blob(32), length: exchange.requestBytes),
            responseHeaders: Headers(rows: decode(row.text(29))),
            responseBody: .init(
                text: row.optionalText(31), binary: row.blob(33), length: exchange.responseBytes),
            remoteAddress: row.optionalText(26), tokens: decode(row.text(27)),
            checks: row.optionalText(34).map { decode($0).compactMap(ExchangeCheck.init) } ?? [],
            originalRequest: column?.request ?? .init(),
            originalResponse: column?.response ?? .init())
    }

    // MARK: Lists as JSON

    private static func encode(_ texts: [String]) -> String {
        texts.isEmpty ? "[]" : JSON.array(texts.map(JSON.string)).description
    }

    /// Name and value of every field: keeps order and repetitions.
    private static func encode(_ headers: Headers) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(headers.size + 4 * headers.fields.count + 64)
        out.append(UInt8(ascii: "["))
        for (index, field) in headers.fields.enumerated() {
            out += (index == 0 ? "[" : ",[").utf8
            JSON.write(field.name, to: &out)
            out.append(UInt8(ascii: ","))
            JSON.write(field.value, to: &out)
            out.append(UInt8(ascii: "]"))
        }
        out.append(UInt8(ascii: "]"))
        return String(decoding: out, as: UTF8.self)
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
                upTo: """
                    SELECT max(sequence) FROM (SELECT sequence FROM exchanges WHERE workspace = ? \
                    ORDER BY sequence LIMIT min(?, 512))
                    """, .integer(surplus), of: workspace, connection)
        }
        let isOld = try connection.exists(
            """
            SELECT 1 FROM (SELECT coalesce(recorded_at, started_at) AS at FROM exchanges WHERE \
            workspace = ? ORDER BY sequence LIMIT 1) WHERE at < ?
            """, [.text(workspace), .date(cutoff)])
        guard isOld else { return }
        // Up to the first that is not too old.
        try drop(
            upTo: """
                SELECT coalesce(min(sequence) FILTER (WHERE at >= ?2) - 1, max(sequence)) FROM \
                (SELECT sequence, coalesce(recorded_at, started_at) AS at FROM exchanges WHERE \
                workspace = ?1 ORDER BY sequence LIMIT 512)
                """, .date(cutoff), of: workspace, connection)
    }

    /// Deletes the exchanges of a workspace up to the sequence that `bound` selects.
    private static func drop(
        upTo bound: StaticSQL, _ value: Value, of workspace: String, _ connection: Connection
    ) throws {
        guard let last = try connection.integer(bound, [.text(workspace), value]) else { return }
        try delete(
            "workspace = ? AND sequence <= ?", [.text(workspace), .integer(last)], of: workspace,
            connection)
    }

    /// Deletes the exchanges of a workspace for which `condition` holds; returns their number.
    @discardableResult static func delete(
        _ condition: StaticSQL, _ values: [Value], of workspace: String, _ connection: Connection
    ) throws -> Int {
        let removed = try connection.row(
            """
            SELECT count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE \
            failure_kind IS NOT NULL), count(*) FILTER (WHERE cause = 'refresh') FROM exchanges \
            WHERE \(condition)
            """, values, ExchangeTotals.init)
        try SearchIndex.remove(condition, values, connection)
        try connection.run("DELETE FROM exchanges WHERE \(condition)", values)
        try removed?.store(in: workspace, sign: -1, connection)
        return removed?.all ?? 0
    }
}

extension Headers {
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
