package import FoundationEssentials
package import Web

/// Reads one entry of an HTTP Archive and collects its errors.
struct HARReader {
    let basePointer: String
    private(set) var errors: [Problem.FieldError] = []

    mutating func entry(_ json: JSON) -> HAREntry? {
        let request = request(json["request"] ?? .null)
        let startedAt = time(json["startedDateTime"])
        let result = result(json)
        guard errors.isEmpty, let request, let startedAt else { return nil }
        let data = json["request"]?["postData"] ?? .null
        let params = params(data)
        return HAREntry(
            request: request,
            requestContentType: request.headers["Content-Type"] ?? data["mimeType"]?.string ?? "",
            params: params, result: result, startedAt: startedAt,
            metadata: json["_foyer"]?.texts.filter { $0.value.utf8.count <= 200 } ?? [:])
    }

    private mutating func fail(_ pointer: String, _ detail: String) {
        errors.add(basePointer + pointer, detail)
    }

    // MARK: Request

    private mutating func request(_ json: JSON) -> OutboundRequest? {
        let method = Method(rawValue: json["method"]?.string ?? "")
        if !method.canBeSent { fail("/request/method", "must be an uppercase method") }
        let url = json["url"]?.string ?? ""
        if !URLParts(url).isHTTPURL || !URLParts(url).canBeSent {
            fail("/request/url", "must be an http or https URL")
        }
        let headers = headers(json["headers"], "/request/headers")
        var body: [UInt8] = []
        if let data = json["postData"], data != .null {
            body = self.body(data, "/request/postData")
            if body.isEmpty {
                body = Array(Form.encode(params(data).map { ($0.name, $0.value) }).utf8)
            }
        }
        return OutboundRequest(
            method: method, url: url, headers: headers, body: body, timeout: .seconds(30))
    }

    private func params(_ json: JSON) -> [(name: String, value: String)] {
        (json["params"]?.elements ?? []).compactMap { item in
            item["name"]?.string.map { (name: $0, value: item["value"]?.string ?? "") }
        }
    }

    // MARK: Response

    private mutating func result(_ json: JSON) -> ExchangeResult {
        ExchangeResult(
            outcome: outcome(json["response"] ?? .null), timings: timings(json),
            remoteAddress: json["serverIPAddress"]?.string.flatMap {
                $0.isEmpty ? nil : String($0.prefix(64))
            })
    }

    private mutating func outcome(_ response: JSON) -> ExchangeResult.Outcome {
        switch response["status"]?.int {
        case .some(let status) where (100...599).contains(status):
            return .responded(
                UpstreamResponse(
                    status: Int(status), headers: headers(response["headers"], "/response/headers"),
                    body: body(response["content"] ?? .null, "/response/content")))
        // Browsers write it for a request without a response.
        case .some(0): break
        default: fail("/response/status", "must be a status from 100 to 599, or 0 for no response")
        }
        let message = response["statusText"]?.string ?? response["_error"]?.string ?? ""
        return .failed(TransportFailure(.connection, String(message.prefix(200))))
    }

    private func timings(_ json: JSON) -> Timings {
        func phase(_ name: String) -> Double? {
            milliseconds(json["timings"]?[name]).flatMap { $0 < 0 ? nil : $0 }
        }
        let tls = phase("ssl")
        // `connect` includes `ssl`, as the format requires.
        let connect = phase("connect").map { max(0, $0 - (tls ?? 0)) }
        return Timings(
            nameLookup: phase("dns"), connect: connect, tls: tls, firstByte: phase("wait"),
            total: max(0, milliseconds(json["time"]) ?? 0))
    }

    /// Milliseconds, at most a day.
    private func milliseconds(_ json: JSON?) -> Double? { json?.number.map { min($0, 86_400_000) } }

    // MARK: Parts

    private mutating func headers(_ json: JSON?, _ pointer: String) -> Headers {
        guard let json, json != .null else { return [:] }
        guard case .array(let list) = json, list.count <= 200 else {
            fail(pointer, "must be an array of at most 200")
            return [:]
        }
        var headers = Headers()
        for (index, field) in list.enumerated() {
            let name = field["name"]?.string ?? ""
            // HTTP/2 pseudo-header fields repeat method and URL.
            if name.hasPrefix(":") { continue }
            guard let value = field["value"]?.string,
                Headers.Field(name: name, value: value).canBeSent
            else {
                fail("\(pointer)/\(index)", "must have a name and a value on one line")
                continue
            }
            headers.add(name, value)
        }
        return headers
    }

    private mutating func body(_ json: JSON, _ pointer: String) -> [UInt8] {
        guard let value = json["text"], value != .null else { return [] }
        guard let text = value.string else {
            fail("\(pointer)/text", "must be a string")
            return []
        }
        guard json["encoding"]?.string == "base64" else { return Array(text.utf8) }
        guard let data = Data(base64Encoded: text) else {
            fail("\(pointer)/text", "is not valid base64")
            return []
        }
        return Array(data)
    }

    private mutating func time(_ json: JSON?) -> Date? {
        guard let text = json?.string, let date = Date(iso8601: text),
            abs(date.timeIntervalSince1970) < 253_402_300_800
        else {
            fail("/startedDateTime", "must be an RFC 3339 time")
            return nil
        }
        return date
    }
}

/// One request of an HTTP Archive with its response, ready to be recorded.
package struct HAREntry: Sendable {
    package let request: OutboundRequest
    /// The request body's content type: from its header, else from the archive's `postData`.
    package let requestContentType: String
    /// The form fields, if the archive lists them.
    package let params: [(name: String, value: String)]
    package let result: ExchangeResult
    package let startedAt: Date
    /// The additional `_foyer` values in archives exported by Foyer: app, call, backend.
    package let metadata: [String: String]
}
