package import FoundationEssentials
package import Web

/// An exchange that waits for the user: its request before it is sent, or its response before the
/// app receives it.
package struct PausedExchange: Sendable {
    /// The exchange id, `exc_…`, which it is recorded with in the end.
    package let id: String
    package let workspace: String
    package let rule: TrafficRule
    package let app: String
    package let device: String
    package let call: String
    package let pausedAt: Date
    /// When it continues by itself.
    package let until: Date
    package let request: MaskedMessage
    /// The path and query below `baseURL`.
    package let path: String
    /// The URL that an edited path stays below.
    package let baseURL: String
    package let method: String
    /// The paused response; nil while the request is paused.
    package let response: (status: Int, message: MaskedMessage)?

    let originalRequest: OutboundRequest
    let originalResponse: UpstreamResponse?

    package var phase: Phase { response == nil ? .request : .response }

    /// Which message is paused; the raw value is its API name.
    package enum Phase: String, Sendable, CaseIterable { case request, response }

    /// `POST /auth/login`, without a query.
    package var methodAndPath: String { "\(method) \(path.prefix { $0 != "?" })" }

    init(
        id: String, _ rule: TrafficRule, _ context: ExchangeContext, _ request: OutboundRequest,
        _ response: UpstreamResponse?, bodyNote: String?, at now: Date
    ) {
        self.id = id
        workspace = context.workspace
        self.rule = rule
        app = context.app
        device = context.device
        call = context.call
        pausedAt = now
        until = now.addingTimeInterval(rule.draft.timeout)
        originalRequest = request
        originalResponse = response
        method = request.method.rawValue
        var secrets = SecretFields()
        secrets.read(url: request.url)
        secrets.read(request.headers)
        let withheld = secrets.read(request: request.body, request.headers["Content-Type"] ?? "")
        if let response { secrets.read(response) }
        let passwords = context.passwords + secrets.passwords
        let tokens =
            context.tokens + secrets.tokens + (response.map(context.extractTokens) ?? [])
        let requestNote =
            response == nil ? bodyNote : nil
        self.request = MaskedMessage(
            request.headers, request.body, url: request.url, passwords: passwords, tokens: tokens,
            bodyNote: requestNote ?? withheld.map { "not shown: \($0)" })
        self.response = response.map { response in
            (
                response.status,
                MaskedMessage(
                    response.headers, response.body, passwords: passwords, tokens: tokens,
                    bodyNote: bodyNote)
            )
        }
        let base = context.baseURL.withoutTrailingSlashes
        let isBelow = !base.isEmpty && URLParts(request.url).suffix(below: base) != nil
        baseURL = isBelow ? base : URLParts(request.url).origin
        let shown = self.request.maskedURL
        path = shown.hasPrefix(baseURL) ? String(shown.dropFirst(baseURL.count)) : shown
    }
}

extension PausedExchange {
    /// The parts a user edited; nil means unchanged. Placeholders stand for the real values.
    package struct Edit: Sendable {
        package var method: String?
        /// Path and query below the base URL.
        package var path: String?
        package var status: Int?
        package var headers: [Headers.Field]?
        package var body: String?

        package init() {}
    }

    /// The decision to continue with these edits. Throws a problem that names every invalid part.
    func decision(_ edit: Edit) throws(Problem) -> PauseDecision {
        var errors: [Problem.FieldError] = []
        let decision = phase == .request ? request(edit, &errors) : response(edit, &errors)
        guard errors.isEmpty else {
            throw Problem(errors: errors, code: "invalid-edit", title: "Invalid edit")
        }
        return decision
    }

    private func request(_ edit: Edit, _ errors: inout [Problem.FieldError]) -> PauseDecision {
        if edit.status != nil { errors.add("/status", "does not apply to a request") }
        var new = originalRequest
        var parts: [AppliedRule.Part] = []
        if let method = edit.method, method != self.method {
            new.method = Method(rawValue: method)
            parts.append(.method)
            if !new.method.canBeSent {
                errors.add("/method", "must be an uppercase word, such as POST")
            }
        }
        if let path = edit.path, path != self.path {
            new.url = url(path, &errors)
            parts.append(.path)
        }
        if let fields = edit.headers, fields != request.fields {
            new.headers = headers(fields, request, &errors)
            parts.append(.headers)
        }
        if let body = body(edit, request, originalRequest.body, &errors) {
            new.body = body
            parts.append(.body)
        }
        return parts.isEmpty ? .continued : .editedRequest(new, parts)
    }

    private func response(_ edit: Edit, _ errors: inout [Problem.FieldError]) -> PauseDecision {
        guard let (status, message) = response, var new = originalResponse else {
            return .continued
        }
        if edit.method != nil { errors.add("/method", "does not apply to a response") }
        if edit.path != nil { errors.add("/path", "does not apply to a response") }
        var parts: [AppliedRule.Part] = []
        if let edited = edit.status, edited != status {
            new.status = edited
            parts.append(.status)
            if !(200...599).contains(edited) { errors.add("/status", "must be 200 to 599") }
        }
        if let fields = edit.headers, fields != message.fields {
            let framing = new.headers.fields.filter(Self.isFraming)
            new.headers = headers(fields, message, &errors)
            new.headers.fields += framing
            parts.append(.headers)
        }
        if let body = body(edit, message, new.body, &errors) {
            new.body = body
            new.headers["Transfer-Encoding"] = nil
            new.headers["Content-Length"] = String(body.count)
            parts.append(.body)
        }
        return parts.isEmpty ? .continued : .editedResponse(new, parts)
    }

    private func url(_ path: String, _ errors: inout [Problem.FieldError]) -> String {
        guard let url = request.url(edited: baseURL + path) else {
            errors.add("/path", Self.unknownPlaceholder)
            return originalRequest.url
        }
        let isBelow = path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?")
        let target = String(url.dropFirst(baseURL.count))
        if !isBelow || path.hasPrefix("//") {
            errors.add("/path", "must begin with one slash; it stays below \(baseURL)")
        } else if !URLParts(url).canBeSent {
            errors.add("/path", "contains invalid URL characters, or is too long")
        } else if URLParts.mayLeaveBase(target) {
            errors.add("/path", "contains a dot segment or a fragment")
        }
        return url
    }

    /// The edited fields without those that delimit the body, which are set anew.
    private func headers(
        _ fields: [Headers.Field], _ message: MaskedMessage, _ errors: inout [Problem.FieldError]
    ) -> Headers {
        let (headers, invalid) = message.headers(edited: fields)
        for (index, field) in headers.fields.enumerated() {
            if invalid.contains(index) {
                errors.add("/headers/\(index)", Self.unknownPlaceholder)
            } else if !field.name.isHTTPToken || !field.canBeSent {
                errors.add("/headers/\(index)", "must be a name and a value on one line")
            }
        }
        return Headers(headers.fields.filter { !Self.isFraming($0) })
    }

    private func body(
        _ edit: Edit, _ message: MaskedMessage, _ original: [UInt8],
        _ errors: inout [Problem.FieldError]
    ) -> [UInt8]? {
        guard let text = edit.body else { return nil }
        guard message.body != nil else {
            errors.add("/body", "cannot be edited: \(message.bodyNote ?? "")")
            return nil
        }
        guard let body = message.body(edited: text) else {
            errors.add("/body", Self.unknownPlaceholder)
            return nil
        }
        if body.count > MappedResponse.bodyLimit {
            errors.add("/body", "is longer than \(Format.count(MappedResponse.bodyLimit)) bytes")
        }
        return body == original ? nil : body
    }

    private static let unknownPlaceholder = "contains a placeholder that stands for nothing here"

    private static func isFraming(_ field: Headers.Field) -> Bool {
        ["content-length", "transfer-encoding", "host", "connection"].contains(where: field.isNamed)
    }
}
