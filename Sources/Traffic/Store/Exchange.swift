package import FoundationEssentials
package import Web

/// A recorded exchange as lists show it.
package struct Exchange: Sendable, Equatable {
    package var id: String
    /// Its place in the order of recording; the key of pages.
    package var sequence: Int64
    package var workspace: String
    package var app: String
    package var device: String
    package var backend: String
    package var call: String
    package var cause: ExchangeContext.Cause
    package var causeEvent: Int64?
    package var causeExchange: String?
    package var attempt: Int
    package var method: String
    /// With passwords and tokens taken out.
    package var url: String
    /// The answer's status, nil if there was none.
    package var status: Int?
    /// Why there was no answer, nil if there was one.
    package var failure: TransportFailure?
    package var startedAt: Date
    package var timings: Timings
    /// Whole body lengths in bytes, also where less was recorded.
    package var requestBytes: Int
    package var responseBytes: Int
    /// The condition that struck, if one did.
    package var fault: String?
}
