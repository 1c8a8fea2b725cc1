/// Why a request cannot be answered as asked (RFC 9457), in a person's words.
///
/// Thrown by handlers; one place renders it as a page, another as
/// `application/problem+json`.
package struct Problem: Error, Sendable, Equatable {
    /// The status code, 400 … 599.
    package var status: Int
    /// A short stable name in kebab case, the end of the `type` URI:
    /// `unknown-field`, `not-found` …
    package var code: String
    /// What went wrong, as a person would say it.
    package var title: String
    /// Where exactly, and how to mend it.
    package var detail: String
    /// The call that tells or does more, as a sentence after `detail`; a page
    /// has a link there instead.
    package var apiHint: String
    /// The fields that are wrong, for bad input.
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

    /// One wrong field.
    package struct FieldError: Sendable, Equatable {
        /// A JSON Pointer into the body, or `?name` for a query parameter.
        package var pointer: String
        package var detail: String

        package init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }
}
