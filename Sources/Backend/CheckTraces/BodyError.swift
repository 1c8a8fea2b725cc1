/// Why a request's body, or a field in it, cannot be read.
///
/// It contains nothing of the body but the names of fields that the contract itself reads. Each
/// contract translates it into its own dialect.
package enum BodyError: ExpectedError, Sendable, Equatable {
    /// The `Content-Type` is not JSON.
    case unsupportedMediaType
    case malformed
    /// JSON, but not an object.
    case notAnObject
    /// The field is not a string.
    case notAString(String)
    /// The field has more than `limit` bytes.
    case tooLong(String, limit: Int)
    /// The field contains a NUL.
    case containsNUL(String)

    package var failedChecks: [RequestCheck] {
        switch self {
        case .unsupportedMediaType, .malformed, .notAnObject: [.body]
        case .notAString, .tooLong, .containsNUL: [.fields]
        }
    }
}
