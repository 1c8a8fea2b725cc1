import Apps
import Web

/// The transient state as one JSON value for snapshots, without passwords and running actions.
extension TransientAppState {
    func snapshotJSON(of app: App) -> JSON {
        let secrets = app.passwordFields
        func encode(_ texts: [String: String]) -> JSON {
            .object(
                texts.filter { !secrets.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    .init($0.key, .string($0.value))
                })
        }
        func encode(_ values: [String: JSON]) -> JSON {
            .object(
                values.filter { !secrets.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    .init($0.key, $0.value)
                })
        }
        return [
            "held": encode(capturedValues),
            "remembered": encode(rememberedValues.mapValues { encode($0) }),
            "values": encode(fieldValues), "fieldErrors": encode(fieldErrors),
            "failure": failure.map { failure in
                [
                    "message": .string(failure.message),
                    "title": JSON(failure.title),
                    "show": .string(failure.presentation.rawValue),
                    "exchange": JSON(failure.exchange),
                ]
            } ?? .null, "notice": JSON(notice),
            "alert": alert.map { alert in
                [
                    "title": JSON(alert.title), "text": .string(alert.text),
                    "ok": .string(alert.buttonLabel), "go": JSON(alert.targetScreen),
                ]
            } ?? .null, "bypass": .bool(isSessionBypassed),
            "answered": .array(completedCalls.sorted().map(JSON.string)),
        ]
    }

    /// Restores the state from `json`; the launch id stays.
    mutating func restore(from json: JSON) {
        capturedValues = Self.parseMembers(json["held"])
        rememberedValues = Self.parseMembers(json["remembered"]).mapValues { Self.parseMembers($0) }
        fieldValues = Self.parseMembers(json["values"]).compactMapValues(\.string)
        fieldErrors = Self.parseMembers(json["fieldErrors"]).compactMapValues(\.string)
        if let failure = json["failure"], failure != .null {
            self.failure = AppStatus.Failure(
                message: failure["message"]?.string ?? "", title: failure["title"]?.string,
                presentation: failure["show"]?.string.flatMap(
                    Action.FailureHandling.Presentation.init) ?? .inline,
                exchange: failure["exchange"]?.string)
        }
        notice = json["notice"]?.string
        if let alert = json["alert"], alert != .null {
            self.alert = AppStatus.Alert(
                title: alert["title"]?.string, text: alert["text"]?.string ?? "",
                buttonLabel: alert["ok"]?.string ?? "", targetScreen: alert["go"]?.string)
        }
        isSessionBypassed = json["bypass"]?.bool ?? false
        if case .array(let calls)? = json["answered"] {
            completedCalls = Set(calls.compactMap(\.string))
        }
    }

    private static func parseMembers(_ json: JSON?) -> [String: JSON] {
        guard case .object(let members)? = json else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}
