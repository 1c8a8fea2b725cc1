package import FoundationEssentials
package import Web

/// One request of an HTTP Archive with its response, ready to be recorded.
package struct HAREntry: Sendable {
    package let request: OutboundRequest
    /// The request body's content type: from its header, else from the archive's `postData`.
    package let requestContentType: String
    /// The form fields, if the archive lists them.
    package let params: [(name: String, value: String)]
    package let result: ExchangeResult
    package let startedAt: Date
    /// The additional `_foyer` values in archives exported by Foyer: app, call, backend.
    package let metadata: [String: String]
}
