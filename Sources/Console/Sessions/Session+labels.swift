import Core
import Inspection
import Simulator
import Web

extension Session {
    /// The email address, else the user's id, else the device.
    var userLabel: String {
        email ?? userID.map { "User \(Format.shortID($0))" } ?? "Device \(Format.shortID(device))"
    }

    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}

extension Session.State {
    /// `Active`, `Signed out`.
    var label: String { self == .signedOut ? "Signed out" : rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .active: .ok
        case .expired: .warn
        case .revoked: .bad
        case .signedOut: .neutral
        }
    }
}

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
