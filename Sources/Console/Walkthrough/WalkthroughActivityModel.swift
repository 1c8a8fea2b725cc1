/// The network activity of a walkthrough's last navigation (`walkthrough/activity`).
struct WalkthroughActivityModel: Encodable, Sendable {
    /// POST: switches to the walkthrough's workspace.
    var switchWorkspaceAction: String
    var anyCalls: Bool
    var calls: [CallRow]
    /// The number of calls not shown; nil for none.
    var moreCallsText: String?
    var trafficURL: String
    /// Nil if no mail was received.
    var mail: MailRow?
    var anyStoredItems: Bool
    var storedItems: [StoredItem]

    struct CallRow: Encodable, Sendable {
        var method: String
        /// Relative to the backend's base.
        var path: String
        var status: String
        var statusTone: String
        var durationText: String
        var href: String
    }

    struct MailRow: Encodable, Sendable {
        var subject: String
        /// `Received 6 s ago`, `Used`.
        var receivedText: String
        var receivedAt: String
        /// POST: opens its link; nil if it has none or was used.
        var openLinkAction: String?
        /// Nil if it has none or was used.
        var code: String?
        var sizesParameter: String
    }

    struct StoredItem: Encodable, Sendable {
        var key: String
        /// `keychain`, `defaults`.
        var area: String
    }
}
