import Apps
import Web

/// Face ID and Touch ID: the prompt, its answer, and what a match opens.
extension Runner {
    /// What asking the sensor came to.
    enum Sensed {
        case passed
        case cancelled
        case stopped(Trouble)
    }

    /// Before the prompt is shown: what was typed behind it stays.
    func prompt(
        _ place: Place, _ app: App, _ screen: Screen, _ action: Action, form: [String: String]
    ) async throws -> Outcome {
        let facts = try await facts(place, app)
        try facts.check(action, of: screen)
        if let other = try await goElsewhere(facts, to: screen) {
            return Outcome(screen: other, succeeded: false)
        }
        let typed = Typed(form, of: action, on: screen, facts.shown.values)
        cupboard.show(place, life: facts.shown.life) { shown in
            shown.clearMessages()
            shown.values = typed.harmless
        }
        return Outcome(screen: screen.id, succeeded: true)
    }

    /// The answer given at the prompt, or the device's own; a match fills in
    /// what only the sensor opens.
    func ask(
        _ biometric: Action.Biometric, _ given: Device.Biometrics.Result?, _ facts: Facts,
        _ run: inout Run
    ) -> Sensed {
        let sensor = facts.device.biometrics
        switch sensor.isReady ? given ?? sensor.next : .noMatch {
        case .cancel: return .cancelled
        case .noMatch: return .stopped(Trouble(kind: "sensor", message: biometric.failed))
        case .match: break
        }
        guard let name = biometric.fill else { return .passed }
        guard run.fill(from: facts.kept.items[name]) else {
            let words = facts.variables().fill(biometric.missing ?? "")
            return .stopped(Trouble(kind: "nothingKept", message: words))
        }
        return .passed
    }
}

extension Run {
    /// The fields of these names together; nil if one of them is empty.
    func typed(_ names: [String]) -> JSON? {
        var members: [JSON.Member] = []
        for name in names {
            guard let value = fields[name], value.text?.isEmpty == false else { return nil }
            members.append(JSON.Member(name, value))
        }
        return .object(members)
    }

    /// Fills the fields in from what `typed` made of them; false if there is
    /// nothing of the kind.
    fileprivate mutating func fill(from item: Item?) -> Bool {
        guard case .object(let members)? = item?.json, !members.isEmpty else { return false }
        let secret = app.passwordFields
        for member in members {
            fields[member.name] = member.value
            if secret.contains(member.name), let text = member.value.text { passwords.append(text) }
        }
        return true
    }
}
