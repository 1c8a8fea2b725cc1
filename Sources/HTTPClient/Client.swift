package import Web

/// libcurl's multi interface on one thread, connections kept.
///
/// A request is checked in the task that sends it, carried out by the thread,
/// and its delivery handed back to the task. When the task is cancelled, its
/// transfer ends and its connection closes.
package final class Client: Sendable {
    private let configuration: ClientConfiguration
    private let engine: Engine

    /// `refusedPorts` are our own loopback ports that must never be reached,
    /// in any spelling, checked on the resolved address.
    package init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        self.configuration = configuration
        engine = try Engine(configuration)
    }

    deinit { engine.close(whenClosed: {}) }

    /// The way out through this client.
    package var transport: Transport {
        Transport(
            send: { [self] request in await send(request) },
            open: { [self] request, upload in await open(request, upload) })
    }

    /// Ends every transfer and the thread.
    package func close() async {
        await withCheckedContinuation { done in engine.close(whenClosed: { done.resume() }) }
    }

    private func send(_ request: OutboundRequest) async -> Delivery {
        let transfer: Transfer
        do { transfer = try Transfer(OutboundMessage(request, configuration), configuration) } catch
        { return Delivery(outcome: .failed(error)) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.whenDone = { continuation.resume(returning: $0) }
                engine.start(transfer)
            }
        } onCancel: {
            engine.cancel(transfer)
        }
    }

    private func open(_ request: OutboundRequest, _ upload: Inflow?) async -> Opened {
        let flow = Flow()
        let transfer: Transfer
        do {
            transfer = try Transfer(
                OutboundMessage(request, configuration, upload: upload), configuration, flow: flow)
        } catch {
            upload?.cancel()
            return Opened(Delivery(outcome: .failed(error)))
        }
        let goOn: @Sendable () -> Void = { [engine] in engine.resume(transfer) }
        transfer.whenDone = { delivery in
            flow.end(delivery)
            upload?.cancel()
        }
        let rest = Opened.Rest(
            body: Inflow(
                length: nil, next: { await flow.next(goOn) },
                cancel: { [engine] in engine.cancel(transfer) }), ending: { flow.ending })
        transfer.whenOpened = { flow.open($0, rest) }
        if let upload { Task { await Self.pump(upload, into: flow, goOn) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                flow.whenOpened(continuation)
                engine.start(transfer)
            }
        } onCancel: {
            engine.cancel(transfer)
        }
    }

    /// Carries `upload` over until it or the transfer ends.
    private static func pump(_ upload: Inflow, into flow: Flow, _ goOn: @Sendable () -> Void) async
    {
        while true {
            switch await upload.next() {
            case .bytes(let bytes):
                guard await flow.give(bytes, goOn) else { return upload.cancel() }
            case .end: return flow.finishUpload(isWhole: true, goOn)
            case .broken: return flow.finishUpload(isWhole: false, goOn)
            }
        }
    }
}
