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
    let edit: Resending.Edit

    /// What stands where a password stood.
    static let mark = "‹password›"

    /// Fields that belong to one delivery and are made anew for each.
    private static let own: Set<String> = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "accept-encoding",
        "user-agent", "keep-alive", "te", "upgrade",
        // What came packed was unpacked for the record.
        "content-encoding",
    ]

    /// Those that say something of the request.
    static func kept(_ fields: [Headers.Field]) -> [Headers.Field] {
        fields.filter { !own.contains($0.name.lowercased()) }
    }

    func request() throws(Problem) -> OutboundRequest {
        var faults: [Problem.FieldError] = []
        let method = Method(rawValue: edit.method ?? detail.exchange.method)
        if !method.isSendable {
            faults.append(
                .init(pointer: "/edit/method", detail: "must be a word in upper case, such as POST")
            )
        }
        let url = url(&faults)
        let headers = headers(&faults)
        let body = try body(&faults)
        guard faults.isEmpty else {
            throw Problem(
                faults: faults, code: "invalid-resend", title: "It cannot be sent like this")
        }
        return OutboundRequest(
            method: method, url: url, headers: headers, body: body, timeout: .seconds(30))
    }

    // MARK: Parts

    private func url(_ faults: inout [Problem.FieldError]) -> String {
        let path = filled(edit.path ?? detail.exchange.url, as: .url)
        let isWhole = Address(path).scheme != nil
        let whole = isWhole ? path : origin + path
        if isWhole, Address(whole).origin != origin {
            faults.append(
                .init(
                    pointer: "/edit/path",
                    detail: "leads to another server; it must stay at " + origin))
        } else if !isWhole, !path.hasPrefix("/") || path.hasPrefix("//") {
            faults.append(.init(pointer: "/edit/path", detail: "must begin with one slash"))
        }
        let size = whole.utf8.count
        if size > Address.longest {
            faults.append(
                .init(
                    pointer: "/edit/path",
                    detail: "is too long: an address may have "
                        + "\(Words.count(Address.longest)) bytes, and this has " + Words.count(size)
                ))
        } else if !Address(whole).isSendable {
            faults.append(.init(pointer: "/edit/path", detail: "holds characters no address holds"))
        }
        missing(whole, "/edit/path", &faults)
        return whole
    }

    private func headers(_ faults: inout [Problem.FieldError]) -> Headers {
        var headers = Headers()
        let fields = edit.headers ?? detail.requestHeaders.fields
        for (index, field) in Self.kept(fields).enumerated() {
            var field = field
            field.value = filled(field.value, as: .plain)
            guard field.isSendable else {
                faults.append(
                    .init(
                        pointer: "/edit/headers/\(index)",
                        detail: "must be a name and a value on one line"))
                continue
            }
            missing(field.value, "/edit/headers/\(index)", &faults)
            headers.fields.append(field)
        }
        return headers
    }

    private func body(_ faults: inout [Problem.FieldError]) throws(Problem) -> [UInt8] {
        let kept = detail.requestBody
        if edit.body == nil, kept.truncated || kept.isWithheld {
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
        missing(body, "/edit/body", &faults)
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
            text = text.replacing(Self.mark, with: written)
        }
        return detail.filled(text, with: tokens)
    }

    /// A place that still holds the mark would send the mark itself.
    private func missing(_ text: String, _ pointer: String, _ faults: inout [Problem.FieldError]) {
        guard text.contains(Self.mark) else { return }
        let given = edit.password ?? ""
        guard given.isEmpty, !faults.contains(where: { $0.pointer == "/password" }) else { return }
        faults.append(
            .init(
                pointer: "/password",
                detail: "is missing: a password is never recorded, so it must be typed again"))
    }
}
