import CCurl
import Web

/// What libcurl measured in a transfer; microseconds since its start.
struct TransferFacts {
    let status: Int
    /// `127.0.0.1:8080`, `[::1]:8080`; nil if no connection stood.
    let remoteAddress: String?
    private let newConnections: Int
    private let nameLookup: Int
    private let connect: Int
    private let tls: Int
    private let sending: Int
    private let firstByte: Int
    private let total: Int

    init(_ handle: EasyHandle) {
        let easy = handle.pointer
        status = Self.long(easy, CURLINFO_RESPONSE_CODE)
        newConnections = Self.long(easy, CURLINFO_NUM_CONNECTS)
        nameLookup = Self.time(easy, CURLINFO_NAMELOOKUP_TIME_T)
        connect = Self.time(easy, CURLINFO_CONNECT_TIME_T)
        tls = Self.time(easy, CURLINFO_APPCONNECT_TIME_T)
        sending = Self.time(easy, CURLINFO_PRETRANSFER_TIME_T)
        firstByte = Self.time(easy, CURLINFO_STARTTRANSFER_TIME_T)
        total = Self.time(easy, CURLINFO_TOTAL_TIME_T)
        var text: UnsafePointer<CChar>?
        if connect > 0 || sending > 0,
            foyer_curl_get_string(easy, CURLINFO_PRIMARY_IP, &text)
                == CURLE_OK,
            let text, text[0] != 0
        {
            let address = String(cString: text)
            let port = Self.long(easy, CURLINFO_PRIMARY_PORT)
            remoteAddress =
                address.utf8.contains(0x3A)
                ? "[\(address)]:\(port)" : "\(address):\(port)"
        } else {
            remoteAddress = nil
        }
    }

    /// Whether the request began to leave.
    var wasSent: Bool { sending > 0 }

    var wasAnswered: Bool { firstByte > 0 }

    /// Each phase by itself; on a kept connection only the last two happen.
    func timings(_ target: Target) -> Timings {
        var timings = Timings(total: Self.milliseconds(total))
        if newConnections > 0 {
            if !target.isAddress, nameLookup > 0 {
                timings.nameLookup = Self.milliseconds(nameLookup)
            }
            if connect > 0 {
                timings.connect = Self.milliseconds(connect - nameLookup)
            }
            if tls > 0 { timings.tls = Self.milliseconds(tls - connect) }
        }
        if firstByte > 0 {
            timings.firstByte = Self.milliseconds(firstByte - sending)
        }
        return timings
    }

    private static func milliseconds(_ microseconds: Int) -> Double {
        Double(max(microseconds, 0)) / 1000
    }

    private static func long(
        _ easy: UnsafeMutableRawPointer, _ info: CURLINFO
    ) -> Int {
        var value = 0
        _ = foyer_curl_get_long(easy, info, &value)
        return value
    }

    private static func time(
        _ easy: UnsafeMutableRawPointer, _ info: CURLINFO
    ) -> Int {
        var value: curl_off_t = 0
        _ = foyer_curl_get_size(easy, info, &value)
        return Int(value)
    }
}
