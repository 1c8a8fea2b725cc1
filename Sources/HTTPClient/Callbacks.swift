import CCurl
import Glibc

// Callbacks of libcurl. They run on the transfer loop's thread, inside `curl_multi_perform`; the
// context is the `Transfer`, kept alive by the pool's list of running transfers until its handle
// has left the multi handle. No callback throws: an error is stored in the transfer, and the return
// code makes libcurl stop.

/// CURLOPT_WRITEFUNCTION: a result other than the number of bytes passed in is an error.
func bodyReceived(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch transfer(context).receive(body: buffer) {
    case .accepted: size * count
    case .rejected: 0
    case .paused: Int(foyer_curl_pause_write)
    }
}

/// CURLOPT_READFUNCTION: returns how many bytes of the request's body were copied.
func bodyRequested(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return switch transfer(context).send(into: buffer) {
    case .bytes(let count): count
    case .end: 0
    case .pending: Int(foyer_curl_pause_read)
    case .aborted: Int(foyer_curl_abort_read)
    }
}

/// CURLOPT_HEADERFUNCTION: called with one complete line at a time.
func headerLineReceived(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context).receive(headerLine: buffer) ? size * count : 0
}

/// CURLOPT_OPENSOCKETFUNCTION: called after the name lookup, before anything is sent. Only here is
/// the resolved address known.
func socketRequested(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
        let (peer, port) = PeerAddress.read(
            UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen)),
        transfer(context).allowConnection(peer, port: port)
    else { return CURL_SOCKET_BAD }
    let descriptor = socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
    if descriptor == CURL_SOCKET_BAD { transfer(context).recordSocketFailure(errno) }
    return descriptor
}

/// CURLOPT_PREREQFUNCTION: called on a new or reused connection, "before the request is issued";
/// called again when libcurl retries by itself.
func requestWillBeSent(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    let transfer = transfer(context)
    let isClosed = transfer.handle?.isConnectionClosed ?? false
    return transfer.prepareToSend(isConnectionClosed: isClosed)
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context else { preconditionFailure("libcurl called back without its context") }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}
