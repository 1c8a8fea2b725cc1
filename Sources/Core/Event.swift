package import FoundationEssentials

/// One entry of a workspace's live timeline.
///
/// Immutable; a class, because events are passed to many: thousands are searched for a page.
package final class Event: Sendable {
    /// Sequence number in the workspace, from 1, never reused; set by the hub, like the time.
    package let id: Int64
    package let at: Date
    package let workspace: String
    package let kind: Kind
    /// The app it happened in, if any.
    package let app: String?
    /// The device it happened on, if any.
    package let device: String?
    /// The event that caused this one.
    package let cause: Int64?
    /// The id of its subject, by `kind`: an exchange, a session, a mail, a storage key or a screen.
    package let subject: String?
    /// A sentence for the user; contains no secret.
    package let title: String
    /// Additional values by camelCase name; contain no secret.
    package let details: [String: String]

    package init(
        id: Int64 = 0, at: Date = .distantPast, workspace: String, kind: Kind, app: String? = nil,
        device: String? = nil, cause: Int64? = nil, subject: String? = nil, title: String,
        details: [String: String] = [:]
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

    /// The draft as the hub publishes it.
    init(_ draft: Event, id: Int64, at: Date) {
        self.id = id
        self.at = at
        workspace = draft.workspace
        kind = draft.kind
        app = draft.app
        device = draft.device
        cause = draft.cause
        subject = draft.subject
        title = draft.title
        details = draft.details
    }

    /// The kind of event; the raw value is the SSE `event` field.
    package enum Kind: String, Sendable, CaseIterable {
        /// The app was started cold; causes the events of its launch table.
        case appLaunched = "app.launched"
        /// The app was killed; values that were not stored are lost.
        case appKilled = "app.killed"
        /// The app went to the background, where it makes no calls.
        case appBackgrounded = "app.backgrounded"
        /// The app returned to the foreground; causes the loads of its screen.
        case appForegrounded = "app.foregrounded"
        /// The device now shows the screen `subject`.
        case screenShown = "screen.shown"
        /// An action was submitted; causes its validation errors, exchanges and writes.
        case actionSubmitted = "action.submitted"
        /// A field's rule failed, so nothing was sent.
        case ruleFailed = "rule.failed"
        /// A call's failure is shown to the user.
        case actionFailed = "action.failed"
        /// The exchange `subject` ended, with or without a response.
        case exchangeEnded = "exchange.ended"
        /// Recorded exchanges were deleted: all of them, or as many as `count` says.
        case exchangesCleared = "exchanges.cleared"
        /// Recording was paused or resumed.
        case recordingChanged = "recording.changed"
        /// Exchanges were imported from an archive; `subject` is the last of them.
        case exchangesImported = "exchanges.imported"
        /// The storage key `subject` was written.
        case storageWritten = "storage.written"
        /// The storage key `subject` was deleted.
        case storageDeleted = "storage.deleted"
        /// The user revealed the unmasked value of the storage key `subject`.
        case storageRevealed = "storage.revealed"
        /// The session `subject` began.
        case sessionBegan = "session.began"
        /// The session `subject` changed: refreshed, expired manually …
        case sessionChanged = "session.changed"
        /// The session `subject` ended.
        case sessionEnded = "session.ended"
        /// The embedded backend sent the mail `subject`.
        case mailReceived = "mail.received"
        /// A link or code of the mail `subject` was used.
        case mailUsed = "mail.used"
        /// The mail `subject`, or without a subject all mail, was marked as read or unread.
        case mailChanged = "mail.changed"
        /// The mail `subject` was deleted.
        case mailDeleted = "mail.deleted"
        /// The mailbox was cleared.
        case mailboxCleared = "mailbox.cleared"
        /// The account `subject` of the embedded backend was added manually; without a subject,
        /// many.
        case accountAdded = "account.added"
        /// The account `subject` was changed manually.
        case accountChanged = "account.changed"
        /// The account `subject` was deleted manually.
        case accountRemoved = "account.removed"
        /// The snapshot `subject` was created.
        case snapshotCreated = "snapshot.created"
        /// The snapshot `subject` was restored.
        case snapshotRestored = "snapshot.restored"
        /// The snapshot `subject` was deleted.
        case snapshotRemoved = "snapshot.removed"
        /// An app on a device was restored to its state at the event `subject`.
        case stateRestored = "state.restored"
        /// The device `subject` was created or changed.
        case deviceChanged = "device.changed"
        /// The device `subject` was deleted.
        case deviceRemoved = "device.removed"
        /// The fault `subject` was applied to the exchange of its cause.
        case faultApplied = "fault.applied"
        /// The fault `subject` was added or ended.
        case faultChanged = "fault.changed"
        /// The exchange `subject` was paused by a rule.
        case exchangePaused = "exchange.paused"
        /// The paused exchange `subject` continued, was aborted or ended.
        case exchangeContinued = "exchange.continued"
        /// The rule `subject` was added, changed or deleted.
        case ruleChanged = "rule.changed"
        /// A switch of the embedded backend's contract `subject` was turned on or off.
        case backendChanged = "backend.changed"
        /// Manifests or templates were reloaded.
        case appsReloaded = "apps.reloaded"
        /// The workspace's clock was adjusted, frozen or reset.
        case clockChanged = "clock.changed"
        /// The workspace was reset.
        case workspaceReset = "workspace.reset"
    }
}
