import FoundationEssentials
import Inspection
import Traffic
import Web

extension Exchange {
    /// The list representation.
    var json: JSON {
        [
            "id": .string(id),
            "app": .string(app),
            "device": .string(device),
            "backend": .string(backend),
            "call": .string(call),
            "cause": .string(cause.rawValue),
            "causeEvent": causeEvent.map(JSON.int) ?? .null,
            "causeExchange": JSON(causeExchange),
            "attempt": JSON(attempt),
            "method": .string(method),
            "url": .string(url),
            "status": JSON(status),
            "failure": failure.map {
                [
                    "kind": .string($0.kind.rawValue),
                    "detail": .string($0.detail),
                ]
            } ?? .null,
            "startedAt": .string(startedAt.iso8601),
            "timings": timings.json,
            "requestBytes": JSON(requestBytes),
            "responseBytes": JSON(responseBytes),
            "fault": JSON(fault),
        ]
    }
}

extension Timings {
    /// Milliseconds; null for a phase that did not happen.
    var json: JSON {
        func phase(_ value: Double?) -> JSON { value.map(JSON.double) ?? .null }
        return [
            "nameLookup": phase(nameLookup), "connect": phase(connect),
            "tls": phase(tls), "firstByte": phase(firstByte),
            "total": .double(total),
        ]
    }
}

extension ExchangeDetail {
    /// The detail representation, with tokens masked and passwords removed. The checks are those of
    /// `rejection`, if there is one.
    func json(_ rejection: Rejection?) -> JSON {
        guard case .object(var members) = exchange.json else { return .null }
        for (index, member) in members.enumerated() where member.name == "url" {
            members[index].value = .string(masked(exchange.url))
        }
        members.append(
            .init(
                "checks",
                .array(
                    (rejection?.checks ?? checks).map { check in
                        [
                            "name": .string(check.name), "title": .string(check.title),
                            "state": .string(check.state.rawValue),
                            "evidence": .string(masked(check.evidence)),
                        ]
                    })))
        var isDerived = false
        if case .inferred? = rejection?.origin { isDerived = true }
        members.append(.init("checksDerived", .bool(isDerived)))
        members.append(.init("remoteAddress", JSON(remoteAddress)))
        members.append(.init("request", message(requestHeaders, requestBody)))
        members.append(
            .init(
                "response", exchange.status == nil ? .null : message(responseHeaders, responseBody))
        )
        return .object(members)
    }

    private func message(_ headers: Headers, _ body: RecordedBody) -> JSON {
        [
            "headers": .array(
                headers.fields.map {
                    ["name": .string($0.name), "value": .string(masked($0.value))]
                }),
            "body": body.text.map { .string(masked($0)) }
                ?? .string(Data(body.bytes).base64EncodedString()),
            "encoding": body.text == nil ? "base64" : "utf-8", "bytes": JSON(body.length),
            "truncated": .bool(body.isTruncated),
        ]
    }
}
