/// What the last stretch of a walk did where nobody sees it; the property
/// `behind` of a step (`walkthrough/behind`).
struct WalkBehindModel: Encodable, Sendable {
    var csrf: String
    /// POST: goes into the walk's workspace, where its calls are.
    var enterAction: String
    var anyCalls: Bool
    var calls: [CallRow]
    /// Calls of the stretch that are not shown; nil for none.
    var more: String?
    var trafficURL: String
    /// Nil while no mail is caught.
    var mail: MailRow?
    var anyStored: Bool
    var stored: [Stored]

    struct CallRow: Encodable, Sendable {
        var method: String
        /// Below the backend's base.
        var path: String
        var status: String
        var statusTone: String
        var total: String
        var href: String
    }

    struct MailRow: Encodable, Sendable {
        var subject: String
        /// `caught 6 s ago`, `used`.
        var caught: String
        var caughtAt: String
        /// POST: opens its link; nil for one without, and for one used.
        var openAction: String?
        /// Nil for a mail without one, and for one used.
        var code: String?
        var sizesAsked: String
    }

    struct Stored: Encodable, Sendable {
        var key: String
        /// `keychain`, `defaults`.
        var area: String
    }
}
