import FoundationEssentials
package import Web

/// Exports exchanges as an HTTP Archive 1.2 (the format of the W3C draft).
package enum HAR {
    /// Sorts the entries oldest first, as the format prefers.
    package static func archive(_ exchanges: [ExchangeDetail], version: String) -> JSON {
        [
            "log": [
                "version": "1.2", "creator": ["name": "Foyer", "version": .string(version)],
                "entries": .array(
                    exchanges.sorted {
                        ($0.exchange.startedAt, $0.exchange.sequence) < (
                            $1.exchange.startedAt, $1.exchange.sequence
                        )
                    }.map(entry)),
            ]
        ]
    }

    private static func entry(_ detail: ExchangeDetail) -> JSON {
        let exchange = detail.exchange
        return [
            "startedDateTime": .string(exchange.startedAt.iso8601),
            "time": .double(exchange.timings.total), "request": request(detail),
            "response": response(detail), "cache": .object([]),
            "timings": timings(exchange.timings),
            "serverIPAddress": .string(address(of: detail.remoteAddress)),
            "comment": .string("\(exchange.app) \(exchange.call), \(exchange.cause.rawValue)"),
            "_foyer": [
                "id": .string(exchange.id), "app": .string(exchange.app),
                "backend": .string(exchange.backend), "call": .string(exchange.call),
                "cause": .string(exchange.cause.rawValue), "device": .string(exchange.device),
                "attempt": JSON(exchange.attempt), "failure": JSON(exchange.failure?.kind.rawValue),
                "fault": JSON(exchange.fault), "rules": rules(detail),
            ],
        ]
    }

    /// What rules did, and the edited parts as they were before, with masked tokens.
    private static func rules(_ detail: ExchangeDetail) -> JSON {
        guard let text = RuleColumn.text(detail) else { return .null }
        return (try? JSON(parsing: detail.masked(text))) ?? .null
    }

    /// The IP address alone; the format has no field for the port.
    private static func address(of remote: String?) -> String {
        guard let remote, let colon = remote.lastIndex(of: ":") else { return remote ?? "" }
        return remote[..<colon].filter { $0 != "[" && $0 != "]" }
    }

    private static func request(_ detail: ExchangeDetail) -> JSON {
        let url = detail.masked(detail.exchange.url)
        let postData = detail.requestBody.text?.nonEmpty.map { body -> JSON in
            [
                "mimeType": .string(detail.requestHeaders["Content-Type"] ?? ""),
                "text": .string(detail.masked(body)),
            ]
        }
        return .omittingNil([
            "method": .string(detail.exchange.method), "url": .string(url),
            "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": headers(detail.requestHeaders, detail),
            "queryString": .array(URLParts(url).queryItems.map(pair)), "headersSize": -1,
            "bodySize": JSON(detail.exchange.requestBytes), "postData": postData,
        ])
    }

    /// Without a response: status 0, as browsers write it.
    private static func response(_ detail: ExchangeDetail) -> JSON {
        let text = detail.responseBody.text.map(detail.masked)
        let content = JSON.omittingNil([
            "size": JSON(detail.exchange.responseBytes),
            "mimeType": .string(detail.responseHeaders["Content-Type"] ?? ""),
            "text": .string(text ?? Data(detail.responseBody.bytes).base64EncodedString()),
            "encoding": text == nil ? "base64" : nil,
        ])
        return [
            "status": JSON(detail.exchange.status ?? 0),
            "statusText": .string(detail.exchange.failure?.detail ?? ""), "httpVersion": "HTTP/1.1",
            "cookies": [], "headers": headers(detail.responseHeaders, detail),
            "content": content,
            "redirectURL": .string(detail.responseHeaders["Location"] ?? ""), "headersSize": -1,
            "bodySize": JSON(detail.exchange.responseBytes),
        ]
    }

    private static func headers(_ headers: Headers, _ detail: ExchangeDetail) -> JSON {
        .array(headers.fields.map { pair($0.name, detail.masked($0.value)) })
    }

    private static func pair(_ name: String, _ value: String) -> JSON {
        ["name": .string(name), "value": .string(value)]
    }

    /// Milliseconds; −1 for a phase that did not happen. `connect` includes `ssl`, as the format
    /// requires.
    private static func timings(_ timings: Timings) -> JSON {
        let connect = timings.connect.map { $0 + (timings.tls ?? 0) }
        let before = (timings.nameLookup ?? 0) + (connect ?? 0)
        let wait = timings.firstByte ?? 0
        return [
            "blocked": -1, "dns": .double(timings.nameLookup ?? -1),
            "connect": .double(connect ?? -1), "ssl": .double(timings.tls ?? -1), "send": 0,
            "wait": .double(wait), "receive": .double(max(0, timings.total - before - wait)),
        ]
    }
}

/// An imported HTTP Archive 1.2, parsed strictly: either every entry can be recorded, or the parser
/// throws the errors and none is.
package struct HARFile: Sendable {
    package private(set) var entries: [HAREntry] = []

    /// The largest accepted number of entries; a browser's log of a sign-in has a few dozen.
    package static let maxEntries = 500

    /// The largest accepted file, in bytes; a browser's are often 5 to 20 MB.
    package static let maxBytes = 32 << 20

    /// The largest accepted number of JSON values, about 40 MB of memory; a browser's entry has a
    /// few hundred.
    package static let maxJSONValues = 1_000_000

    /// The number of errors reported at once.
    private static let maxErrors = 20

    package init(_ bytes: [UInt8]) throws(Problem) {
        let json: JSON
        do { json = try JSONReader.read(bytes, maxValues: Self.maxJSONValues) } catch {
            throw Self.problem(
                "", "is not JSON of at most \(Self.maxJSONValues) values: \(error.detail)")
        }
        guard let log = json["log"], case .object = log else {
            throw Self.problem("/log", "is missing: not a HAR file")
        }
        guard case .array(let list)? = log["entries"] else {
            throw Self.problem("/log/entries", "must be an array")
        }
        guard list.count <= Self.maxEntries else {
            throw Self.problem(
                "/log/entries", "has \(list.count) entries; the limit is \(Self.maxEntries)")
        }
        var errors: [Problem.FieldError] = []
        for (index, entry) in list.enumerated() where errors.count < Self.maxErrors {
            var reader = HARReader(basePointer: "/log/entries/\(index)")
            if let entry = reader.entry(entry) { entries.append(entry) }
            errors += reader.errors
        }
        guard errors.isEmpty else { throw Self.problem(Array(errors.prefix(Self.maxErrors))) }
    }

    private static func problem(_ pointer: String, _ detail: String) -> Problem {
        problem([.init(pointer: pointer, detail: detail)])
    }

    private static func problem(_ errors: [Problem.FieldError]) -> Problem {
        Problem(
            errors: errors, code: "invalid-har", title: "Invalid HAR file", note: " Import failed.")
    }
}
