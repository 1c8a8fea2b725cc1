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
            id: "offline", name: "Offline ×3", summary: "The next 3 requests have no network.",
            drafts: [Draft(.offline, times: 3)]),
        Preset(
            id: "responseLost", name: "Response lost",
            summary: "The backend processes the next request; the response is lost.",
            drafts: [.dropResponse]),
        Preset(
            id: "slowServer", name: "Slow server", summary: "Every request takes 3 s longer.",
            drafts: [Draft(.slow, delay: 3)]),
        Preset(
            id: "serverError", name: "503 ×3", summary: "The next 3 requests get status 503.",
            drafts: [Draft(.status, times: 3, status: 503)]),
        Preset(
            id: "rateLimited", name: "Rate limited",
            summary: "The next request gets status 429 and Retry-After: 30.",
            drafts: [Draft(.rateLimited, times: 1, retryAfter: 30)]),
        Preset(
            id: "expiredToken", name: "Expired access token",
            summary: "The next request is sent with an expired access token.",
            drafts: [Draft(.accessTokenExpired, times: 1)]),
        Preset(
            id: "tokenTheft", name: "Token theft",
            summary: "The access token is expired, and the refresh token was already used.",
            drafts: [Draft(.accessTokenExpired, times: 1), Draft(.refreshTokenReused, times: 1)]),
        Preset(
            id: "mailLost", name: "Mail lost",
            summary: "The next message is sent but not delivered.",
            drafts: [Draft(.mailLost, times: 1)]),
        Preset(
            id: "expiredCode", name: "Expired code",
            summary: "The next correct code is rejected as expired.",
            drafts: [Draft(.codeExpired, times: 1)]),
        Preset(
            id: "accountLocked", name: "Account locked",
            summary: "The next correct password is rejected: the account is locked.",
            drafts: [Draft(.accountLocked, times: 1)]),
    ]

    package static func preset(_ id: String) -> Preset? { presets.first { $0.id == id } }
}
