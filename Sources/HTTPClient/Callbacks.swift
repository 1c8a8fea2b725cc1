import CCurl
import Glibc

// What libcurl calls. All of it on the engine's thread, from inside
// `curl_multi_perform`; the context is the `Transfer`, kept alive by the
// engine's list of running transfers until its handle has left the multi
// handle. Nothing here throws: what is wrong is kept in the transfer, and
// libcurl is told to stop.

/// CURLOPT_WRITEFUNCTION: a count other than the one given is an error.
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

/// CURLOPT_READFUNCTION: how much of the request's body was put there.
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

/// CURLOPT_HEADERFUNCTION: one complete line each time.
func headerLineReceived(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context).receive(headerLine: buffer) ? size * count : 0
}

/// CURLOPT_OPENSOCKETFUNCTION: after the name was looked up, before anything
/// leaves. Only here is it known where a name leads.
func socketRequested(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
        let (peer, port) = PeerAddress.read(
            UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen)),
        transfer(context).allowConnection(peer, port: port)
    else { return CURL_SOCKET_BAD }
    let made = socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
    if made == CURL_SOCKET_BAD { transfer(context).recordSocketFailure(errno) }
    return made
}

/// CURLOPT_PREREQFUNCTION: on a new connection or a kept one, "before the
/// request is issued"; a second time when libcurl tries again by itself.
func requestWillBeSent(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    let transfer = transfer(context)
    let hasEnded = transfer.handle?.isConnectionClosed ?? false
    return transfer.prepareToSend(isConnectionClosed: hasEnded)
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context else { preconditionFailure("libcurl called back without its context") }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}
