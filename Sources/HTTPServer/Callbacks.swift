import CMicrohttpd
import Glibc

// What libmicrohttpd calls, all of it on the threads of its pool; everything
// about one connection on the same thread. Two contexts: the `Engine`, which
// outlives its daemon, and the `Visitor`, retained when its connection starts
// and released when it has closed. Nothing here blocks or throws.

/// MHD_OPTION_NOTIFY_CONNECTION: `context` is kept with the socket.
func connectionChanged(
    _ engine: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let engine, let connection, let context else { return }
    let owner = Unmanaged<Daemon>.fromOpaque(engine).takeUnretainedValue()
    switch change {
    case .CONNECTION_NOTIFY_STARTED:
        let connection = Connection(handle: ConnectionHandle(pointer: connection), daemon: owner)
        context.pointee = Unmanaged.passRetained(connection).toOpaque()
        owner.connectionRegistry.add(connection)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = context.pointee else { return }
        context.pointee = nil
        let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
        connection.markClosed()
        owner.connectionRegistry.remove(connection)
    }
}

/// MHD_OPTION_URI_LOG_CALLBACK: the one place that gives the target as sent.
/// What it returns is the first `context` of `requestArrived`.
func requestBegan(
    _: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let connection, let target else { return nil }
    let wire = ConnectionHandle(pointer: connection)
    let context = wire.context
    let text = String(cString: target)
    connectionFromContext(context)?.begin(
        target: text, hasMarkerField: wire.skipQueryAndCookieParsing(of: target))
    return context
}

/// MHD_AccessHandlerCallback: once for the headers, then for each piece of
/// the body, then for the whole, and again when resumed.
func requestArrived(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ target: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ piece: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection = connectionFromContext(context?.pointee), let size, let method,
        let target, let version
    else { return .NO }
    guard size.pointee > 0 else {
        return connection.advance(RequestLine(method: method, target: target, version: version))
    }
    let bytes = UnsafeRawBufferPointer(start: piece, count: size.pointee)
    size.pointee = 0
    return connection.receiveBody(bytes) ? .YES : .NO
}

/// MHD_KeyValueIteratorN: during `MHD_get_connection_values_n` only.
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

/// MHD_OPTION_NOTIFY_COMPLETED: after an answer, or when it came to none.
func requestCompleted(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    connectionFromContext(context?.pointee)?.complete()
    context?.pointee = nil
}

/// MHD_ContentReaderCallback: the context is the `StreamBody`.
func streamRead(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context else { return Int(foyer_mhd_end_with_error) }
    return Unmanaged<ResponseBuffer>.fromOpaque(context).takeUnretainedValue().read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// MHD_ContentReaderFreeCallback: once, when the response goes.
func streamReleased(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<ResponseBuffer>.fromOpaque(context).release()
}

/// MHD_ContentReaderCallback of a body that is only told of.
func headBodyRead(_: UnsafeMutableRawPointer?, _: UInt64, _: UnsafeMutablePointer<CChar>?, _: Int)
    -> Int
{ Int(foyer_mhd_end_with_error) }

/// MHD_OPTION_UNESCAPE_CALLBACK: decoding is for those who know the grammar.
func keepPercentEncoding(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int { text.map { strlen($0) } ?? 0 }

/// MHD_OPTION_EXTERNAL_LOGGER: only the format goes on, for the arguments
/// may be what a client sent.
func libraryLogged(
    _ engine: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _: CVaListPointer?
) {
    guard let engine, let format else { return }
    var text = String(cString: format)
    while text.last?.isNewline == true { text.removeLast() }
    // Why one connection ended: clients leave all the time, and in a crowd
    // they are sent away by the thousand.
    if text == "%s" || ignoredLogPrefixes.contains(where: text.hasPrefix) { return }
    Unmanaged<Daemon>.fromOpaque(engine).takeUnretainedValue().configuration.log(
        "libmicrohttpd: \(text)")
}

/// How libmicrohttpd begins what it says of a client that left, or that
/// spoke no HTTP and was told so.
private let ignoredLogPrefixes = [
    "Failed to send", "Connection was closed by remote side",
    "Connection socket is closed", "Socket has been disconnected",
    "Error processing request",
]

private func connectionFromContext(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}
