import Web

/// A validated request with all header fields it will be sent with.
struct OutboundMessage {
    let target: ParsedURL
    let method: String
    let url: String
    /// In the order they are sent, with those the client adds.
    let headers: Headers
    let body: [UInt8]
    /// A streamed body, instead of `body`.
    let bodyStream: BodyStream?
    let timeoutMilliseconds: Int

    init(
        _ request: OutboundRequest, _ configuration: ClientConfiguration,
        bodyStream: BodyStream? = nil
    ) throws(TransportFailure) {
        guard request.body.count <= configuration.requestLimit else {
            throw TransportFailure(
                .requestTooLarge,
                "The request body has \(request.body.count) bytes; the limit is "
                    + "\(configuration.requestLimit).")
        }
        target = try ParsedURL(request.url)
        method = request.method.rawValue
        url = request.url
        guard method.isHTTPToken else { throw .refusedURL("The method is not a token.") }
        for field in request.headers.fields {
            guard field.name.isHTTPToken else {
                throw .refusedURL("A header field's name is not a token.")
            }
            // RFC 9110, 5.5: CR, LF and NUL in a value are dangerous.
            guard !field.value.containsLineBreakOrZero else {
                throw .refusedURL(
                    "The header field \(field.name) contains a line break or a zero byte.")
            }
        }
        body = method == "HEAD" ? [] : request.body
        self.bodyStream = method == "HEAD" ? nil : bodyStream
        headers = Self.completeHeaders(
            request.headers, target, method, body, self.bodyStream,
            userAgent: request.isVerbatim ? nil : configuration.userAgent)
        let milliseconds = request.timeout / .milliseconds(1)
        // Zero would mean no timeout.
        timeoutMilliseconds = Int(min(max(milliseconds.rounded(.up), 1), 86_400_000))
    }

    /// Fields that the client sets itself.
    private static let replacedFields = ["host", "content-length", "transfer-encoding", "expect"]

    /// Host first (RFC 9110, 7.2), then the request's fields, then missing ones. The client sets
    /// the body's framing.
    private static func completeHeaders(
        _ headers: Headers, _ target: ParsedURL, _ method: String, _ body: [UInt8],
        _ bodyStream: BodyStream?, userAgent: String?
    ) -> Headers {
        var complete = Headers()
        complete.fields.reserveCapacity(headers.fields.count + 3)
        let defaultPort = target.isEncrypted ? 443 : 80
        complete.add(
            "Host",
            headers["Host"] ?? (target.port == defaultPort ? target.host : target.hostAndPort))
        for field in headers.fields {
            if Self.replacedFields.contains(where: field.isNamed) { continue }
            let hasBlanks =
                field.value.utf8.first?.isBlank == true || field.value.utf8.last?.isBlank == true
            complete.add(
                field.name, hasBlanks ? String(field.value[...].trimmingBlanks) : field.value)
        }
        if let userAgent {
            if headers["User-Agent"] == nil { complete.add("User-Agent", userAgent) }
            if headers["Accept"] == nil { complete.add("Accept", "*/*") }
        }
        if let bodyStream {
            if let length = bodyStream.length {
                complete.add("Content-Length", String(length))
            } else {
                complete.add("Transfer-Encoding", "chunked")
            }
            return complete
        }
        // RFC 9110, 8.6: none where no body is expected.
        let expectsBody = ["POST", "PUT", "PATCH"].contains(method)
        if !body.isEmpty || expectsBody { complete.add("Content-Length", String(body.count)) }
        return complete
    }
}

extension String {
    /// Examines all bytes: without an exit, many are compared at a time.
    fileprivate var containsLineBreakOrZero: Bool {
        let bytes = utf8.span
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |= (byte == 0x0D ? 1 : 0) | (byte == 0x0A ? 1 : 0) | (byte == 0 ? 1 : 0)
        }
        return found != 0
    }
}
