package import Web

/// libcurl's multi interface on one thread, connections kept.
///
/// A request is checked in the task that sends it, carried out by the thread,
/// and its delivery handed back to the task. When the task is cancelled, its
/// transfer ends and its connection closes.
package final class Client: Sendable {
    private let configuration: ClientConfiguration
    private let transferLoop: TransferLoop

    /// `refusedPorts` are our own loopback ports that must never be reached,
    /// in any spelling, checked on the resolved address.
    package init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        self.configuration = configuration
        transferLoop = try TransferLoop(configuration)
    }

    deinit { transferLoop.close(onClosed: {}) }

    /// The way out through this client.
    package var transport: Transport {
        Transport(
            send: { [self] request in await send(request) },
            openStream: { [self] request, bodyStream in await openStream(request, bodyStream) })
    }

    /// Ends every transfer and the thread.
    package func close() async {
        await withCheckedContinuation { done in transferLoop.close(onClosed: { done.resume() }) }
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
        let flow = TransferBuffer()
        let transfer: Transfer
        do {
            transfer = try Transfer(
                OutboundMessage(request, configuration, bodyStream: bodyStream), configuration,
                buffer: flow)
        } catch {
            bodyStream?.cancel()
            return StreamingResponse(ExchangeResult(outcome: .failed(error)))
        }
        let goOn: @Sendable () -> Void = { [engine = transferLoop] in engine.resume(transfer) }
        transfer.onCompletion = { result in
            flow.finish(result)
            bodyStream?.cancel()
        }
        let rest = StreamingResponse.Body(
            stream: BodyStream(
                length: nil, next: { await flow.next(goOn) },
                cancel: { [engine = transferLoop] in engine.cancel(transfer) }),
            completion: { flow.completion })
        transfer.onOpened = { flow.deliverHead($0, rest) }
        if let bodyStream { Task { await Self.pump(bodyStream, into: flow, goOn) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                flow.setOpenWaiter(continuation)
                transferLoop.start(transfer)
            }
        } onCancel: {
            transferLoop.cancel(transfer)
        }
    }

    /// Carries `upload` over until it or the transfer ends.
    private static func pump(
        _ bodyStream: BodyStream, into flow: TransferBuffer, _ goOn: @Sendable () -> Void
    ) async {
        while true {
            switch await bodyStream.next() {
            case .bytes(let bytes):
                guard await flow.enqueue(bytes, goOn) else { return bodyStream.cancel() }
            case .end: return flow.finishUpload(isComplete: true, goOn)
            case .aborted: return flow.finishUpload(isComplete: false, goOn)
            }
        }
    }
}
