/// What the last stretch of a walk did where nobody sees it; the property
/// `behind` of a step (`walkthrough/behind`).
struct WalkthroughActivityModel: Encodable, Sendable {
    var csrf: String
    /// POST: goes into the walk's workspace, where its calls are.
    var switchWorkspaceAction: String
    var anyCalls: Bool
    var calls: [CallRow]
    /// Calls of the stretch that are not shown; nil for none.
    var moreCallsText: String?
    var trafficURL: String
    /// Nil while no mail is caught.
    var mail: MailRow?
    var anyStoredItems: Bool
    var storedItems: [StoredItem]

    struct CallRow: Encodable, Sendable {
        var method: String
        /// Below the backend's base.
        var path: String
        var status: String
        var statusTone: String
        var durationText: String
        var href: String
    }

    struct MailRow: Encodable, Sendable {
        var subject: String
        /// `caught 6 s ago`, `used`.
        var receivedText: String
        var receivedAt: String
        /// POST: opens its link; nil for one without, and for one used.
        var openLinkAction: String?
        /// Nil for a mail without one, and for one used.
        var code: String?
        var sizesParameter: String
    }

    struct StoredItem: Encodable, Sendable {
        var key: String
        /// `keychain`, `defaults`.
        var area: String
    }
}
