import Apps
import Core

extension EventHub {
    /// The events that told of a change.
    struct PublishedEvents: Sendable {
        var firstEvent: Int64?
        var lastEvent: Int64?
        /// Of the screen, if one is shown anew.
        var screenEvent: Int64?
    }

    /// Tells what a change of what is kept came to, after its commit.
    func publishDiff(
        _ change: StateDiff, from old: PersistedAppState, to new: PersistedAppState, app: App,
        cause: Int64?
    )
        -> PublishedEvents
    {
        let instance = change.instance
        var told = PublishedEvents()
        @discardableResult func tell(
            _ kind: Event.Kind, _ subject: String, _ title: String,
            _ details: [String: String] = [:]
        ) -> Int64 {
            let id = publish(
                EventDraft(
                    workspace: instance.workspace, kind: kind, app: instance.app,
                    device: instance.device,
                    cause: cause, subject: subject, title: title, details: details)
            ).id
            told.firstEvent = told.firstEvent ?? id
            told.lastEvent = id
            return id
        }
        for item in change.deletedItems {
            tell(.storageDeleted, item.key, "\(item.key) deleted", ["area": item.area.rawValue])
        }
        for item in change.writtenItems {
            tell(
                .storageWritten, item.key, "\(item.key) written",
                ["area": item.area.rawValue, "bytes": String(item.value.utf8.count)])
        }
        if let session = change.sessionChange.endedSession {
            tell(
                .sessionEnded, session.id,
                session.state == .revoked ? "Session lost" : "Signed out",
                ["state": session.state.rawValue])
        }
        if let session = change.sessionChange.startedSession {
            tell(
                .sessionBegan, session.id, session.email.map { "Signed in as \($0)" } ?? "Signed in"
            )
        }
        if let session = change.sessionChange.changedSession {
            let moment = change.sessionChange.historyEntries.last?.moment
            tell(
                .sessionChanged, session.id,
                moment?.title ?? "More is known of whose session it is",
                ["kind": moment?.kind ?? "named", "generation": String(new.accessTokenGeneration)])
        }
        if change.isScreenShown {
            told.screenEvent = tell(
                .screenShown, new.screen, "\(new.screen) shown", ["from": old.screen])
        }
        return told
    }
}
