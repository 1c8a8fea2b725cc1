import Crypto
import FoundationEssentials
package import Web

/// The response that a rule gives instead of the backend.
package struct MappedResponse: Sendable, Equatable {
    package var status: Int
    /// With the content type; the length is computed.
    package var headers: Headers
    package var body: [UInt8]
    /// The file the body was uploaded from; nil for a text.
    package var fileName: String?

    package init(
        status: Int = 200, headers: Headers = [:], body: [UInt8] = [], fileName: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.fileName = fileName
    }

    package static let bodyLimit = 1 << 20

    /// What the app receives.
    func upstreamResponse(rule: String) -> UpstreamResponse {
        var response = UpstreamResponse(status: status, headers: headers, body: body)
        response.headers["Content-Length"] = String(body.count)
        response.headers["X-Foyer-Rule"] = rule
        return response
    }

    /// Its headers and body with secrets replaced by placeholders.
    package var masked: MaskedMessage {
        var secrets = SecretFields()
        secrets.read(UpstreamResponse(status: status, headers: headers, body: body))
        return MaskedMessage(headers, body, passwords: secrets.passwords, tokens: secrets.tokens)
    }

    /// Validation errors by field name.
    var fieldErrors: [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        if !(200...599).contains(status) { errors.add("/response/status", "must be 200 to 599") }
        if body.count > Self.bodyLimit {
            errors.add(
                "/response/body",
                "is too long: \(Format.count(body.count)) bytes, at most "
                    + Format.count(Self.bodyLimit))
        }
        if [204, 304].contains(status), !body.isEmpty {
            errors.add("/response/body", "must be empty: a response with status \(status) has none")
        }
        for (index, field) in headers.fields.enumerated() {
            if !field.name.isHTTPToken || !field.canBeSent {
                errors.add("/response/headers/\(index)", "must be a name and a value on one line")
            } else if ["content-length", "transfer-encoding"].contains(field.name.lowercased()) {
                errors.add("/response/headers/\(index)", "is \(field.name), which is computed")
            }
        }
        if headers.size > Self.headerLimit {
            errors.add("/response/headers", "are longer than \(Self.headerLimit) bytes")
        }
        return errors
    }

    private static let headerLimit = 8 << 10
}

extension MappedResponse {
    /// The sealed form for the database: headers and body may contain tokens.
    func sealed(by sealer: Sealer) throws -> String {
        let json: JSON = [
            "status": JSON(status), "file": JSON(fileName),
            "headers": .array(headers.fields.map { [.string($0.name), .string($0.value)] }),
            "body": .string(Data(body).base64EncodedString()),
        ]
        return try sealer.seal(json.description)
    }

    init(sealed text: String, _ sealer: Sealer) throws {
        let json = try JSON(parsing: try sealer.open(text))
        self.init(
            status: json["status"]?.int.map(Int.init) ?? 200,
            headers: Headers(
                (json["headers"]?.elements ?? []).map { field in
                    .init(name: field[0]?.string ?? "", value: field[1]?.string ?? "")
                }),
            body: json["body"]?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? [],
            fileName: json["file"]?.string)
    }
}
