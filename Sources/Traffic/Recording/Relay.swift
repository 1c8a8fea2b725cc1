package import FoundationEssentials
import Packing
import Surroundings
package import Web

/// An exchange of somebody else's that passes through, while it lasts.
///
/// Both bodies flow; of each only the beginning is kept for the record.
package struct Relay: Sendable {
    /// The exchange's identifier, known before it ends.
    package let id: String
    package let startedAt: Date
    package let request: OutboundRequest
    /// As it came, nil where it left like that; its body is whole.
    package let asked: OutboundRequest?
    /// The answer's head, or why there is none.
    package let opened: Opened
    package let sent: Tap
    package let received: Tap
    /// What it is stamped with, and the strikes.
    let stamp: String?
    let blows: [Blow]
    let forged: [String]
    /// What it waited on purpose before it left, and before its answer began.
    let waited: Duration
    let late: Duration

    /// An answer's beginning that an app's call may be read from.
    package static let readable = 1 << 20

    /// The request with as much of its body as was kept and can be read.
    package var requestSeen: OutboundRequest {
        var seen = request
        seen.body = Self.read(sent.beginning, packedAs: request.headers)
        return seen
    }

    /// A body in which secrets can be looked for: one that was packed holds
    /// them where nobody sees them, and is unpacked or not kept.
    private static func read(_ body: [UInt8], packedAs headers: Headers) -> [UInt8] {
        guard !body.isEmpty, let coding = headers["Content-Encoding"]?.lowercased(),
            !coding.isEmpty, coding != "identity"
        else { return body }
        return Unpacking.unpack(body, coding: coding, limit: readable)
            ?? Redaction.withheld("packed as \(coding.prefix(40))")
    }

    /// What came of it in the end; a failure is one even after a head.
    package func delivery(_ ending: Opened.Ending?) -> Delivery {
        var delivery = opened.delivery
        delivery.timings.total += waited.milliseconds
        if let ending {
            delivery.timings = ending.timings
            delivery.timings.total += (waited + late).milliseconds
            if let failure = ending.failure {
                delivery.outcome = .failed(failure)
                return delivery
            }
        }
        if case .answered(var answer) = delivery.outcome {
            answer.body = Self.read(received.beginning, packedAs: answer.headers)
            delivery.outcome = .answered(answer)
        }
        return delivery
    }
}

extension Recorder {
    /// Whether anything goes wrong on purpose anywhere: then `open` wants to
    /// know what it sends.
    package var isTroubled: Bool { troubled.map { !$0.conditions.isIdle } ?? false }

    /// Sends somebody else's request; its end is for the caller to tell of,
    /// with `end`.
    ///
    /// What goes wrong on purpose by `context` strikes here. Bodies that flow
    /// cannot be taken back: they meet the network's conditions, before they
    /// leave or when their answer begins, and a request that is whole and that
    /// more could befall has its answer waited for.
    package func open(
        _ request: OutboundRequest, upload: Inflow?, as context: ExchangeContext? = nil
    ) async -> Relay {
        let id = world.identifier("exc")
        let startedAt = world.now()
        let sent = Tap(keeping: ExchangeRecord.beginning)
        if upload == nil { sent.see(request.body) }
        var carried = await carry(request, isWhole: upload == nil, as: context, exchange: id)
        var opened: Opened
        var waited = Duration.zero
        var late = Duration.zero
        if let ended = carried?.ended {
            upload?.cancel()
            opened = Opened(ended)
        } else {
            var leaving = request
            waited = carried?.waited ?? .zero
            leaving.timeout -= waited
            opened = await transport.open(leaving, upload.map(sent.on))
            if let troubled, var met = carried {
                let before = opened.delivery.timings.total
                opened = await troubled.befall(&met, opened, leaving)
                late = .milliseconds(opened.delivery.timings.total - before)
                carried = met
            }
        }
        let received = Tap(keeping: Relay.readable)
        if case .answered(let answer) = opened.delivery.outcome { received.see(answer.body) }
        return Relay(
            id: id, startedAt: startedAt, request: carried?.request ?? request,
            asked: carried?.forged.isEmpty == false ? request : nil, opened: opened, sent: sent,
            received: received, stamp: carried?.stamp, blows: carried?.blows ?? [],
            forged: carried?.forged ?? [], waited: waited, late: late)
    }

    /// What befalls it; nil if nothing does.
    private func carry(
        _ request: OutboundRequest, isWhole: Bool, as context: ExchangeContext?, exchange: String
    ) async -> TroubledTransport.Met? {
        guard let troubled, let context, !troubled.conditions.isIdle else { return nil }
        guard isWhole, troubled.conditions.wantAnswer(about: context) else {
            return await troubled.meet(request, as: context, exchange: exchange)
        }
        let carried = await troubled.send(request, as: context, exchange: exchange)
        return TroubledTransport.Met(
            blows: carried.blows, stamps: [carried.stamp].compactMap(\.self),
            ended: carried.delivery, request: carried.request, forged: carried.forged)
    }

    /// Records what came of it. Publishes `exchange.ended`.
    package func end(
        _ relay: Relay, _ request: OutboundRequest, _ delivery: Delivery,
        as context: ExchangeContext
    ) async -> Sent {
        var context = context
        context.tokens += relay.forged
        let sent = await keep(
            relay.id, request, delivery, as: context, startedAt: relay.startedAt,
            lengths: ExchangeRecord.Lengths(
                request: relay.sent.length, answer: relay.received.length), condition: relay.stamp)
        troubled?.conditions.tell(relay.blows, of: relay.id, as: context, event: sent.event)
        return sent
    }
}
