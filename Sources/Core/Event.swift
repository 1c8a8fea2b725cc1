package import FoundationEssentials

/// One line of a workspace's live timeline.
package struct Event: Sendable, Equatable {
    /// Its place in the workspace's order, from 1, never reused.
    package let id: Int64
    package let at: Date
    package let workspace: String
    package let kind: Kind
    /// The app it happened in, when it happened in one.
    package let app: String?
    /// The device it happened on, when it happened on one.
    package let device: String?
    /// The event that led to this one, so that causes can be drawn.
    package let cause: Int64?
    /// The identifier of what it speaks of: an exchange, a session, a mail, a
    /// storage key or a screen, by `kind`.
    package let subject: String?
    /// A sentence for a person; holds no secret.
    package let title: String
    /// Further facts by camelCase name; hold no secret.
    package let details: [String: String]

    package init(
        id: Int64, at: Date, workspace: String, kind: Kind, app: String?, device: String?,
        cause: Int64?, subject: String?, title: String, details: [String: String]
    ) {
        self.id = id
        self.at = at
        self.workspace = workspace
        self.kind = kind
        self.app = app
        self.device = device
        self.cause = cause
        self.subject = subject
        self.title = title
        self.details = details
    }

    /// What kind of thing happened; the raw value is the SSE `event` field.
    package enum Kind: String, Sendable, CaseIterable {
        /// The app was started cold; cause of what its launch table did.
        case appLaunched = "app.launched"
        /// The app was killed; what was not stored is lost.
        case appKilled = "app.killed"
        /// The device now shows the screen `subject`.
        case screenShown = "screen.shown"
        /// An action was submitted; cause of its rules, exchanges, writes.
        case actionSubmitted = "action.submitted"
        /// A field's rule failed, so nothing was sent.
        case ruleFailed = "rule.failed"
        /// A call's failure is shown to the user.
        case actionFailed = "action.failed"
        /// The exchange `subject` ended, with an answer or without one.
        case exchangeEnded = "exchange.ended"
        /// The recorded traffic was forgotten.
        case exchangesCleared = "exchanges.forgotten"
        /// Exchanges were taken from an archive, `subject` the last of them.
        case exchangesImported = "exchanges.imported"
        /// The storage key `subject` was written.
        case storageWritten = "storage.written"
        /// The storage key `subject` was deleted.
        case storageDeleted = "storage.deleted"
        /// Someone asked for the whole value of the storage key `subject`.
        case storageRevealed = "storage.revealed"
        /// The session `subject` began.
        case sessionBegan = "session.began"
        /// The session `subject` changed: refreshed, expired by hand …
        case sessionChanged = "session.changed"
        /// The session `subject` ended.
        case sessionEnded = "session.ended"
        /// The embedded backend sent the mail `subject`.
        case mailReceived = "mail.caught"
        /// A link or code of the mail `subject` was used.
        case mailUsed = "mail.used"
        /// The mailbox was emptied.
        case mailboxCleared = "mail.forgotten"
        /// The account `subject` of the embedded backend was added by hand;
        /// without a subject, many.
        case accountAdded = "account.added"
        /// The account `subject` was changed by hand.
        case accountChanged = "account.changed"
        /// The account `subject` was deleted by hand.
        case accountRemoved = "account.removed"
        /// The snapshot `subject` was taken.
        case snapshotCreated = "snapshot.taken"
        /// The snapshot `subject` was put back.
        case snapshotRestored = "snapshot.restored"
        /// The snapshot `subject` was deleted.
        case snapshotRemoved = "snapshot.removed"
        /// An app on a device was put back to the event `subject`.
        case stateRestored = "moment.restored"
        /// The device `subject` was made or changed.
        case deviceChanged = "device.changed"
        /// The condition `subject` struck the exchange of its cause.
        case faultApplied = "condition.applied"
        /// The condition `subject` was made or ended.
        case faultChanged = "condition.changed"
        /// Manifests or templates were read again.
        case appsReloaded = "apps.read"
        /// The workspace's clock was moved, frozen or set back.
        case clockChanged = "clock.changed"
        /// The workspace was emptied.
        case workspaceReset = "workspace.reset"
    }
}
