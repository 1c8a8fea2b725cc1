/// An exchange as a cURL command that runs in a POSIX shell.
package enum Curl {
    /// Tokens masked; with `tokens` (whole ones by index) they stand whole.
    package static func command(
        _ exchange: ExchangeDetail, tokens: [String]? = nil
    ) -> String {
        preconditionFailure("not built yet")
    }
}
