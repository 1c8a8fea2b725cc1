import CCurl
import Web

/// The outcome of a libcurl transfer, with libcurl's measurements.
struct CurlResult {
    let transfer: Transfer
    let handle: EasyHandle

    /// The result of a transfer that ended with `code`.
    func ended(_ code: CURLcode) -> ExchangeResult {
        code == CURLE_OK
            ? head(body: transfer.response.body)
            : result(.failed(transfer.failure ?? failure(code)))
    }

    /// The head of a response, with the body that has been received.
    func head(body: [UInt8] = []) -> ExchangeResult {
        let status = integerInfo(CURLINFO_RESPONSE_CODE)
        return result(
            .responded(
                UpstreamResponse(status: status, headers: transfer.response.headers, body: body)))
    }

    private func result(_ outcome: ExchangeResult.Outcome) -> ExchangeResult {
        ExchangeResult(
            outcome: outcome, timings: timings, remoteAddress: remoteAddress,
            sentHeaders: isSent ? transfer.message.headers : [:])
    }

    /// Whether sending the request started.
    private var isSent: Bool { transfer.sentAt != nil }

    // MARK: Measurements

    /// The duration of each phase; on a reused connection only the last two happen.
    private var timings: Timings {
        let nameLookup = timeInfo(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = timeInfo(CURLINFO_CONNECT_TIME_T)
        let tls = timeInfo(CURLINFO_APPCONNECT_TIME_T)
        var timings = Timings(total: Self.milliseconds(timeInfo(CURLINFO_TOTAL_TIME_T)))
        // libcurl counts a connection only once it is established.
        if integerInfo(CURLINFO_NUM_CONNECTS) > 0 || !isSent {
            if transfer.message.target.ipAddress == nil, nameLookup > 0 {
                timings.nameLookup = Self.milliseconds(nameLookup)
            }
            if connect > 0 { timings.connect = Self.milliseconds(connect - nameLookup) }
            if tls > 0 { timings.tls = Self.milliseconds(tls - connect) }
        }
        // libcurl's own time of the first byte is wrong for an HTTP/2 request with a body.
        if let sentAt = transfer.sentAt, let firstByteAt = transfer.firstByteAt {
            timings.firstByte = sentAt.duration(to: firstByteAt) / .milliseconds(1)
        }
        return timings
    }

    /// `127.0.0.1:8080`, `[::1]:8080`; nil without a connection.
    private var remoteAddress: String? {
        var text: UnsafePointer<CChar>?
        guard isSent || timeInfo(CURLINFO_CONNECT_TIME_T) > 0,
            foyer_curl_get_string(handle.pointer, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text,
            text[0] != 0
        else { return nil }
        let address = String(cString: text)
        let port = integerInfo(CURLINFO_PRIMARY_PORT)
        return address.utf8.contains(0x3A) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private static func milliseconds(_ microseconds: Int) -> Double {
        Double(max(microseconds, 0)) / 1000
    }

    private func integerInfo(_ info: CURLINFO) -> Int {
        var value = 0
        _ = foyer_curl_get_long(handle.pointer, info, &value)
        return value
    }

    /// In microseconds since the start of the transfer.
    private func timeInfo(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = foyer_curl_get_size(handle.pointer, info, &value)
        return Int(value)
    }

    // MARK: Failures

    private func failure(_ code: CURLcode) -> TransportFailure {
        let name = transfer.message.target.hostAndPort
        // GnuTLS appends file names.
        let text = handle.errorMessage.split(separator: " CAfile:").first ?? ""
        let reason = text.hasSuffix(".") ? text.dropLast() : text
        let invalid = (TransportFailure.Kind.invalidResponse, "\(name) did not send valid HTTP.")
        let (kind, detail): (TransportFailure.Kind, String) =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST:
                (.nameLookup, "The name \(transfer.message.target.host) has no address.")
            case CURLE_OPERATION_TIMEDOUT: (.timeout, timeoutMessage)
            case CURLE_COULDNT_CONNECT: (.connection, "\(name) is not listening or is unreachable.")
            case CURLE_GOT_NOTHING:
                (.connection, "\(name) closed the connection without a response.")
            case CURLE_PARTIAL_FILE:
                (.connection, "\(name) closed the connection in the middle of its response.")
            case CURLE_URL_MALFORMAT: (.refusedURL, "Malformed URL.")
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
                invalid
            // libcurl's code for a header line beyond its own limit, 100 KB.
            case CURLE_OUT_OF_MEMORY:
                (.invalidResponse, "\(name) responded with a header field that is too long.")
            case CURLE_RECV_ERROR where reason.contains("chunk"): invalid
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CLIENTCERT:
                (.tls, "No encrypted connection to \(name): \(reason).")
            default:
                (
                    .connection,
                    "The connection to \(name) was lost: "
                        + String(cString: curl_easy_strerror(code)) + "."
                )
            }
        return TransportFailure(kind, detail)
    }

    private var timeoutMessage: String {
        let timeLimit = "within \(transfer.message.timeoutMilliseconds) ms"
        let name = transfer.message.target.hostAndPort
        if !isSent { return "No connection to \(name) \(timeLimit)." }
        return transfer.firstByteAt == nil
            ? "\(name) did not respond \(timeLimit)."
            : "\(name) did not finish its response \(timeLimit)."
    }
}
