package import Web

/// Exchanges as an HTTP Archive 1.2.
package enum HAR {
    package static func archive(
        _ exchanges: [ExchangeDetail], version: String
    ) -> JSON {
        preconditionFailure("not built yet")
    }
}
