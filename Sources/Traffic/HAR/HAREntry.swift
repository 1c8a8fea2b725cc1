package import FoundationEssentials
package import Web

/// One request of an HTTP Archive with its answer, as if just delivered.
package struct HAREntry: Sendable {
    package let request: OutboundRequest
    /// What the request's body is: by its header, or as the archive says.
    package let requestContentType: String
    /// The form's fields, where the archive lists them.
    package let params: [(name: String, value: String)]
    package let result: ExchangeResult
    package let startedAt: Date
    /// What our own archives tell besides: the app, the call, the backend.
    package let metadata: [String: String]
}
