import Simulator

extension Session {
    /// Where it lives.
    var place: Place {
        Place(workspace: workspace, device: device, app: app)
    }

    /// Whom it is of: the address, else the user's id, else the device.
    var who: String {
        email ?? userID.map { "user \(Words.short($0))" }
            ?? "device \(Words.short(device))"
    }

    /// The dot's tone in lists.
    var tone: String {
        switch state {
        case .active: "ok"
        case .expired: "warn"
        case .revoked: "bad"
        case .signedOut: "none"
        }
    }

    var stateChip: ChipModel {
        let tone: ChipModel.Tone =
            switch state {
            case .active: .ok
            case .expired: .warn
            case .revoked: .bad
            case .signedOut: .neutral
            }
        return ChipModel(text: state.words, tone: tone)
    }
}

extension Session.State {
    /// `active`, `signed out`.
    var words: String {
        switch self {
        case .active: "active"
        case .expired: "expired"
        case .revoked: "revoked"
        case .signedOut: "signed out"
        }
    }
}

extension Words {
    /// A text of at most so many characters, shortened in the middle.
    static func middle(_ text: String, _ most: Int) -> String {
        guard text.count > most, most > 2 else { return text }
        let half = (most - 1) / 2
        return "\(text.prefix(most - 1 - half))…\(text.suffix(half))"
    }

    /// An identifier shortened in the middle: `8c1e…40f2`.
    static func short(_ id: String) -> String {
        let rest =
            id.firstIndex(of: "_").map { id[id.index(after: $0)...] }
            ?? id[...]
        return rest.count <= 9
            ? String(rest) : "\(rest.prefix(4))…\(rest.suffix(4))"
    }
}
