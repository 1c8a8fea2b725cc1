import Core
import Simulator
import Web

/// The filters of a list of sessions, as URL parameters.
extension SessionQuery {
    /// Reads a list's filters from the URL of the API or the page.
    init(_ queryParameters: [String: String], in workspace: String) throws(Problem) {
        self.init(workspace: workspace)
        app = queryParameters["app"]
        device = queryParameters["device"]
        backend = queryParameters["backend"]
        text = queryParameters["q"]?.nonEmpty
        state = try Session.State.queryValue("state", in: queryParameters)
        if let word = queryParameters["outOfSync"] {
            guard word == "true" else { throw .badParameter("outOfSync", "must be true") }
            isOutOfSync = true
        }
    }
}
