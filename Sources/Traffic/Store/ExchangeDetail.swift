package import Web

/// A recorded exchange in full.
///
/// Tokens stand as `‹token:N›` where `tokens[N]` tells the masked form;
/// passwords as `‹password›`. Bodies are recorded up to 64 KiB.
package struct ExchangeDetail: Sendable, Equatable {
    package var exchange: Exchange
    package var requestHeaders: Headers
    package var requestBody: RecordedBody
    package var responseHeaders: Headers
    package var responseBody: RecordedBody
    package var remoteAddress: String?
    /// Masked forms in the order of their placeholders.
    package var tokens: [String]
    /// What the embedded backend checked before it refused, in its order;
    /// empty for every other answer.
    package var checks: [ExchangeCheck]

    /// A body as it was kept.
    package struct RecordedBody: Sendable, Equatable {
        /// UTF-8 text, or nil if it was no text (then `bytes` tells).
        package var text: String?
        package var bytes: [UInt8]
        /// The length before anything was taken out or cut off.
        package var length: Int

        /// Whether it was left out; its text says why.
        package var isWithheld: Bool { text?.hasPrefix(Redaction.withheldPrefix) ?? false }

        /// Whether the end is missing. Of what came packed there may be more
        /// than its length.
        package var isTruncated: Bool {
            bytes.count >= ExchangeRecord.bodyLimit && length != bytes.count
        }
    }

    /// `text` with every token placeholder replaced by its masked form.
    package func masked(_ text: String) -> String { filled(text, with: tokens) }

    /// `text` with every token placeholder replaced from `values`.
    package func filled(_ text: String, with values: [String]) -> String {
        Redaction.fillPlaceholders(text, with: values)
    }
}
