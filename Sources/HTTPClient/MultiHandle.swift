import CCurl

/// Owns libcurl's multi handle: the connections and the waiting for them.
///
/// `@unchecked Sendable`: everything but `wake` is called on the engine's
/// thread only, and `wake` by those the thread waits for before it closes.
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private var isOpen = true

    /// `kept` connections stay open between requests.
    init?(idleConnectionLimit: Int) {
        guard let made = curl_multi_init() else { return nil }
        pointer = made
        _ = foyer_curl_multi_set_long(made, CURLMOPT_MAXCONNECTS, idleConnectionLimit)
    }

    deinit { close() }

    /// Closes every connection. No easy handle may be in it.
    func close() {
        if isOpen { curl_multi_cleanup(pointer) }
        isOpen = false
    }

    func wake() { curl_multi_wakeup(pointer) }

    /// Until a socket is ready, a time-out is due or somebody wakes.
    func wait() { curl_multi_poll(pointer, nil, 0, 60_000, nil) }

    /// False if libcurl refuses it.
    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

    /// Reads, writes and calls back; then names those that are done.
    func perform(_ done: (Transfer, CURLcode) -> Void) {
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            foyer_curl_get_private(message.pointee.easy_handle, &context)
            done(transfer(context), code)
        }
    }
}
