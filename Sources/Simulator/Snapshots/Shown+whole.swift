import Apps
import Web

/// What is shown as one JSON value, to be sealed and put back. No password
/// that was typed is in it, and nothing of what was under way.
extension Shown {
    func whole(of app: App) -> JSON {
        let secrets = app.passwordFields
        func told(_ texts: [String: String]) -> JSON {
            .object(
                texts.filter { !secrets.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    .init($0.key, .string($0.value))
                })
        }
        func told(_ values: [String: JSON]) -> JSON {
            .object(
                values.filter { !secrets.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    .init($0.key, $0.value)
                })
        }
        return [
            "held": told(held), "remembered": told(remembered.mapValues { told($0) }),
            "values": told(values), "fieldErrors": told(fieldErrors),
            "failure": failure.map { failure in
                [
                    "message": .string(failure.message),
                    "title": JSON(failure.title),
                    "show": .string(failure.show.rawValue),
                    "exchange": JSON(failure.exchange),
                ]
            } ?? .null, "notice": JSON(notice),
            "alert": alert.map { alert in
                [
                    "title": JSON(alert.title), "text": .string(alert.text),
                    "ok": .string(alert.ok), "go": JSON(alert.go),
                ]
            } ?? .null, "bypass": .bool(bypass),
            "answered": .array(answered.sorted().map(JSON.string)),
        ]
    }

    /// Shows what `json` says, in the life there is.
    mutating func take(whole json: JSON) {
        held = Self.members(json["held"])
        remembered = Self.members(json["remembered"]).mapValues { Self.members($0) }
        values = Self.members(json["values"]).compactMapValues(\.string)
        fieldErrors = Self.members(json["fieldErrors"]).compactMapValues(\.string)
        if let failure = json["failure"], failure != .null {
            self.failure = Situation.Failure(
                message: failure["message"]?.string ?? "", title: failure["title"]?.string,
                show: failure["show"]?.string.flatMap(Action.OnFailure.Show.init) ?? .inline,
                exchange: failure["exchange"]?.string)
        }
        notice = json["notice"]?.string
        if let alert = json["alert"], alert != .null {
            self.alert = Situation.Alert(
                title: alert["title"]?.string, text: alert["text"]?.string ?? "",
                ok: alert["ok"]?.string ?? "", go: alert["go"]?.string)
        }
        bypass = json["bypass"]?.bool ?? false
        if case .array(let calls)? = json["answered"] { answered = Set(calls.compactMap(\.string)) }
    }

    private static func members(_ json: JSON?) -> [String: JSON] {
        guard case .object(let members)? = json else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}
