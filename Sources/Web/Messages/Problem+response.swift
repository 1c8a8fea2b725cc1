extension Problem {
    /// The problem as `application/problem+json` (RFC 9457).
    package var json: JSON {
        var members: [JSON.Member] = [
            .init("type", .string("/problems/\(code)")), .init("title", .string(title)),
            .init("status", .int(Int64(status))),
            .init("detail", .string(apiHint.isEmpty ? detail : "\(detail) \(apiHint)")),
        ]
        if !errors.isEmpty {
            members.append(
                .init(
                    "errors",
                    .array(
                        errors.map {
                            ["pointer": .string($0.pointer), "detail": .string($0.detail)]
                        })))
        }
        return .object(members)
    }

    /// The response of an API.
    package var response: Response {
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        return Response(status: status, headers: headers, body: .bytes(json.bytes))
    }
}
