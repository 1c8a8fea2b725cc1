import CCurl
import Web

/// Converts the outcome of a finished libcurl transfer to an exchange result.
enum CurlResult {
    static func exchangeResult(_ transfer: Transfer, _ handle: EasyHandle, _ code: CURLcode)
        -> ExchangeResult
    {
        let metrics = TransferMetrics(handle, transfer)
        return ExchangeResult(
            outcome: code == CURLE_OK
                ? .responded(
                    UpstreamResponse(
                        status: metrics.status, headers: transfer.response.headers,
                        body: transfer.response.body))
                : .failed(failure(transfer, handle, code, metrics)),
            timings: metrics.timings(transfer.message.target), remoteAddress: metrics.remoteAddress,
            sentHeaders: metrics.isSent ? transfer.message.headers : [:])
    }

    /// The head of a response whose body is still being received.
    static func head(_ transfer: Transfer, _ handle: EasyHandle) -> ExchangeResult {
        let metrics = TransferMetrics(handle, transfer)
        return ExchangeResult(
            outcome: .responded(
                UpstreamResponse(status: metrics.status, headers: transfer.response.headers)),
            timings: metrics.timings(transfer.message.target), remoteAddress: metrics.remoteAddress,
            sentHeaders: transfer.message.headers)
    }

    private static func failure(
        _ transfer: Transfer, _ handle: EasyHandle, _ code: CURLcode, _ metrics: TransferMetrics
    ) -> TransportFailure {
        // A name may have several addresses. If one was refused, that is the failure to report,
        // however the others failed.
        if let failure = transfer.failure { return failure }
        let name = transfer.message.target.hostAndPort
        // GnuTLS appends file names.
        let reason =
            handle.errorMessage.split(separator: " CAfile:").first.map {
                $0.hasSuffix(".") ? String($0.dropLast()) : String($0)
            } ?? ""
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return TransportFailure(
                kind: .nameLookup,
                detail: "The name \(transfer.message.target.host) has no address.")
        case CURLE_OPERATION_TIMEDOUT:
            return TransportFailure(
                kind: .timeout, detail: timeoutMessage(transfer.message, metrics))
        case CURLE_COULDNT_CONNECT:
            return TransportFailure(
                kind: .connection, detail: "\(name) is not listening or is unreachable.")
        case CURLE_GOT_NOTHING:
            return TransportFailure(
                kind: .connection, detail: "\(name) closed the connection without a response.")
        case CURLE_PARTIAL_FILE:
            return TransportFailure(
                kind: .connection,
                detail: "\(name) closed the connection in the middle of its response.")
        case CURLE_URL_MALFORMAT:
            return TransportFailure(kind: .refusedURL, detail: "Malformed URL.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return invalidResponse(name)
        case CURLE_OUT_OF_MEMORY:
            // libcurl's code for a header line beyond its own limit, 100 KB.
            return TransportFailure(
                kind: .invalidResponse,
                detail: "\(name) responded with a header field that is too long.")
        case CURLE_RECV_ERROR where reason.contains("chunk"): return invalidResponse(name)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CLIENTCERT:
            return TransportFailure(
                kind: .tls, detail: "No encrypted connection to \(name): \(reason).")
        default:
            return TransportFailure(
                kind: .connection,
                detail: "The connection to \(name) was lost: "
                    + String(cString: curl_easy_strerror(code)) + ".")
        }
    }

    private static func invalidResponse(_ name: String) -> TransportFailure {
        TransportFailure(kind: .invalidResponse, detail: "\(name) did not send valid HTTP.")
    }

    private static func timeoutMessage(_ message: OutboundMessage, _ metrics: TransferMetrics)
        -> String
    {
        let timeLimit = "within \(message.timeoutMilliseconds) ms"
        let name = message.target.hostAndPort
        if !metrics.isSent { return "No connection to \(name) \(timeLimit)." }
        if !metrics.hasResponse { return "\(name) did not respond \(timeLimit)." }
        return "\(name) did not finish its response \(timeLimit)."
    }
}
