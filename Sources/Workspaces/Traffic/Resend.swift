package import Apps
import Core
import FoundationEssentials
package import Traffic
package import Web

/// Resends a recorded request, unchanged or edited.
///
/// It is sent only to its original server, and recorded. The device it came from is not affected.
package struct Resend: Sendable {
    private let exchanges: ExchangeStore
    let recorder: Recorder
    private let catalog: AppCatalog
    /// The embedded backend's address.
    private let backendBase: String

    package init(
        exchanges: ExchangeStore, recorder: Recorder, catalog: AppCatalog, backendBase: String
    ) {
        self.exchanges = exchanges
        self.recorder = recorder
        self.catalog = catalog
        self.backendBase = backendBase
    }

    /// The edited parts; nil means unchanged.
    package struct Edit: Sendable {
        package var method: String?
        /// Path and query; an absolute URL must have the same origin.
        package var path: String?
        package var headers: [Headers.Field]?
        package var body: String?
        /// Replaces `‹password›` everywhere, because passwords are never recorded.
        package var password: String?

        package init() {}

        var isEmpty: Bool { method == nil && path == nil && headers == nil && body == nil }
    }

    /// Sends the request of an exchange; returns the new exchange's id.
    package func send(_ detail: ExchangeDetail, _ edit: Edit = Edit()) async throws -> String {
        let origin = try allowedOrigin(of: detail.exchange)
        let tokens = try await exchanges.unmaskedTokens(of: detail)
        let request = try ResendRequest(detail: detail, origin: origin, tokens: tokens, edit: edit)
            .makeRequest()
        let recorded = await recorder.send(
            request, as: context(detail.exchange, request, tokens, edit))
        return recorded.id
    }

    private func context(
        _ exchange: Exchange, _ request: OutboundRequest, _ tokens: [String], _ edit: Edit
    ) -> ExchangeContext {
        var context = ExchangeContext(
            workspace: exchange.workspace, app: exchange.app, device: exchange.device,
            backend: exchange.backend, call: exchange.call,
            cause: edit.isEmpty ? .replay : .manual, causeExchange: exchange.id)
        context.baseURL =
            baseURLs(of: exchange).first { URLParts(exchange.url).suffix(below: $0) != nil } ?? ""
        return Self.withSecrets(
            of: request, passwords: edit.password.map { [$0] } ?? [], tokens: tokens, context)
    }

    /// `context` with the secrets of a request that a developer sends, known and found ones.
    static func withSecrets(
        of request: OutboundRequest, passwords: [String], tokens: [String],
        _ context: ExchangeContext
    ) -> ExchangeContext {
        var secrets = SecretFields()
        let withheldReason = secrets.read(request)
        var context = context
        context.passwords = secrets.passwords + passwords
        context.tokens = tokens + secrets.tokens
        context.extractTokens = { response in
            var responseSecrets = SecretFields()
            responseSecrets.read(response)
            return responseSecrets.tokens + responseSecrets.passwords
        }
        context.bodyWithheldReason = withheldReason
        context.isAlwaysRecorded = true
        return context
    }

    /// For instance `https://api.example.com`. An imported exchange can only be sent to one of the
    /// app's own backends, because no user has chosen to connect to its server before.
    private func allowedOrigin(of exchange: Exchange) throws(Problem) -> String {
        let origin = URLParts(exchange.url).origin
        guard exchange.cause == .imported else { return origin }
        guard baseURLs(of: exchange).contains(where: { URLParts($0).origin == origin }) else {
            throw Problem(
                status: 409, code: "unknown-upstream", title: "Server not allowed",
                detail: """
                    This request was imported, and \(origin) is not a backend of an app. Only \
                    backends of manifests and settings are allowed.
                    """)
        }
        return origin
    }

    /// The base URLs of the app's backends.
    private func baseURLs(of exchange: Exchange) -> [String] {
        catalog.app(exchange.app)?.backends.map {
            $0.baseURL(embeddedAt: backendBase, workspace: exchange.workspace)
        } ?? []
    }
}

/// Builds the request that resends a recorded one.
package struct ResendRequest {
    let detail: ExchangeDetail
    /// The only allowed origin.
    let origin: String
    /// The recorded tokens, unmasked, by index.
    let tokens: [String]
    let edit: Resend.Edit

    /// Replaces a recorded password.
    package static let passwordPlaceholder = "‹password›"

    /// Fields that depend on the connection and are set anew for each request.
    private static let excludedHeaders: Set<String> = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "accept-encoding",
        "user-agent", "keep-alive", "te", "upgrade",
        // The body was decoded for the record.
        "content-encoding",
    ]

    /// The fields that describe the request itself.
    package static func resendableFields(_ fields: [Headers.Field]) -> [Headers.Field] {
        fields.filter { !excludedHeaders.contains($0.name.lowercased()) }
    }

    func makeRequest() throws(Problem) -> OutboundRequest {
        var errors: [Problem.FieldError] = []
        let method = Method(rawValue: edit.method ?? detail.exchange.method)
        if !method.canBeSent {
            errors.add("/edit/method", "must be an uppercase word, such as POST")
        }
        let url = url(&errors)
        let headers = headers(&errors)
        let body = try body(&errors)
        guard errors.isEmpty else {
            throw Problem(errors: errors, code: "invalid-resend", title: "Invalid request")
        }
        return OutboundRequest(
            method: method, url: url, headers: headers, body: body, timeout: .seconds(30))
    }

    // MARK: Parts

    private func url(_ errors: inout [Problem.FieldError]) -> String {
        let path = filled(edit.path ?? detail.exchange.url, as: .url)
        let isAbsolute = URLParts(path).scheme != nil
        let absoluteURL = isAbsolute ? path : origin + path
        if isAbsolute, URLParts(absoluteURL).origin != origin {
            errors.add("/edit/path", "is on another server; it must stay at " + origin)
        } else if !isAbsolute, !path.hasPrefix("/") || path.hasPrefix("//") {
            errors.add("/edit/path", "must begin with one slash")
        }
        let size = absoluteURL.utf8.count
        if size > URLParts.maxLength {
            errors.add(
                "/edit/path",
                "is too long: \(Format.count(size)) bytes, at most "
                    + Format.count(URLParts.maxLength))
        } else if !URLParts(absoluteURL).canBeSent {
            errors.add("/edit/path", "contains invalid URL characters")
        }
        checkPassword(absoluteURL, "/edit/path", &errors)
        return absoluteURL
    }

    private func headers(_ errors: inout [Problem.FieldError]) -> Headers {
        var headers = Headers()
        let fields = edit.headers ?? detail.requestHeaders.fields
        for (index, field) in Self.resendableFields(fields).enumerated() {
            var field = field
            field.value = filled(field.value, as: .plain)
            guard field.canBeSent else {
                errors.add("/edit/headers/\(index)", "must be a name and a value on one line")
                continue
            }
            checkPassword(field.value, "/edit/headers/\(index)", &errors)
            headers.fields.append(field)
        }
        return headers
    }

    private func body(_ errors: inout [Problem.FieldError]) throws(Problem) -> [UInt8] {
        let recordedBody = detail.requestBody
        if edit.body == nil, recordedBody.isTruncated || recordedBody.isWithheld {
            throw Problem(
                status: 409, code: "body-not-stored", title: "The body is not fully stored",
                detail: recordedBody.isWithheld
                    ? "It was omitted, for the reason it shows. Send a new body."
                    : "Only its beginning was recorded. Send a new body.")
        }
        guard let text = edit.body ?? detail.requestBody.text else {
            return detail.requestBody.bytes
        }
        let body = filled(text, as: encoding)
        checkPassword(body, "/edit/body", &errors)
        return Array(body.utf8)
    }

    // MARK: Secrets

    /// How a password is encoded at its position.
    private enum Encoding { case plain, json, form, url }

    private var encoding: Encoding {
        let fields = edit.headers.map { Headers($0) } ?? detail.requestHeaders
        if fields.isForm { return .form }
        let first = (edit.body ?? detail.requestBody.text ?? "").first { !$0.isWhitespace }
        return first == "{" || first == "[" ? .json : .plain
    }

    private func filled(_ text: String, as encoding: Encoding) -> String {
        var text = text
        if let password = edit.password, !password.isEmpty {
            let encoded =
                switch encoding {
                case .plain: password
                case .json: String(JSON.string(password).description.dropFirst().dropLast())
                case .form, .url: PercentEncoding.encode(password)
                }
            text = text.replacing(Self.passwordPlaceholder, with: encoded)
        }
        return detail.filled(text, with: tokens)
    }

    /// A remaining placeholder would be sent literally.
    private func checkPassword(
        _ text: String, _ pointer: String, _ errors: inout [Problem.FieldError]
    ) {
        guard text.contains(Self.passwordPlaceholder) else { return }
        let password = edit.password ?? ""
        guard password.isEmpty, !errors.contains(where: { $0.pointer == "/password" }) else {
            return
        }
        errors.add("/password", "is missing: passwords are never recorded, so enter it again")
    }
}
