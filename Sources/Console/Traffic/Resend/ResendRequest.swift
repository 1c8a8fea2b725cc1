import FoundationEssentials
import Traffic
import Web

/// The request that goes out when a recorded one is sent again.
struct ResendRequest {
    let detail: ExchangeDetail
    /// Where it must go.
    let origin: String
    /// The recorded tokens, whole, by number.
    let tokens: [String]
    let edit: Resend.Edit

    /// What stands where a password stood.
    static let passwordPlaceholder = "‹password›"

    /// Fields that belong to one delivery and are made anew for each.
    private static let excludedHeaders: Set<String> = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "accept-encoding",
        "user-agent", "keep-alive", "te", "upgrade",
        // What came packed was unpacked for the record.
        "content-encoding",
    ]

    /// Those that say something of the request.
    static func resendableFields(_ fields: [Headers.Field]) -> [Headers.Field] {
        fields.filter { !excludedHeaders.contains($0.name.lowercased()) }
    }

    func makeRequest() throws(Problem) -> OutboundRequest {
        var errors: [Problem.FieldError] = []
        let method = Method(rawValue: edit.method ?? detail.exchange.method)
        if !method.canBeSent {
            errors.append(
                .init(pointer: "/edit/method", detail: "must be a word in upper case, such as POST")
            )
        }
        let url = url(&errors)
        let headers = headers(&errors)
        let body = try body(&errors)
        guard errors.isEmpty else {
            throw Problem(
                errors: errors, code: "invalid-resend", title: "It cannot be sent like this")
        }
        return OutboundRequest(
            method: method, url: url, headers: headers, body: body, timeout: .seconds(30))
    }

    // MARK: Parts

    private func url(_ errors: inout [Problem.FieldError]) -> String {
        let path = filled(edit.path ?? detail.exchange.url, as: .url)
        let isWhole = URLParts(path).scheme != nil
        let whole = isWhole ? path : origin + path
        if isWhole, URLParts(whole).origin != origin {
            errors.append(
                .init(
                    pointer: "/edit/path",
                    detail: "leads to another server; it must stay at " + origin))
        } else if !isWhole, !path.hasPrefix("/") || path.hasPrefix("//") {
            errors.append(.init(pointer: "/edit/path", detail: "must begin with one slash"))
        }
        let size = whole.utf8.count
        if size > URLParts.maxLength {
            errors.append(
                .init(
                    pointer: "/edit/path",
                    detail: "is too long: an address may have "
                        + "\(Format.count(URLParts.maxLength)) bytes, and this has "
                        + Format.count(size)
                ))
        } else if !URLParts(whole).canBeSent {
            errors.append(.init(pointer: "/edit/path", detail: "holds characters no address holds"))
        }
        checkPassword(whole, "/edit/path", &errors)
        return whole
    }

    private func headers(_ errors: inout [Problem.FieldError]) -> Headers {
        var headers = Headers()
        let fields = edit.headers ?? detail.requestHeaders.fields
        for (index, field) in Self.resendableFields(fields).enumerated() {
            var field = field
            field.value = filled(field.value, as: .plain)
            guard field.canBeSent else {
                errors.append(
                    .init(
                        pointer: "/edit/headers/\(index)",
                        detail: "must be a name and a value on one line"))
                continue
            }
            checkPassword(field.value, "/edit/headers/\(index)", &errors)
            headers.fields.append(field)
        }
        return headers
    }

    private func body(_ errors: inout [Problem.FieldError]) throws(Problem) -> [UInt8] {
        let kept = detail.requestBody
        if edit.body == nil, kept.isTruncated || kept.isWithheld {
            throw Problem(
                status: 409, code: "body-not-kept", title: "The body was not kept whole",
                detail: kept.isWithheld
                    ? "It was left out, and says why. Send it with a body of your own."
                    : "Only its beginning was recorded. Send it with a body of your own.")
        }
        guard let text = edit.body ?? detail.requestBody.text else {
            return detail.requestBody.bytes
        }
        let body = filled(text, as: encoding)
        checkPassword(body, "/edit/body", &errors)
        return Array(body.utf8)
    }

    // MARK: Secrets

    /// How a password is written where it stands.
    private enum Encoding { case plain, json, form, url }

    private var encoding: Encoding {
        let fields = edit.headers.map { Headers($0) } ?? detail.requestHeaders
        if ReadableBody.isForm(fields) { return .form }
        let first = (edit.body ?? detail.requestBody.text ?? "").first { !$0.isWhitespace }
        return first == "{" || first == "[" ? .json : .plain
    }

    private func filled(_ text: String, as encoding: Encoding) -> String {
        var text = text
        if let password = edit.password, !password.isEmpty {
            let written =
                switch encoding {
                case .plain: password
                case .json: String(JSON.string(password).description.dropFirst().dropLast())
                case .form, .url: PercentEncoding.encode(password)
                }
            text = text.replacing(Self.passwordPlaceholder, with: written)
        }
        return detail.filled(text, with: tokens)
    }

    /// A place that still holds the mark would send the mark itself.
    private func checkPassword(
        _ text: String, _ pointer: String, _ errors: inout [Problem.FieldError]
    ) {
        guard text.contains(Self.passwordPlaceholder) else { return }
        let given = edit.password ?? ""
        guard given.isEmpty, !errors.contains(where: { $0.pointer == "/password" }) else { return }
        errors.append(
            .init(
                pointer: "/password",
                detail: "is missing: a password is never recorded, so it must be typed again"))
    }
}
