import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// A session's whole life as its page tells it: history, family, and what
/// of it still lives.
struct SessionLife {
    let family: FamilyModel
    let history: [SessionModel.Moment]
    let window: WindowModel
    /// POST; nil where the app has no call that would tell.
    let probeAction: String?
    let compareURL: String?

    init(services: Services, session: Session, evidence: Evidence) async throws {
        let simulator = services.simulator
        let app = evidence.app
        let now = evidence.now
        let moments = try await simulator.history(ofSession: session.id, in: session.workspace)
        let kept = try await simulator.keptTokens(ofSession: session.id, in: session.workspace)
        let truth = evidence.truth
        let generations = evidence.generations
        family = FamilyModel(
            Family(session, moments: moments, generations: generations, truth: truth), of: session,
            id: truth?.session?.id, generations: generations, canRefresh: evidence.hasRefreshToken,
            hasCall: app?.session.refresh.map {
                !(app?.lacks($0, backend: session.backend) ?? true)
            } ?? false)
        probeAction = app?.probe(of: session.backend).map { _ in Links.session(session.id, "probe")
        }
        let isOver = evidence.isOver
        let living = LivingToken.all(
            session, kept: kept, generations: generations, isOver: isOver,
            hasAccessToken: evidence.hasAccessToken, now: now)
        var probes: [String: Answered] = [:]
        for token in living {
            probes[token.held.masked] = simulator.lastProbe(
                ofSession: session.id, token: token.held.masked)
            // Of the stored one any call of the app's tells as well.
            if token.number == nil, let heard = evidence.heardNow {
                probes[token.held.masked] = heard
            }
        }
        window = WindowModel(
            living, isOver: isOver, probeAction: probeAction, probes: probes, now: now,
            real: services.world.now())
        history = Self.history(moments, truth)
        let olds = kept.filter { $0.kind == .access && $0.branch == .own }
        compareURL =
            olds.last.map { last in
                evidence.hasAccessToken
                    ? Links.compare(session.id, from: last.number, to: nil)
                    : olds.count > 1
                        ? Links.compare(
                            session.id, from: olds[olds.count - 2].number, to: last.number) : nil
            } ?? nil
    }

    /// What the device did, and what the server did without it.
    private static func history(_ moments: [SessionMoment], _ truth: Truth?) -> [SessionModel
        .Moment]
    {
        var lines: [(at: Date, text: String, tone: String, url: String?)] = moments.map { moment in
            (moment.at, moment.title, tone(moment.kind), moment.exchange.map { Links.exchange($0) })
        }
        if let known = truth?.session, let at = known.revokedAt {
            let why = known.revokedBecause.map { ": \($0)" } ?? ""
            lines.append((at, "Ended by the server\(why)", "bad", nil))
        }
        if let at = truth?.account?.emailVerifiedAt, let first = moments.first?.at, at >= first {
            lines.append((at, "E-mail verified at the server", "", nil))
        }
        if let at = truth?.account?.disabledAt {
            lines.append((at, "Account disabled at the server", "bad", nil))
        }
        return lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .reversed().map { index, line in
                SessionModel.Moment(
                    id: "h\(index)", at: line.at.iso8601, time: Words.clock(line.at),
                    text: line.text, tone: line.tone, momentURL: line.url)
            }
    }

    private static func tone(_ kind: String) -> String {
        if kind.hasSuffix(".refused") { return "bad" }
        switch kind {
        case "revoked": return "bad"
        case "expiredByHand", "edited": return "warn"
        default: return ""
        }
    }
}
