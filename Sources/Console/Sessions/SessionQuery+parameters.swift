import Core
import Inspection
import Simulator
import Web

/// The filters of a list of sessions, as URL parameters of the API and the page.
extension SessionQuery {
    /// A query whose workspace is not set.
    init(_ query: inout QueryReader) {
        self.init(workspace: "")
        app = query.string("app", "An app's id.")
        device = query.string("device", "A device's id.")
        backend = query.string("backend", "A backend's id.")
        state = query.choice("state", "The current state.", of: Session.State.self)
        let outOfSync = query.choice(
            "outOfSync",
            "Only sessions with mismatches at their last check: \(Discrepancy.countingRule)",
            among: ["true"])
        isOutOfSync = outOfSync != nil
        text = query.string("q", "Words in user, device or claims, each a prefix.")?.nonEmpty
    }

    /// Reads the page's filters, whose names were already checked.
    init(_ queryParameters: [String: String], in workspace: String) throws(Problem) {
        var reader = QueryReader(queryParameters)
        self.init(&reader)
        try reader.finish()
        self.workspace = workspace
    }
}
