package import Web

/// A recorded exchange with its headers and bodies.
///
/// A token is recorded as `‹token:N›`, where `tokens[N]` is its masked form; a password as
/// `‹password›`. Bodies are recorded up to 64 KiB.
package struct ExchangeDetail: Sendable, Equatable {
    package var exchange: Exchange
    package var requestHeaders: Headers
    package var requestBody: RecordedBody
    package var responseHeaders: Headers
    package var responseBody: RecordedBody
    package var remoteAddress: String?
    /// Masked forms in the order of their placeholders.
    package var tokens: [String]
    /// The checks of the embedded backend before it rejected the request, in its order; empty for
    /// every other response.
    package var checks: [ExchangeCheck]

    /// A body as recorded.
    package struct RecordedBody: Sendable, Equatable {
        /// The text if the body is UTF-8; otherwise nil, and only `bytes` has the body.
        package var text: String?
        package var bytes: [UInt8]
        /// The length before redaction and truncation.
        package var length: Int

        /// Whether the body was left out; its text then gives the reason.
        package var isWithheld: Bool {
            guard let text else { return false }
            return Redaction.withheldPrefixes.contains { text.hasPrefix($0) }
        }

        /// Whether the end is missing. A recorded body can exceed `length` if the original was
        /// compressed.
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

    /// The index of the token that the header field carries as a bearer token.
    package func bearerTokenIndex(in field: Headers.Field) -> Int? {
        guard field.name.lowercased() == "authorization",
            field.value.lowercased().hasPrefix("bearer ")
        else { return nil }
        let numbered = filled(field.value, with: tokens.indices.map(String.init))
        guard numbered != field.value, let index = Int(numbered.dropFirst("bearer ".count)),
            tokens.indices.contains(index)
        else { return nil }
        return index
    }
}
