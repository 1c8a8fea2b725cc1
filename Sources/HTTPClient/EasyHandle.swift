import CCurl
import Glibc
import Web

/// Owns one libcurl easy handle, which is reused for one transfer after another.
///
/// Created, used and freed only on the transfer loop's thread. A class, because libcurl needs a
/// stable address for its error text.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// The system's certificate authorities in one file, if it has one: GnuTLS reads them for every
    /// connection, which takes 6 ms from a file and 23 ms from a folder.
    private static let systemCertificateBundle: String? = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    ].first { (path: String) in access(path, R_OK) == 0 }

    init?() {
        guard let handle = curl_easy_init() else { return nil }
        pointer = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    /// Whether the options are set that all transfers share.
    private var isConfigured = false
    /// Whether the last transfer set options that `prepare` does not replace.
    private var needsReset = false

    /// Clears the state of the last transfer; connections and resolved names are retained.
    func reset() {
        if needsReset {
            curl_easy_reset(pointer)
            isConfigured = false
            needsReset = false
        } else {
            _ = foyer_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, nil)
            _ = foyer_curl_set_pointer(pointer, CURLOPT_CUSTOMREQUEST, nil)
            _ = foyer_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, nil)
        }
        curl_slist_free_all(headerList)
        headerList = nil
        errorText[0] = 0
    }

    /// libcurl's last error text, empty without an error.
    var errorMessage: String { String(cString: errorText) }

    /// Sets all options for a transfer. `transfer` must outlive it.
    func prepare(_ transfer: Transfer) {
        let message = transfer.message
        if !isConfigured { configure(transfer.configuration) }
        set(CURLOPT_URL, message.url)
        set(CURLOPT_TIMEOUT_MS, message.timeoutMilliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, message.timeoutMilliseconds)
        setMethod(message)
        setHeaders(message.headers)
        setContext(of: transfer)
    }

    /// Sets the options that are the same for all transfers of a client.
    private func configure(_ configuration: ClientConfiguration) {
        isConfigured = true
        set(CURLOPT_ERRORBUFFER, errorText)
        set(CURLOPT_NOSIGNAL, 1)
        // Otherwise a transfer that ends during its name lookup waits for the resolver's thread,
        // and blocks all others.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        // An empty name disables even the proxy in the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateAuthorityFile ?? Self.systemCertificateBundle {
            set(CURLOPT_CAINFO, file)
            _ = foyer_curl_set_pointer(pointer, CURLOPT_CAPATH, nil)
        }
        _ = foyer_curl_set_write(pointer, CURLOPT_WRITEFUNCTION, bodyReceived)
        _ = foyer_curl_set_write(pointer, CURLOPT_HEADERFUNCTION, headerLineReceived)
        _ = foyer_curl_set_opensocket(pointer, socketRequested)
        _ = foyer_curl_set_prereq(pointer, requestWillBeSent)
    }

    /// Makes the next attempt open a new connection.
    func forceNewConnection() {
        needsReset = true
        set(CURLOPT_FRESH_CONNECT, 1)
    }

    /// Removes the timeout of the current transfer.
    func clearTimeout() { set(CURLOPT_TIMEOUT_MS, 0) }

    /// Resumes what a callback paused.
    func resume() { curl_easy_pause(pointer, CURLPAUSE_CONT) }

    /// Whether the peer has closed the connection that libcurl is about to use.
    ///
    /// libcurl checks for closed connections at most once a second.
    var isConnectionClosed: Bool {
        var socket = CURL_SOCKET_BAD
        guard foyer_curl_get_socket(pointer, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD else {
            return false
        }
        // POLLRDHUP, which the Glibc module does not import: a FIN was received, even if there is
        // something to read before it.
        let hangup: Int16 = 0x2000
        var pollEntry = pollfd(fd: socket, events: hangup, revents: 0)
        return poll(&pollEntry, 1, 0) > 0
    }

    private func setMethod(_ message: OutboundMessage) {
        switch message.method {
        case _ where message.bodyStream != nil:
            needsReset = true
            _ = foyer_curl_set_write(pointer, CURLOPT_READFUNCTION, bodyRequested)
            // Without a size libcurl sends chunks, as the header says.
            set(CURLOPT_POST, 1)
            foyer_curl_set_size(
                pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(message.bodyStream?.length ?? -1))
            set(CURLOPT_CUSTOMREQUEST, message.method)
        case "GET" where message.body.isEmpty: set(CURLOPT_HTTPGET, 1)
        case "HEAD":
            needsReset = true
            set(CURLOPT_NOBODY, 1)
        default:
            set(CURLOPT_HTTPGET, 1)
            let sendsLength = message.headers["Content-Length"] != nil
            if sendsLength {
                set(CURLOPT_POST, 1)
                foyer_curl_set_size(
                    pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(message.body.count))
                // libcurl copies the body, so the array need not keep its address.
                message.body.withUnsafeBytes { body in
                    _ = foyer_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, body.baseAddress)
                }
                if message.body.isEmpty { set(CURLOPT_COPYPOSTFIELDS, "") }
            }
            set(CURLOPT_CUSTOMREQUEST, message.method)
        }
    }

    /// Sets the complete list, so that the recorded headers are those that were sent.
    private func setHeaders(_ headers: Headers) {
        for field in headers.fields {
            // "Name:" would remove a field, "Name;" sends it empty.
            addHeaderLine(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        addHeaderLine("Expect:")
        if headers["Accept"] == nil { addHeaderLine("Accept:") }
        // Otherwise libcurl would send a body without a type as a form.
        if headers["Content-Type"] == nil { addHeaderLine("Content-Type:") }
        _ = foyer_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, headerList)
    }

    private func addHeaderLine(_ line: String) {
        if let extended = curl_slist_append(headerList, line) { headerList = extended }
    }

    /// Makes the callbacks receive `transfer`.
    private func setContext(of transfer: Transfer) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        set(CURLOPT_PRIVATE, context)
        set(CURLOPT_WRITEDATA, context)
        set(CURLOPT_READDATA, context)
        set(CURLOPT_HEADERDATA, context)
        set(CURLOPT_OPENSOCKETDATA, context)
        set(CURLOPT_PREREQDATA, context)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        _ = foyer_curl_set_long(pointer, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        _ = value.withCString { foyer_curl_set_pointer(pointer, option, $0) }
    }

    private func set(_ option: CURLoption, _ value: UnsafeRawPointer) {
        _ = foyer_curl_set_pointer(pointer, option, value)
    }
}
