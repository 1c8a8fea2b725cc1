extension Condition {
    /// Conditions that belong together under one name, turned on at once.
    package struct Named: Sendable, Equatable {
        package var id: String
        package var name: String
        /// What happens, in a sentence.
        package var text: String
        package var drafts: [Draft]
    }

    /// The sets there are: data, in the order they are offered.
    package static let sets: [Named] = [
        Named(
            id: "tunnel", name: "Tunnel", text: "Offline for 3 calls, as on a train.",
            drafts: [Draft(.offline, times: 3)]),
        Named(
            id: "lost-answer", name: "Lost answer",
            text: "The backend does its work; the answer to the next call is lost.",
            drafts: [.lostAnswer]),
        Named(
            id: "slow-server", name: "Slow server", text: "Every call takes 3 s longer.",
            drafts: [Draft(.slow, delay: 3)]),
        Named(
            id: "broken-server", name: "Broken server",
            text: "The next 3 calls are answered with 503.",
            drafts: [Draft(.status, times: 3, status: 503)]),
        Named(
            id: "rate-limited", name: "Rate limited",
            text: "The next call is answered with 429 and Retry-After: 30.",
            drafts: [Draft(.rateLimited, times: 1, retryAfter: 30)]),
        Named(
            id: "silent-refresh", name: "Silent refresh",
            text: "The next call carries an expired access token.",
            drafts: [Draft(.accessTokenExpired, times: 1)]),
        Named(
            id: "session-killer", name: "Session killer",
            text: "The access token has expired, and the refresh token was used before.",
            drafts: [Draft(.accessTokenExpired, times: 1), Draft(.refreshTokenReused, times: 1)]),
        Named(
            id: "mail-lost", name: "Mail lost", text: "The next mail is sent and never arrives.",
            drafts: [Draft(.mailLost, times: 1)]),
        Named(
            id: "late-code", name: "Late code",
            text: "The next code that is typed has just expired.",
            drafts: [Draft(.codeExpired, times: 1)]),
        Named(
            id: "locked-out", name: "Locked out",
            text: "The next right password meets a locked account.",
            drafts: [Draft(.accountLocked, times: 1)]),
    ]

    package static func set(_ id: String) -> Named? { sets.first { $0.id == id } }
}
