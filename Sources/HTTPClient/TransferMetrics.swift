import CCurl
import Web

/// libcurl's measurements of a transfer, in microseconds since its start.
struct TransferMetrics {
    let status: Int
    /// `127.0.0.1:8080`, `[::1]:8080`; nil without a connection.
    let remoteAddress: String?
    private let newConnections: Int
    private let nameLookup: Int
    private let connect: Int
    private let tls: Int
    /// Measured by the callbacks: libcurl's own time of the first byte is wrong for an HTTP/2
    /// request with a body.
    private let firstByte: Double?
    private let total: Int

    init(_ handle: EasyHandle, _ transfer: Transfer) {
        let easy = handle.pointer
        status = Self.integerInfo(easy, CURLINFO_RESPONSE_CODE)
        newConnections = Self.integerInfo(easy, CURLINFO_NUM_CONNECTS)
        nameLookup = Self.timeInfo(easy, CURLINFO_NAMELOOKUP_TIME_T)
        connect = Self.timeInfo(easy, CURLINFO_CONNECT_TIME_T)
        tls = Self.timeInfo(easy, CURLINFO_APPCONNECT_TIME_T)
        isSent = transfer.sentAt != nil
        firstByte =
            if let sentAt = transfer.sentAt, let firstByteAt = transfer.firstByteAt {
                sentAt.duration(to: firstByteAt) / .milliseconds(1)
            } else { nil }
        total = Self.timeInfo(easy, CURLINFO_TOTAL_TIME_T)
        var text: UnsafePointer<CChar>?
        if connect > 0 || isSent,
            foyer_curl_get_string(easy, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text,
            text[0] != 0
        {
            let address = String(cString: text)
            let port = Self.integerInfo(easy, CURLINFO_PRIMARY_PORT)
            remoteAddress =
                address.utf8.contains(0x3A) ? "[\(address)]:\(port)" : "\(address):\(port)"
        } else {
            remoteAddress = nil
        }
    }

    /// Whether sending the request started.
    let isSent: Bool

    var hasResponse: Bool { firstByte != nil }

    /// The duration of each phase; on a reused connection only the last two happen.
    func timings(_ target: ParsedURL) -> Timings {
        var timings = Timings(total: Self.milliseconds(total))
        // libcurl counts a connection only once it is established.
        if newConnections > 0 || !isSent {
            if !target.isIPAddress, nameLookup > 0 {
                timings.nameLookup = Self.milliseconds(nameLookup)
            }
            if connect > 0 { timings.connect = Self.milliseconds(connect - nameLookup) }
            if tls > 0 { timings.tls = Self.milliseconds(tls - connect) }
        }
        timings.firstByte = firstByte
        return timings
    }

    private static func milliseconds(_ microseconds: Int) -> Double {
        Double(max(microseconds, 0)) / 1000
    }

    private static func integerInfo(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Int {
        var value = 0
        _ = foyer_curl_get_long(easy, info, &value)
        return value
    }

    private static func timeInfo(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = foyer_curl_get_size(easy, info, &value)
        return Int(value)
    }
}
