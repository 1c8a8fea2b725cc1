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
        _ record: ExchangeRecord, _ sealed: [String], at now: Date, _ connection: Connection
    ) throws {
        let exchange = record.exchange
        let root = try exchange.causeExchange.flatMap { cause in
            try connection.row("SELECT root FROM exchanges WHERE id = ?", [.text(cause)]) {
                $0.text(0)
            } ?? cause
        }
        let requestText = text(record.requestBody)
        let responseText = text(record.responseBody)
        try connection.insert(
            into: "exchanges",
            [
                "id": .text(exchange.id), "workspace": .text(exchange.workspace),
                "app": .text(exchange.app), "device": .text(exchange.device),
                "backend": .text(exchange.backend), "call": .text(exchange.call),
                "cause": .text(exchange.cause.rawValue),
                "cause_event": .integer(exchange.causeEvent),
                "cause_exchange": .text(exchange.causeExchange), "root": .text(root ?? exchange.id),
                "attempt": .integer(exchange.attempt), "method": .text(exchange.method),
                "url": .text(exchange.url), "status": .integer(exchange.status.map(Int64.init)),
                "failure_kind": .text(exchange.failure?.kind.rawValue),
                "failure_detail": .text(exchange.failure?.detail),
                "started_at": .real(exchange.startedAt.timeIntervalSince1970),
                "name_lookup": .real(exchange.timings.nameLookup),
                "connect": .real(exchange.timings.connect), "tls": .real(exchange.timings.tls),
                "first_byte": .real(exchange.timings.firstByte),
                "total": .real(exchange.timings.total),
                "request_bytes": .integer(exchange.requestBytes),
                "response_bytes": .integer(exchange.responseBytes),
                "condition": .text(exchange.fault), "remote_address": .text(record.remoteAddress),
                "tokens": .text(ExchangeCoding.list(record.tokens.map(Token.masked))),
                "sealed": .text(ExchangeCoding.list(sealed)),
                "request_headers": .text(ExchangeCoding.headers(record.requestHeaders)),
                "response_headers": .text(ExchangeCoding.headers(record.responseHeaders)),
                "request_text": .text(requestText), "response_text": .text(responseText),
                "request_blob": requestText == nil ? .blob(record.requestBody) : .null,
                "response_blob": responseText == nil ? .blob(record.responseBody) : .null,
                "checks": .text(ExchangeCheck.encode(record.checks)),
                "recorded_at": .real(now.timeIntervalSince1970),
            ])
    }

    /// The UTF-8 text, or nil if `bytes` is not valid UTF-8 or contains NUL.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    static func exchange(_ row: Row) -> Exchange {
        var failure: TransportFailure?
        if let kind = row.optionalText(14) {
            failure = TransportFailure(
                kind: TransportFailure.Kind(rawValue: kind) ?? .connection,
                detail: row.optionalText(15) ?? "")
        }
        return Exchange(
            id: row.text(1), sequence: row.integer(0), workspace: row.text(2), app: row.text(3),
            device: row.text(4), backend: row.text(5), call: row.text(6),
            cause: ExchangeContext.Cause(rawValue: row.text(7)) ?? .manual,
            causeEvent: row.optionalInteger(8), causeExchange: row.optionalText(9),
            attempt: Int(row.integer(10)), method: row.text(11), url: row.text(12),
            status: row.optionalInteger(13).map(Int.init), failure: failure,
            startedAt: Date(timeIntervalSince1970: row.real(16)),
            timings: Timings(
                nameLookup: row.optionalReal(17), connect: row.optionalReal(18),
                tls: row.optionalReal(19), firstByte: row.optionalReal(20), total: row.real(21)),
            requestBytes: Int(row.integer(22)), responseBytes: Int(row.integer(23)),
            fault: row.optionalText(24))
    }

    // MARK: Deleting

    /// Deletes the oldest exchanges beyond `limit` and those recorded before `cutoff`, at most 512
    /// of each per call, so that no page waits for it. Rows are in recording order, so if the first
    /// is not too old, none is.
    static func prune(
        _ workspace: String, to limit: Int, before cutoff: Date, _ connection: Connection
    ) throws {
        let all = try ExchangeTotalsTable.totals(workspace, connection).all
        let surplus = all - limit
        if surplus > 0 {
            try drop(
                """
                SELECT sequence FROM exchanges WHERE workspace = ? \
                ORDER BY sequence LIMIT min(?, 512)
                """, [.text(workspace), .integer(surplus)], of: workspace, connection)
        }
        let isOld = try connection.exists(
            """
            SELECT 1 FROM (SELECT coalesce(recorded_at, started_at) AS at \
            FROM exchanges WHERE workspace = ? ORDER BY sequence LIMIT 1) \
            WHERE at < ?
            """, [.text(workspace), .real(cutoff.timeIntervalSince1970)])
        guard isOld else { return }
        try drop(
            """
            SELECT sequence FROM (
                SELECT sequence, coalesce(recorded_at, started_at) AS at
                FROM exchanges WHERE workspace = ?
                ORDER BY sequence LIMIT 512)
            WHERE at < ?
            """, [.text(workspace), .real(cutoff.timeIntervalSince1970)], of: workspace, connection)
    }

    /// Deletes the exchanges whose sequences `selection` selects.
    private static func drop(
        _ selection: StaticSQL, _ values: [Value], of workspace: String, _ connection: Connection
    ) throws {
        let removed = try connection.row(
            """
            SELECT count(*), count(*) FILTER (WHERE status >= 400), \
            count(*) FILTER (WHERE failure_kind IS NOT NULL), \
            count(*) FILTER (WHERE cause = 'refresh') \
            FROM exchanges WHERE sequence IN (\(selection))
            """, values, ExchangeTotalsTable.totals)
        guard let removed else { return }
        try SearchIndex.remove("sequence IN (\(selection))", values, connection)
        try connection.run("DELETE FROM exchanges WHERE sequence IN (\(selection))", values)
        try ExchangeTotalsTable.add(-removed, to: workspace, connection)
    }

    static func clear(_ workspace: String, _ connection: Connection) throws -> Int {
        try SearchIndex.remove("workspace = ?", [.text(workspace)], connection)
        try connection.run("DELETE FROM exchanges WHERE workspace = ?", [.text(workspace)])
        let count = connection.changedRowCount
        try ExchangeTotalsTable.clear(workspace, connection)
        return count
    }
}

/// Encodes string lists and header fields as JSON column texts, and decodes them.
enum ExchangeCoding {
    static func list(_ values: [String]) -> String {
        JSON.array(values.map(JSON.string)).description
    }

    static func list(_ text: String) -> [String] {
        guard case .array(let elements)? = try? JSON(parsing: text) else { return [] }
        return elements.compactMap(\.string)
    }

    /// `[["Name","value"],…]`: keeps order and repetitions.
    static func headers(_ headers: Headers) -> String {
        JSON.array(headers.fields.map { [.string($0.name), .string($0.value)] }).description
    }

    static func headers(_ text: String) -> Headers {
        guard case .array(let pairs)? = try? JSON(parsing: text) else { return [:] }
        var headers = Headers()
        for pair in pairs {
            guard let name = pair[0]?.string, let value = pair[1]?.string else { continue }
            headers.add(name, value)
        }
        return headers
    }
}
