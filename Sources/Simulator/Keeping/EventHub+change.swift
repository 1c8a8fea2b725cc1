import Apps
import Surroundings

extension EventHub {
    /// The events that told of a change.
    struct Told: Sendable {
        var first: Int64?
        var last: Int64?
        /// Of the screen, if one is shown anew.
        var screen: Int64?
    }

    /// Tells what a change of what is kept came to, after its commit.
    func announce(_ change: KeptChange, from old: Kept, to new: Kept, app: App, cause: Int64?)
        -> Told
    {
        let place = change.place
        var told = Told()
        @discardableResult func tell(
            _ kind: Event.Kind, _ subject: String, _ title: String, _ facts: [String: String] = [:]
        ) -> Int64 {
            let id = publish(
                EventDraft(
                    workspace: place.workspace, kind: kind, app: place.app, device: place.device,
                    cause: cause, subject: subject, title: title, facts: facts)
            ).id
            told.first = told.first ?? id
            told.last = id
            return id
        }
        for item in change.deletedKeys {
            tell(.forgotten, item.key, "\(item.key) deleted", ["area": item.area.rawValue])
        }
        for item in change.writtenKeys {
            tell(
                .stored, item.key, "\(item.key) written",
                ["area": item.area.rawValue, "bytes": String(item.value.utf8.count)])
        }
        if let session = change.sessions.ended {
            tell(
                .sessionEnded, session.id,
                session.state == .revoked ? "Session lost" : "Signed out",
                ["state": session.state.rawValue])
        }
        if let session = change.sessions.began {
            tell(
                .sessionBegan, session.id, session.email.map { "Signed in as \($0)" } ?? "Signed in"
            )
        }
        if let session = change.sessions.changed {
            let moment = change.sessions.moments.last?.moment
            tell(
                .sessionChanged, session.id,
                moment?.title ?? "More is known of whose session it is",
                ["kind": moment?.kind ?? "named", "generation": String(new.generation)])
        }
        if change.isShownAnew {
            told.screen = tell(.screen, new.screen, "\(new.screen) shown", ["from": old.screen])
        }
        return told
    }
}
