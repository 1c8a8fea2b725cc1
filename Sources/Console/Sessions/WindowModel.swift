import FoundationEssentials
import Simulator
import Web

/// The access tokens of a sign-in whose own end has not come: a backend that
/// looks only at signature and end would still take them.
struct WindowModel: Encodable, Sendable {
    /// `Access tokens not yet over`, or that they were refused.
    var title: String
    var text: String
    var anyLiving: Bool
    var living: [Living]

    struct Living: Encodable, Sendable {
        /// `Generation 2`, `Generation 3b, the other tab's`.
        var name: String
        var masked: String
        var testID: String
        var countdown: CountdownModel?
        /// That its backend refused it, so that its own end counts no more.
        var refused: ChipModel?
        /// `until 14:39:02`, `no end told`.
        var until: String
        /// POST; nil where the app has no call that would tell.
        var askAction: String?
        /// Its number among the kept tokens; empty for the stored one.
        var number: String
        var heard: ProbeModel?
    }

    /// `now` is the workspace's time, `real` the one answers are dated by.
    init(
        _ tokens: [LivingToken], isOver: Bool, probeAction: String?, probes: [String: Answered],
        now: Date, real: Date
    ) {
        anyLiving = !tokens.isEmpty
        let refused = Set(probes.filter { $0.value.isAccepted == false }.keys)
        let open = tokens.filter { !refused.contains($0.held.masked) }
        title =
            tokens.isEmpty || !open.isEmpty
            ? "Access tokens not yet over" : "Access tokens refused before their end"
        text =
            tokens.isEmpty
            ? (isOver
                ? "None of this sign-in is left whose own end has not come."
                : "None but the one on the phone.")
            : open.isEmpty
                ? "The backend refused " + (tokens.count == 1 ? "it" : "each of them")
                    + " when it was asked: it does not look at signature and end alone."
                : (isOver
                    ? "The session is over, but these carry their own end. "
                    : "A refresh replaces a token, it does not end it. ")
                    + "A backend that looks only at signature and end takes "
                    + "\(open.count == 1 ? "one" : "them") until then."
        living = tokens.map { token in
            let held = token.held
            let isRefused = refused.contains(held.masked)
            return Living(
                name: token.name, masked: held.masked, testID: "session.window",
                countdown: isRefused
                    ? nil
                    : CountdownModel.life(
                        of: held, named: token.name, testID: "session.window.countdown", now: now),
                refused: isRefused
                    ? ChipModel(text: "refused", tone: .bad, chipIcon: "cross") : nil,
                until: held.expiresAt.map {
                    (isRefused ? "tells until " : "until ") + Words.moment($0)
                } ?? "no end told", askAction: probeAction,
                number: token.number.map { String($0) } ?? "",
                // Of the stored one the card above tells it.
                heard: token.number == nil
                    ? nil : probes[held.masked].map { ProbeModel($0, isOver: isOver, now: real) })
        }
    }
}

/// An access token whose end has not come.
struct LivingToken: Sendable {
    var name: String
    var held: Session.Held
    /// Among the kept tokens; nil for the stored one.
    var number: Int?

    /// Those of a session, the newest first; the stored one only once the
    /// session is over for the server.
    static func all(
        _ session: Session, kept: [KeptToken], generations: Generations, isOver: Bool,
        hasAccessToken: Bool, now: Date
    ) -> [LivingToken] {
        func lives(_ held: Session.Held) -> Bool { held.expiresAt.map { $0 > now } ?? isOver }
        var seen: Set<String> = []
        var living: [LivingToken] = []
        if let held = session.accessToken, lives(held), hasAccessToken {
            seen.insert(held.masked)
            if isOver { living.append(.init(name: "On the phone", held: held)) }
        }
        for token in kept.reversed()
        where token.kind == .access && lives(token.held) && seen.insert(token.held.masked).inserted
        {
            living.append(
                .init(name: generations.title(of: token), held: token.held, number: token.number))
        }
        return living
    }
}
