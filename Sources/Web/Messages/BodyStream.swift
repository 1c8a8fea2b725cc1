import Synchronization

/// A pull-based body stream; calling `next()` provides backpressure.
///
/// It has one consumer, which calls `next` once at a time. A stream that is released before its end
/// is canceled.
package final class BodyStream: Sendable {
    /// Length in bytes; nil if it is unknown before the end.
    package let length: Int?
    private let nextChunk: @Sendable () async -> Chunk
    private let onCancel: @Sendable () -> Void
    private let isOpen = Atomic(true)

    package init(
        length: Int?, next: @escaping @Sendable () async -> Chunk,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.length = length
        nextChunk = next
        onCancel = cancel
    }

    deinit { if isOpen.load(ordering: .acquiring) { onCancel() } }

    /// Waits for the next chunk.
    package func next() async -> Chunk {
        let chunk = await nextChunk()
        if chunk == .end || chunk == .aborted { isOpen.store(false, ordering: .releasing) }
        return chunk
    }

    /// Ends the consumer's interest: notifies the producer, and a pending `next` returns `aborted`.
    package func cancel() {
        isOpen.store(false, ordering: .releasing)
        onCancel()
    }

    /// What a read of the body returns.
    package enum Chunk: Sendable, Equatable {
        case bytes([UInt8])
        /// The body is complete.
        case end
        /// The body stopped and is incomplete; every further call returns this too.
        case aborted
    }
}

/// How a request delimits its body, by its headers (RFC 9112, 6.3).
///
/// libmicrohttpd accepts both lengths at once, lengths that differ, and control characters in
/// values, and picks one interpretation; a proxy in front of the console may pick another (RFC
/// 9112, 11.2).
package enum BodyFraming: Equatable {
    case none
    /// In bytes.
    case length(Int)
    case chunked

    /// Throws a 400 if two parsers could disagree about where the request ends.
    package init(_ headers: Headers) throws(Problem) {
        self = .none
        for field in headers.fields {
            guard field.name.isHTTPToken else { throw .malformed("a header's name is not a token") }
            guard !field.value.containsControlCharacter else {
                throw .malformed("a header contains a control character")
            }
            if Headers.areEqual(field.name, "Content-Length") {
                guard self == .none else { throw .malformed("its length is given twice") }
                guard let length = Self.parseLength(field.value) else {
                    throw .malformed("its Content-Length is not a number")
                }
                self = .length(length)
            } else if Headers.areEqual(field.name, "Transfer-Encoding") {
                guard self == .none else { throw .malformed("its length is given twice") }
                guard Headers.areEqual(field.value, "chunked") else {
                    throw .malformed("its transfer encoding is unknown")
                }
                self = .chunked
            }
        }
    }

    /// Only digits; 18 of them always fit.
    private static func parseLength(_ text: String) -> Int? {
        (1...18).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }
}

extension Problem {
    /// A request that is not valid HTTP; closes the connection, since its following bytes are
    /// unreliable.
    package static func malformed(_ reason: String) -> Problem {
        Problem(
            status: 400, code: "malformed-request", title: "Malformed request",
            detail: "Rejected: \(reason).", headers: ["Connection": "close"])
    }
}
