/// Why a request's body, or a field in it, is not what an endpoint reads.
///
/// It holds nothing of the body but the names of fields the contract itself
/// asked for: each contract puts it into its own dialect.
enum BodyFault: Error, Sendable, Equatable {
    /// It does not say that it is JSON.
    case mediaType
    case malformed
    /// JSON, but no object.
    case notObject
    /// The field is no string.
    case noText(String)
    /// The field has more than so many bytes.
    case tooLong(String, limit: Int)
    /// The field holds a NUL.
    case holdsNUL(String)
}
