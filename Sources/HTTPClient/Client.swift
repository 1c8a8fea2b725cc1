package import Web

/// HTTP client on libcurl's multi interface, with one thread and reused connections.
///
/// The task that sends a request validates it, the thread performs it and passes the result back to
/// the task. When the task is canceled, its transfer ends and its connection closes.
package final class Client: Sendable {
    private let configuration: ClientConfiguration
    private let transferLoop: TransferLoop

    /// `ClientConfiguration/refusedPorts` are checked on the resolved address, however the host is
    /// spelled.
    package init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        self.configuration = configuration
        transferLoop = try TransferLoop(configuration)
    }

    deinit { transferLoop.close(onClosed: {}) }

    /// A transport that uses this client.
    package var transport: Transport {
        Transport(
            send: { [self] request in await send(request) },
            openStream: { [self] request, bodyStream in await openStream(request, bodyStream) })
    }

    /// Ends every transfer and the thread.
    package func close() async {
        await withCheckedContinuation { continuation in
            transferLoop.close(onClosed: { continuation.resume() })
        }
    }

    private func send(_ request: OutboundRequest) async -> ExchangeResult {
        let transfer: Transfer
        do { transfer = try Transfer(OutboundMessage(request, configuration), configuration) } catch
        { return ExchangeResult(outcome: .failed(error)) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.onCompletion = { continuation.resume(returning: $0) }
                transferLoop.start(transfer)
            }
        } onCancel: {
            transferLoop.cancel(transfer)
        }
    }

    private func openStream(_ request: OutboundRequest, _ bodyStream: BodyStream?) async
        -> StreamingResponse
    {
        let buffer = TransferBuffer()
        let transfer: Transfer
        do {
            transfer = try Transfer(
                OutboundMessage(request, configuration, bodyStream: bodyStream), configuration,
                buffer: buffer)
        } catch {
            bodyStream?.cancel()
            return StreamingResponse(ExchangeResult(outcome: .failed(error)))
        }
        let resume: @Sendable () -> Void = { [loop = transferLoop] in loop.resume(transfer) }
        transfer.onCompletion = { result in
            buffer.finish(result)
            bodyStream?.cancel()
        }
        // Created only then: a stream that is released unread cancels the transfer.
        transfer.onOpened = { [loop = transferLoop] result in
            let body = BodyStream(
                length: nil, next: { await buffer.next(resume) }, cancel: { loop.cancel(transfer) })
            buffer.deliverHead(
                StreamingResponse(result, body: body, completion: { buffer.completion }))
        }
        if let bodyStream { Task { await Self.pump(bodyStream, into: buffer, resume) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                buffer.setOpenWaiter(continuation)
                transferLoop.start(transfer)
            }
        } onCancel: {
            transferLoop.cancel(transfer)
        }
    }

    /// Copies `bodyStream` into the buffer until it or the transfer ends.
    private static func pump(
        _ bodyStream: BodyStream, into buffer: TransferBuffer, _ resume: @Sendable () -> Void
    ) async {
        while true {
            switch await bodyStream.next() {
            case .bytes(let bytes):
                guard await buffer.enqueue(bytes, resume) else { return bodyStream.cancel() }
            case .end: return buffer.finishUpload(isComplete: true, resume)
            case .aborted: return buffer.finishUpload(isComplete: false, resume)
            }
        }
    }
}

/// Limits of a client.
package struct ClientConfiguration: Sendable {
    /// Loopback ports that are never connected to: the console's own.
    package var refusedPorts: Set<UInt16> = []
    /// Bytes of a request body; more is `.requestTooLarge`.
    package var requestLimit: Int = 1 << 20
    /// Bytes of a response body; more is `.tooLarge`.
    package var responseLimit: Int = 8 << 20
    /// Fields of a response's header block; more is `.invalidResponse`.
    package var headerCountLimit: Int = 256
    /// Bytes of a response's header block; more is `.invalidResponse`.
    package var headerSizeLimit: Int = 128 << 10
    /// Active and waiting requests; one more fails immediately.
    package var transferLimit: Int = 1024
    /// Connections kept open for the next request.
    package var idleConnectionLimit: Int = 128
    /// Sent as `User-Agent` unless the request has one.
    package var userAgent: String = "Foyer"
    /// A PEM file to trust instead of the system's, for tests.
    package var certificateAuthorityFile: String? = nil

    package init() {}
}
