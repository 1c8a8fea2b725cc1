/// Why a request's body, or a field in it, is not what an endpoint reads.
///
/// It holds nothing of the body but the names of fields the contract itself
/// asked for: each contract puts it into its own dialect.
enum BodyError: Error, Sendable, Equatable {
    /// It does not say that it is JSON.
    case unsupportedMediaType
    case malformed
    /// JSON, but no object.
    case notAnObject
    /// The field is no string.
    case notAString(String)
    /// The field has more than so many bytes.
    case tooLong(String, limit: Int)
    /// The field holds a NUL.
    case containsNUL(String)
}
