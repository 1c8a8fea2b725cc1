import Core
import FoundationEssentials
import Traffic
package import Web

/// A request that a developer writes, sent to a backend of an app and recorded.
///
/// It stays below the backend's base URL. No device is affected.
package struct NewRequest: Sendable {
    package var workspace: String
    package var app: String
    package var backend: String
    /// The backend's base URL.
    package var baseURL: String
    /// The device it is listed with; empty for none.
    package var device = ""
    package var method: String
    /// Below the base URL; an absolute URL must be below it too.
    package var path: String
    package var headers: [Headers.Field] = []
    package var body = ""
    /// Sent as a bearer token, unless there is an Authorization field.
    package var accessToken: String?

    package init(
        workspace: String, app: String, backend: String, baseURL: String, method: String,
        path: String
    ) {
        self.workspace = workspace
        self.app = app
        self.backend = backend
        self.baseURL = baseURL.withoutTrailingSlashes
        self.method = method
        self.path = path
    }

    func makeRequest() throws(Problem) -> OutboundRequest {
        var errors: [Problem.FieldError] = []
        let method = Method(rawValue: method)
        if !method.canBeSent { errors.add("/method", "must be an uppercase word, such as POST") }
        let url = url(&errors)
        var fields = Headers()
        for (index, field) in ResendRequest.resendableFields(headers).enumerated() {
            guard field.canBeSent else {
                errors.add("/headers/\(index)", "must be a name and a value on one line")
                continue
            }
            fields.fields.append(field)
        }
        if let accessToken, fields["Authorization"] == nil {
            fields.add("Authorization", "Bearer \(accessToken)")
        }
        guard errors.isEmpty else {
            throw Problem(errors: errors, code: "invalid-request", title: "Invalid request")
        }
        return OutboundRequest(
            method: method, url: url, headers: fields, body: Array(body.utf8),
            timeout: .seconds(30))
    }

    private func url(_ errors: inout [Problem.FieldError]) -> String {
        let isAbsolute = URLParts(path).scheme != nil
        let separator = path.hasPrefix("/") || path.hasPrefix("?") || path.isEmpty ? "" : "/"
        let url = isAbsolute ? path : baseURL + separator + path
        let rest = url.dropFirst(baseURL.count)
        if !url.hasPrefix(baseURL) || !(rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?"))
        {
            errors.add("/path", "is not below the backend's base URL, " + baseURL)
        } else if URLParts.mayLeaveBase(String(rest)) {
            errors.add("/path", "contains a dot segment or a fragment")
        } else if url.utf8.count > URLParts.maxLength {
            errors.add("/path", "is longer than \(Format.count(URLParts.maxLength)) bytes")
        } else if !URLParts(url).canBeSent {
            errors.add("/path", "contains invalid URL characters")
        }
        return url
    }
}

extension Resend {
    /// Sends a new request; returns the exchange's id.
    package func send(_ new: NewRequest) async throws -> String {
        let request = try new.makeRequest()
        var context = ExchangeContext(
            workspace: new.workspace, app: new.app, device: new.device, backend: new.backend,
            call: "new", cause: .manual)
        context.baseURL = new.baseURL
        context = Self.withSecrets(
            of: request, passwords: [], tokens: [new.accessToken].compactMap(\.self), context)
        return await recorder.send(request, as: context).id
    }
}
