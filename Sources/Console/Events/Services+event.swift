import Core
import Web

extension Services {
    /// The event with this id; throws a 404 problem if it is no longer stored.
    func event(_ text: String, in workspace: String) throws(Problem) -> Event {
        guard let id = Int64(text), id > 0,
            let event = hub.events(in: workspace, after: id - 1).first, event.id == id
        else {
            throw Problem(
                status: 404, code: "unknown-event", title: "There is no such event",
                detail: """
                    No event of this workspace that is still kept has the id \
                    \(text.prefix(40)).
                    """, apiHint: "GET /api/events?after=0 tells those that are.")
        }
        return event
    }
}
