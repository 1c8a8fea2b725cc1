import CMicrohttpd
import Synchronization
import Web

/// Queueing a response with libmicrohttpd, from inside its access handler.
extension ClientConnection {
    func queue(_ response: Response) -> MHD_Result {
        if response.isDropped { state.withLock { disconnect(&$0) } }
        if let problem = response.unsendableReason { return queue(problem.response) }
        let isHead = state.withLock(\.isHead)
        let mhdResponse: MHDResponse?
        switch response.body {
        case .empty: mhdResponse = MHDResponse([], headers: response.headers)
        case .bytes(let bytes): mhdResponse = MHDResponse(bytes, headers: response.headers)
        case .stream where isHead: mhdResponse = MHDResponse([], headers: response.headers)
        case .headOnly(let length):
            mhdResponse = MHDResponse(headOnly: length, headers: response.headers)
        case .proxied(let bodyStream) where isHead:
            mhdResponse = MHDResponse(headOnly: bodyStream.length, headers: response.headers)
        case .proxied, .stream:
            guard state.withLock({ reserveStream(&$0) }) else {
                return queue(Problem.tooManyStreams.response)
            }
            mhdResponse = MHDResponse(startStream(response), headers: response.headers)
        }
        return mhdResponse?.queue(on: handle, status: response.status) ?? .NO
    }

    /// Makes the connection a streaming one and starts to copy the response's body.
    private func startStream(_ response: Response) -> ResponseBuffer {
        var proxied: BodyStream?
        if case .proxied(let bodyStream) = response.body { proxied = bodyStream }
        let limits = daemon.configuration
        let isEventStream =
            proxied == nil
            && response.headers["Content-Type"]?.hasPrefix("text/event-stream") == true
        let body = ResponseBuffer(
            handle: handle, limits: limits, isEventStream: isEventStream,
            stallTimeout: proxied == nil ? limits.streamStallTimeout : limits.proxyStallTimeout,
            length: proxied?.length)
        let isClosing = state.withLock { state in
            state.phase = .streaming(body)
            return state.isClosing
        }
        // The console's own streams may end at any time; a proxied one would look complete.
        if isClosing { proxied == nil ? body.finish() : body.abort() }
        if let proxied { body.pump(proxied) }
        if case .stream(let stream) = response.body { body.pump(stream) }
        return body
    }
}

extension Response {
    /// Why it cannot be sent, nil if it can: an invalid status, or more headers than fit into a
    /// connection's memory.
    fileprivate var unsendableReason: Problem? {
        // An internal error, or a bad gateway.
        let problemStatus = isProxied ? 502 : 500
        guard (200...(isProxied ? 999 : 599)).contains(status) else {
            return Problem(
                status: problemStatus, code: "status-unknown", title: "Invalid response status",
                detail: "A final status has three digits and is at least 200.")
        }
        guard headers.size > Self.headerLimit else { return nil }
        return Problem(
            status: problemStatus, code: "response-headers-too-large",
            title: "Response headers too large", detail: "The limit is \(Self.headerLimit) bytes.")
    }
}

/// A libmicrohttpd response.
///
/// libmicrohttpd counts references: queueing takes its own reference, and this value's reference
/// ends with its lifetime.
struct MHDResponse: ~Copyable {
    private let response: OpaquePointer

    /// Copies the bytes: for the usual sizes that costs less than a lock. Nil when memory is short.
    init?(_ bytes: [UInt8], headers: Headers) {
        self.init(
            bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }, headers)
    }

    /// libmicrohttpd reads from `body` and holds it until `streamReleased`. The block that it
    /// reserves serves only HTTP/1.0 clients, so it is small. Without a length the body is sent in
    /// chunks.
    init?(_ body: ResponseBuffer, headers: Headers) {
        let context = Unmanaged.passRetained(body)
        let response = MHD_create_response_from_callback(
            body.length.map(UInt64.init) ?? foyer_mhd_size_unknown,
            body.length == nil ? 1 << 10 : 16 << 10, streamRead, context.toOpaque(), streamReleased)
        if response == nil { context.release() }
        self.init(response, headers)
    }

    /// For HEAD: only the length of a body.
    init?(headOnly length: Int?, headers: Headers) {
        self.init(
            MHD_create_response_from_callback(
                length.map(UInt64.init) ?? foyer_mhd_size_unknown, 1 << 10, headBodyRead, nil, nil),
            headers)
    }

    private init?(_ response: OpaquePointer?, _ headers: Headers) {
        guard let response else { return nil }
        self.response = response
        for field in headers.fields where Self.canBeSent(field) {
            MHD_add_response_header(response, field.name, field.value)
        }
    }

    deinit { MHD_destroy_response(response) }

    /// Only from inside the access handler.
    borrowing func queue(on connection: ConnectionHandle, status: Int) -> MHD_Result {
        MHD_queue_response(connection.pointer, UInt32(status), response)
    }

    /// A line break in a field would start another field, or a response, of an attacker's choice.
    /// libmicrohttpd sets the body lengths itself.
    static func canBeSent(_ field: Headers.Field) -> Bool {
        guard field.name.isHTTPToken, !field.value.containsControlCharacter else { return false }
        switch field.name.utf8.count {
        case 14: return field.name.lowercased() != "content-length"
        case 17: return field.name.lowercased() != "transfer-encoding"
        default: return true
        }
    }
}
