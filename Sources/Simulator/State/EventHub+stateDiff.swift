import Apps
import Core

extension EventHub {
    /// The events of a change.
    struct PublishedEvents: Sendable {
        var firstEvent: Int64?
        var lastEvent: Int64?
        /// The event of the screen, if one was shown.
        var screenEvent: Int64?
    }

    /// Publishes the events of a persisted change, after its commit.
    func publishDiff(
        _ diff: StateDiff, from old: PersistedAppState, to new: PersistedAppState, app: App,
        cause: Int64?
    ) -> PublishedEvents {
        let instance = diff.instance
        var events = PublishedEvents()
        @discardableResult func publishEvent(
            _ kind: Event.Kind, _ subject: String, _ title: String,
            _ details: [String: String] = [:]
        ) -> Int64 {
            let id = publish(
                EventDraft(
                    workspace: instance.workspace, kind: kind, app: instance.app,
                    device: instance.device, cause: cause, subject: subject, title: title,
                    details: details)
            ).id
            events.firstEvent = events.firstEvent ?? id
            events.lastEvent = id
            return id
        }
        for item in diff.deletedItems {
            publishEvent(
                .storageDeleted, item.key, "\(item.key) deleted", ["area": item.area.rawValue])
        }
        for item in diff.writtenItems {
            publishEvent(
                .storageWritten, item.key, "\(item.key) written",
                ["area": item.area.rawValue, "bytes": String(item.value.utf8.count)])
        }
        if let session = diff.sessionChange.endedSession {
            publishEvent(
                .sessionEnded, session.id,
                session.state == .revoked ? "Session expired" : "Signed out",
                ["state": session.state.rawValue])
        }
        if let session = diff.sessionChange.startedSession {
            publishEvent(
                .sessionBegan, session.id, session.email.map { "Signed in as \($0)" } ?? "Signed in"
            )
        }
        if let session = diff.sessionChange.changedSession {
            let entry = diff.sessionChange.historyEntries.last?.moment
            publishEvent(
                .sessionChanged, session.id, entry?.title ?? "User details updated",
                ["kind": entry?.kind ?? "named", "generation": String(new.accessTokenGeneration)])
        }
        if diff.isScreenShown {
            events.screenEvent = publishEvent(
                .screenShown, new.screen, "\(new.screen) shown", ["from": old.screen])
        }
        return events
    }
}
