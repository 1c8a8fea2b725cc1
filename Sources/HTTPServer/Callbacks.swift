import CMicrohttpd
import Glibc

// Callbacks of libmicrohttpd. It calls them on the threads of its pool, all of one connection on
// the same thread. They have two contexts: the `Daemon`, which outlives the libmicrohttpd daemon,
// and the `ClientConnection`, retained when it starts and released after it has closed. No callback
// blocks or throws.

/// MHD_OPTION_NOTIFY_CONNECTION: `context` is stored with the socket.
func connectionChanged(
    _ daemonContext: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let daemonContext, let connection, let context else { return }
    let daemon = Unmanaged<Daemon>.fromOpaque(daemonContext).takeUnretainedValue()
    switch change {
    case .CONNECTION_NOTIFY_STARTED:
        let connection = ClientConnection(
            handle: ConnectionHandle(pointer: connection), daemon: daemon)
        context.pointee = Unmanaged.passRetained(connection).toOpaque()
        daemon.connectionRegistry.add(connection)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = context.pointee else { return }
        context.pointee = nil
        let connection = Unmanaged<ClientConnection>.fromOpaque(pointer).takeRetainedValue()
        connection.markClosed()
        daemon.connectionRegistry.remove(connection)
    }
}

/// MHD_OPTION_URI_LOG_CALLBACK: the only callback that gets the target as sent. Its result is the
/// first `context` of `requestArrived`.
func requestBegan(
    _: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let connection, let target else { return nil }
    let handle = ConnectionHandle(pointer: connection)
    let context = handle.context
    let text = String(cString: target)
    connectionFromContext(context)?.begin(
        target: text, hasMarkerField: handle.skipQueryAndCookieParsing(of: target))
    return context
}

/// MHD_AccessHandlerCallback: called once for the headers, for each chunk of the body, for the
/// complete request, and after a resume.
func requestArrived(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ target: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ chunk: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection = connectionFromContext(context?.pointee), let size, let method,
        let target, let version
    else { return .NO }
    guard size.pointee > 0 else {
        return connection.advance(RequestLine(method: method, target: target, version: version))
    }
    let bytes = UnsafeRawBufferPointer(start: chunk, count: size.pointee)
    size.pointee = 0
    return connection.receiveBody(bytes) ? .YES : .NO
}

/// MHD_KeyValueIteratorN: called only during `MHD_get_connection_values_n`.
func headerFound(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let context else { return .NO }
    context.assumingMemoryBound(to: PendingRequest.self).pointee.addHeader(
        name: UnsafeRawBufferPointer(start: name, count: nameSize),
        value: UnsafeRawBufferPointer(start: value, count: valueSize))
    return .YES
}

/// MHD_OPTION_NOTIFY_COMPLETED: called after a response, or when there was none.
func requestCompleted(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    connectionFromContext(context?.pointee)?.complete()
    context?.pointee = nil
}

/// MHD_ContentReaderCallback: the context is the `ResponseBuffer`.
func streamRead(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context else { return Int(foyer_mhd_end_with_error) }
    return Unmanaged<ResponseBuffer>.fromOpaque(context).takeUnretainedValue().read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// MHD_ContentReaderFreeCallback: called once, when the response is freed.
func streamReleased(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<ResponseBuffer>.fromOpaque(context).release()
}

/// MHD_ContentReaderCallback of a response that has only a body length (HEAD).
func headBodyRead(_: UnsafeMutableRawPointer?, _: UInt64, _: UnsafeMutablePointer<CChar>?, _: Int)
    -> Int
{ Int(foyer_mhd_end_with_error) }

/// MHD_OPTION_UNESCAPE_CALLBACK: decodes nothing, since decoding depends on the grammar.
func keepPercentEncoding(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int { text.map { strlen($0) } ?? 0 }

/// MHD_OPTION_EXTERNAL_LOGGER: logs only the format, since the arguments may contain client input.
func libraryLogged(
    _ daemonContext: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _: CVaListPointer?
) {
    guard let daemonContext, let format else { return }
    var text = String(cString: format)
    while text.last?.isNewline == true { text.removeLast() }
    // Messages about one closed connection: clients disconnect all the time, and near the
    // connection limit they are evicted by the thousand.
    if text == "%s" || ignoredLogPrefixes.contains(where: text.hasPrefix) { return }
    Unmanaged<Daemon>.fromOpaque(daemonContext).takeUnretainedValue().configuration.log(
        "libmicrohttpd: \(text)")
}

/// How libmicrohttpd's messages start about a client that disconnected, or that sent no HTTP and
/// got an error response.
private let ignoredLogPrefixes = [
    "Failed to send", "Connection was closed by remote side", "Connection socket is closed",
    "Socket has been disconnected", "Error processing request",
]

private func connectionFromContext(_ context: UnsafeMutableRawPointer?) -> ClientConnection? {
    context.map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
}
