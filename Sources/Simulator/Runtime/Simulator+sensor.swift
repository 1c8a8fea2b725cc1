import Apps
import Web

/// Face ID and Touch ID: the prompt, its result, and the items that a match unlocks.
extension Simulator {
    /// The result of a sensor check.
    enum SensorResult {
        case passed
        case cancelled
        case failed(CallFailure)
    }

    /// Stores the form's values before the action's prompt; throws if the device does not offer the
    /// action. A page that it opens ends with a redirect to `returnURL`.
    package func preparePrompt(
        _ instance: AppInstance, screen: String, action: String, form: [String: String],
        returnURL: String = ""
    ) async throws -> ActionResult {
        let (app, screen, action) = try findAction(action, on: screen, instance)
        let context = try await context(instance, app)
        try context.checkAvailability(of: action, on: screen)
        if let other = try await navigateOrRedirect(context, to: screen) {
            return ActionResult(screen: other, succeeded: false)
        }
        let input = FormInput(form, of: action, on: screen, context.transient.fieldValues)
        let page = action.browserPage.map {
            OpenedPage($0, screen, action, returnURL: returnURL, context, world)
        }
        stateStore.updateTransient(instance, launchID: context.transient.launchID) { transient in
            transient.clearMessages()
            transient.fieldValues = input.nonSecretValues
            transient.openedPage = page
        }
        return ActionResult(screen: screen.id, succeeded: true)
    }

    /// Uses the prompt's result, or the device's setting. A match fills the fields from the item
    /// that requires biometrics.
    func evaluateSensor(
        _ biometric: Action.BiometricCheck, _ promptResult: Device.Biometrics.Result?,
        _ context: ActionContext, _ run: inout ActionRun
    ) -> SensorResult {
        let sensor = context.device.biometrics
        switch sensor.isReady ? promptResult ?? sensor.nextResult : .noMatch {
        case .cancel: return .cancelled
        case .noMatch:
            return .failed(CallFailure(kind: "sensor", message: biometric.failureMessage))
        case .match: break
        }
        if biometric.unlocks { updateTransient(run) { $0.unlock(context.app) } }
        guard let name = biometric.storageKey else { return .passed }
        guard run.fillFields(from: context.persisted.items[name]) else {
            let message = context.variables().fill(biometric.missingMessage ?? "")
            return .failed(CallFailure(kind: "nothingKept", message: message))
        }
        return .passed
    }
}

extension ActionRun {
    /// The named fields as an object; nil if one of them is empty.
    func fieldsObject(_ names: [String]) -> JSON? {
        var members: [JSON.Member] = []
        for name in names {
            guard let value = fields[name], value.scalarText?.isEmpty == false else { return nil }
            members.append(JSON.Member(name, value))
        }
        return .object(members)
    }

    /// Fills the fields from an item that `fieldsObject` produced; false if there is none.
    fileprivate mutating func fillFields(from item: StorageItem?) -> Bool {
        guard case .object(let members)? = item?.json, !members.isEmpty else { return false }
        let passwordFields = app.passwordFields
        for member in members {
            fields[member.name] = member.value
            if passwordFields.contains(member.name), let text = member.value.scalarText {
                passwords.append(text)
            }
        }
        return true
    }
}
