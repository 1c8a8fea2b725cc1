import CCurl

/// Owns libcurl's multi handle: its connections and the wait for them.
///
/// `@unchecked Sendable`: everything but `wake` is called only on the transfer loop's thread, and
/// `wake` only by callers that the thread waits for before it closes.
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private var isOpen = true

    /// `idleConnectionLimit` connections stay open between requests.
    init?(idleConnectionLimit: Int) {
        guard let handle = curl_multi_init() else { return nil }
        pointer = handle
        _ = foyer_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, idleConnectionLimit)
    }

    deinit { close() }

    /// Closes every connection. It must contain no easy handle.
    func close() {
        if isOpen { curl_multi_cleanup(pointer) }
        isOpen = false
    }

    func wake() { curl_multi_wakeup(pointer) }

    /// Waits until a socket is ready, a timeout expires or `wake` is called.
    func wait() { curl_multi_poll(pointer, nil, 0, 60_000, nil) }

    /// False if libcurl rejects it.
    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

    /// Reads, writes and calls the callbacks; then reports the finished transfers.
    func perform(_ completion: (Transfer, CURLcode) -> Void) {
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(pointer, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            foyer_curl_get_private(message.pointee.easy_handle, &context)
            completion(transfer(context), code)
        }
    }
}
