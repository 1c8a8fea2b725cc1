import CCurl
import Web

/// Converts the outcome of a finished libcurl transfer to an exchange result.
enum CurlResult {
    static func exchangeResult(_ transfer: Transfer, _ handle: EasyHandle, _ code: CURLcode)
        -> ExchangeResult
    {
        let metrics = TransferMetrics(handle, transfer)
        guard code == CURLE_OK else {
            let failure = transfer.failure ?? failure(transfer.message, handle, code, metrics)
            return result(.failed(failure), transfer, metrics)
        }
        return head(transfer, metrics, body: transfer.response.body)
    }

    /// The head of a response whose body is still being received.
    static func head(_ transfer: Transfer, _ handle: EasyHandle) -> ExchangeResult {
        head(transfer, TransferMetrics(handle, transfer), body: [])
    }

    private static func head(_ transfer: Transfer, _ metrics: TransferMetrics, body: [UInt8])
        -> ExchangeResult
    {
        let response = UpstreamResponse(
            status: metrics.status, headers: transfer.response.headers, body: body)
        return result(.responded(response), transfer, metrics)
    }

    private static func result(
        _ outcome: ExchangeResult.Outcome, _ transfer: Transfer, _ metrics: TransferMetrics
    ) -> ExchangeResult {
        ExchangeResult(
            outcome: outcome, timings: metrics.timings(transfer.message.target),
            remoteAddress: metrics.remoteAddress,
            sentHeaders: metrics.isSent ? transfer.message.headers : [:])
    }

    private static func failure(
        _ message: OutboundMessage, _ handle: EasyHandle, _ code: CURLcode,
        _ metrics: TransferMetrics
    ) -> TransportFailure {
        let name = message.target.hostAndPort
        // GnuTLS appends file names.
        let text = handle.errorMessage.split(separator: " CAfile:").first ?? ""
        let reason = text.hasSuffix(".") ? text.dropLast() : text
        let invalid = (TransportFailure.Kind.invalidResponse, "\(name) did not send valid HTTP.")
        let (kind, detail): (TransportFailure.Kind, String) =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST:
                (.nameLookup, "The name \(message.target.host) has no address.")
            case CURLE_OPERATION_TIMEDOUT: (.timeout, timeoutMessage(message, metrics))
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
        return TransportFailure(kind: kind, detail: detail)
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
