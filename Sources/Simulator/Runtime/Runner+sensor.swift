import Apps
import Web

/// Face ID and Touch ID: the prompt, its answer, and what a match opens.
extension Runner {
    /// What asking the sensor came to.
    enum SensorResult {
        case passed
        case cancelled
        case failed(CallFailure)
    }

    /// Before the prompt is shown: what was typed behind it stays.
    func preparePrompt(
        _ instance: AppInstance, _ app: App, _ screen: Screen, _ action: Action,
        form: [String: String]
    ) async throws -> ActionResult {
        let context = try await context(instance, app)
        try context.checkAvailability(of: action, on: screen)
        if let other = try await redirectIfNeeded(context, to: screen) {
            return ActionResult(screen: other, succeeded: false)
        }
        let typed = FormInput(form, of: action, on: screen, context.transient.fieldValues)
        stateStore.updateTransient(instance, launchID: context.transient.launchID) { transient in
            transient.clearMessages()
            transient.fieldValues = typed.nonSecretValues
        }
        return ActionResult(screen: screen.id, succeeded: true)
    }

    /// The answer given at the prompt, or the device's own; a match fills in
    /// what only the sensor opens.
    func evaluateSensor(
        _ biometric: Action.BiometricCheck, _ given: Device.Biometrics.Result?,
        _ context: ActionContext,
        _ run: inout ActionRun
    ) -> SensorResult {
        let sensor = context.device.biometrics
        switch sensor.isReady ? given ?? sensor.nextResult : .noMatch {
        case .cancel: return .cancelled
        case .noMatch:
            return .failed(CallFailure(kind: "sensor", message: biometric.failureMessage))
        case .match: break
        }
        guard let name = biometric.storageKey else { return .passed }
        guard run.fillFields(from: context.persisted.items[name]) else {
            let words = context.variables().fill(biometric.missingMessage ?? "")
            return .failed(CallFailure(kind: "nothingKept", message: words))
        }
        return .passed
    }
}

extension ActionRun {
    /// The fields of these names together; nil if one of them is empty.
    func fieldsObject(_ names: [String]) -> JSON? {
        var members: [JSON.Member] = []
        for name in names {
            guard let value = fields[name], value.scalarText?.isEmpty == false else { return nil }
            members.append(JSON.Member(name, value))
        }
        return .object(members)
    }

    /// Fills the fields in from what `typed` made of them; false if there is
    /// nothing of the kind.
    fileprivate mutating func fillFields(from item: StorageItem?) -> Bool {
        guard case .object(let members)? = item?.json, !members.isEmpty else { return false }
        let secret = app.passwordFields
        for member in members {
            fields[member.name] = member.value
            if secret.contains(member.name), let text = member.value.scalarText {
                passwords.append(text)
            }
        }
        return true
    }
}
