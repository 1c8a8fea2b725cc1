/// An error response (RFC 9457) with a text for users.
///
/// Handlers throw it. The console renders it as a page; `response` is `application/problem+json`.
package struct Problem: Error, Sendable, Equatable {
    /// The status code, 400 … 599.
    package var status: Int
    /// A short stable name in kebab case, the end of the `type` URI: `unknown-field`, `not-found` …
    package var code: String
    /// What went wrong, for a person.
    package var title: String
    /// Where exactly, and how to fix it.
    package var detail: String
    /// The API call that helps, as a sentence after `detail`; a page has a link instead.
    package var apiHint: String
    /// The invalid fields of the input.
    package var errors: [FieldError]
    /// Further response headers, such as `Retry-After` or `Allow`.
    package var headers: Headers

    package init(
        status: Int, code: String, title: String, detail: String, apiHint: String = "",
        errors: [FieldError] = [], headers: Headers = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.apiHint = apiHint
        self.errors = errors
        self.headers = headers
    }

    /// One invalid field.
    package struct FieldError: Sendable, Equatable {
        /// A JSON Pointer into the body, or `?name` for a query parameter, which the JSON has as
        /// `parameter`.
        package var pointer: String
        package var detail: String

        package init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// Invalid input: `detail` lists all wrong fields, so that a caller can fix them in one go, and
    /// then `note`.
    package init(
        errors: [FieldError], code: String = "invalid-body",
        title: String = "Invalid fields in the request body", note: String = ""
    ) {
        let details = errors.map { "\($0.pointer) \($0.detail)" }
        self.init(
            status: 400, code: code, title: title,
            detail: details.joined(separator: "; ") + "." + note, errors: errors)
    }

    /// A resource that does not exist; its code is `unknown-` and the last word of `name`. `detail`
    /// ends with the `available` ones, if given.
    package static func unknown(
        _ name: String, _ detail: String, available: [String]? = nil, apiHint: String = ""
    ) -> Problem {
        var detail = detail
        if let available {
            detail += (available.isEmpty ? "none" : available.joined(separator: ", ")) + "."
        }
        return Problem(
            status: 404, code: "unknown-\(name.split(separator: " ").last ?? "")",
            title: "Unknown \(name)", detail: detail, apiHint: apiHint)
    }

    /// The problem as `application/problem+json` (RFC 9457).
    package var json: JSON {
        let list = errors.map { error -> JSON in
            error.pointer.hasPrefix("?")
                ? [
                    "parameter": .string(String(error.pointer.dropFirst())),
                    "detail": .string(error.detail),
                ]
                : ["pointer": .string(error.pointer), "detail": .string(error.detail)]
        }
        return .omittingNil([
            "type": .string("/problems/\(code)"), "title": .string(title),
            "status": .int(Int64(status)),
            "detail": .string(apiHint.isEmpty ? detail : "\(detail) \(apiHint)"),
            "errors": list.isEmpty ? nil : .array(list),
        ])
    }

    /// The response of an API.
    package var response: Response {
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        return Response(status: status, headers: headers, body: .bytes(json.bytes))
    }
}

extension [Problem.FieldError] {
    package mutating func add(_ pointer: String, _ detail: String) {
        append(.init(pointer: pointer, detail: detail))
    }
}
