package import FoundationEssentials
package import Web

/// One request of an HTTP Archive with its answer, as if just delivered.
package struct HAREntry: Sendable {
    package let request: OutboundRequest
    package let delivery: Delivery
    package let startedAt: Date
    /// What our own archives tell besides: the app, the call, the backend.
    package let told: [String: String]
}
