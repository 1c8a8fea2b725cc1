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
    package init(_ configuration: ClientConfiguration) throws(TransportFailure)
    {
        self.configuration = configuration
        engine = try Engine(configuration)
    }

    deinit { engine.close(whenClosed: {}) }

    /// The way out through this client.
    package var transport: Transport {
        Transport { [self] request in await send(request) }
    }

    /// Ends every transfer and the thread.
    package func close() async {
        await withCheckedContinuation { done in
            engine.close(whenClosed: { done.resume() })
        }
    }

    private func send(_ request: OutboundRequest) async -> Delivery {
        let transfer: Transfer
        do {
            transfer = try Transfer(
                OutboundMessage(request, configuration), configuration)
        } catch {
            return Delivery(outcome: .failed(error))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.whenDone = { continuation.resume(returning: $0) }
                engine.start(transfer)
            }
        } onCancel: {
            engine.cancel(transfer)
        }
    }
}
