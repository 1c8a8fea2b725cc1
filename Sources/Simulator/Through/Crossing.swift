import Apps
import FoundationEssentials
import Surroundings
import Synchronization
import Traffic
import Web

/// One exchange of a real app's, from its answer's head to its end.
final class Crossing: Sendable {
    private let passage: Passage
    private let place: Place
    private let app: App
    private let book: CallBook
    private let relay: Relay
    private let runner: Runner
    private let isOver = Mutex(false)
    private let reading = Mutex(Reading.idle)

    /// Whether somebody waits for the next piece of the body, or nobody wants
    /// one any more.
    private enum Reading { case idle, waiting, left }

    init(passage: Passage, place: Place, app: App, book: CallBook, relay: Relay, runner: Runner) {
        self.passage = passage
        self.place = place
        self.app = app
        self.book = book
        self.relay = relay
        self.runner = runner
    }

    /// The rest of the answer's body; its end is this exchange's.
    ///
    /// What is recorded is the backend's answer: it is whole if all of it was
    /// handed on, however soon the client left after that.
    func following(_ rest: Opened.Rest, length: Int?) -> Inflow {
        let body = relay.received.on(rest.body)
        return Inflow(
            length: length,
            next: { [self] in
                let isWanted = reading.withLock { reading in
                    guard reading == .idle else { return false }
                    reading = .waiting
                    return true
                }
                guard isWanted else { return .broken }
                return await take(body, rest, length)
            },
            cancel: { [self] in
                let isIdle = reading.withLock { reading in
                    defer { reading = .left }
                    return reading == .idle
                }
                body.cancel()
                // Who waits finds out by itself how it ended.
                guard isIdle else { return }
                Task { _ = await take(body, rest, length) }
            })
    }

    /// The next piece; ends the exchange with the last.
    private func take(_ body: Inflow, _ rest: Opened.Rest, _ length: Int?) async -> Inflow.Piece {
        let piece = await body.next()
        let hasLeft = reading.withLock { reading in
            defer { if reading == .waiting { reading = .idle } }
            return reading == .left
        }
        switch piece {
        case .end: await end(rest.ending())
        case .broken where !hasLeft: await end(rest.ending())
        case .broken: await end(left(isWhole: relay.received.length == length))
        case .bytes where hasLeft: await end(left(isWhole: false))
        case .bytes: break
        }
        return piece
    }

    private func left(isWhole: Bool) -> Opened.Ending {
        var timings = relay.opened.delivery.timings
        timings.total = runner.world.now().timeIntervalSince(relay.startedAt) * 1_000
        return Opened.Ending(
            timings: timings,
            failure: isWhole
                ? nil
                : TransportFailure(
                    kind: .cancelled, detail: "The client left before the answer's end."))
    }

    /// Records it, then does to the device what its app would have done; once.
    func end(_ ending: Opened.Ending?) async {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        do { try await settle(ending) } catch is Cupboard.Dropped {
            // The simulated app was killed meanwhile: it heard nothing.
        } catch {
            runner.world.log("through: \(relay.id) could not be followed: " + words(of: error))
        }
    }

    private func settle(_ ending: Opened.Ending?) async throws {
        let facts = try await runner.facts(place, app)
        let delivery = relay.delivery(ending)
        var answer: Answer?
        if case .answered(let got) = delivery.outcome { answer = got }
        let finding = Finding(
            relay.requestSeen, isWhole: relay.sent.isWhole, passage, answer, facts, book)
        let sent = await runner.recorder.end(
            relay, relay.requestSeen, delivery, as: finding.context(place, facts))
        // What a token was put in the place of is still what the app holds.
        let known =
            relay.asked.map { Finding($0, isWhole: true, passage, answer, facts, book).known }
            ?? finding.known
        guard let known else { return }
        var run = Run(
            place: place, app: app, life: facts.shown.life, why: .through, started: sent.event)
        run.exchange = sent.id
        run.event = sent.event
        run.fields = finding.fields(of: app)
        run.passwords = finding.passwords
        let runner = runner
        let heard = run
        try await runner.cupboard.holding(place) {
            try await runner.follow(known, relay.received.isWhole ? answer : nil, sent, heard)
        }
    }

    /// Ends it without its answer, and says so in one of ours.
    func refuse(_ why: TransportFailure) async -> Response {
        relay.opened.rest?.body.cancel()
        await end(Opened.Ending(timings: relay.opened.delivery.timings, failure: why))
        return Self.response(to: why, exchange: relay.id)
    }

    /// What the client reads when there is no answer: ours, and it says so.
    var failure: Response {
        guard case .failed(let why) = relay.opened.delivery.outcome else {
            return Response(status: 502)
        }
        return Self.response(to: why, exchange: relay.id)
    }

    private static func response(to why: TransportFailure, exchange: String) -> Response {
        let isLate = why.kind == .timeout
        return Problem(
            status: isLate ? 504 : 502, code: "no-answer",
            title: isLate
                ? "The backend did not answer in time"
                : why.kind == .invalidAnswer
                    ? "The backend's answer cannot be handed on" : "The backend could not be asked",
            detail: "\(why.detail) This is Foyer's answer, not the backend's.",
            headers: ["X-Foyer-Error": why.kind.rawValue, "X-Foyer-Exchange": exchange]
        ).response
    }
}
