extension Fault {
    /// A named set of faults that are turned on together.
    package struct Preset: Sendable, Equatable {
        package var id: String
        package var name: String
        /// One sentence on what happens.
        package var summary: String
        package var drafts: [Draft]
    }

    /// All presets, in display order.
    package static let presets: [Preset] = [
        Preset(
            id: "tunnel", name: "Tunnel", summary: "Offline for 3 calls, as on a train.",
            drafts: [Draft(.offline, times: 3)]),
        Preset(
            id: "lost-answer", name: "Lost answer",
            summary: "The backend does its work; the answer to the next call is lost.",
            drafts: [.dropResponse]),
        Preset(
            id: "slow-server", name: "Slow server", summary: "Every call takes 3 s longer.",
            drafts: [Draft(.slow, delay: 3)]),
        Preset(
            id: "broken-server", name: "Broken server",
            summary: "The next 3 calls are answered with 503.",
            drafts: [Draft(.status, times: 3, status: 503)]),
        Preset(
            id: "rate-limited", name: "Rate limited",
            summary: "The next call is answered with 429 and Retry-After: 30.",
            drafts: [Draft(.rateLimited, times: 1, retryAfter: 30)]),
        Preset(
            id: "silent-refresh", name: "Silent refresh",
            summary: "The next call carries an expired access token.",
            drafts: [Draft(.accessTokenExpired, times: 1)]),
        Preset(
            id: "session-killer", name: "Session killer",
            summary: "The access token has expired, and the refresh token was used before.",
            drafts: [Draft(.accessTokenExpired, times: 1), Draft(.refreshTokenReused, times: 1)]),
        Preset(
            id: "mail-lost", name: "Mail lost", summary: "The next mail is sent and never arrives.",
            drafts: [Draft(.mailLost, times: 1)]),
        Preset(
            id: "late-code", name: "Late code",
            summary: "The next code that is typed has just expired.",
            drafts: [Draft(.codeExpired, times: 1)]),
        Preset(
            id: "locked-out", name: "Locked out",
            summary: "The next right password meets a locked account.",
            drafts: [Draft(.accountLocked, times: 1)]),
    ]

    package static func preset(_ id: String) -> Preset? { presets.first { $0.id == id } }
}
