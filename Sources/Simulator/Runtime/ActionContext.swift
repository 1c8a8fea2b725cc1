package import Apps
package import Web

/// The values of `{name}` on a device: settings, device variables, stored and remembered values,
/// captures, fields, each overriding the earlier ones.
struct ActionContext {
    let app: App
    let device: Device
    /// What the app can read: `stored` without its locked items.
    let persisted: PersistedAppState
    /// Everything that is stored.
    let stored: PersistedAppState
    let transient: TransientAppState
    let embeddedBackend: EmbeddedBackendAccess

    init(
        app: App, device: Device, stored: PersistedAppState, transient: TransientAppState,
        embeddedBackend: EmbeddedBackendAccess
    ) {
        self.app = app
        self.device = device
        self.stored = stored
        self.transient = transient
        self.embeddedBackend = embeddedBackend
        var readable = stored
        for key in stored.lockedKeys(of: app, transient) { readable.items[key] = nil }
        persisted = readable
    }

    /// The context after `stored` was changed.
    func after(_ stored: PersistedAppState) -> ActionContext {
        ActionContext(
            app: app, device: device, stored: stored, transient: transient,
            embeddedBackend: embeddedBackend)
    }

    var instance: AppInstance {
        AppInstance(workspace: device.workspace, device: device.id, app: app.id)
    }

    /// Variables for building calls and texts, tokens included.
    func variables(of run: ActionRun? = nil) -> Variables {
        let fields = run?.fields ?? [:]
        var values = settingValues
        values["device"] = device.manifestVariables
        for overriding in [availableValues(fields: fields), run?.captured ?? [:], fields] {
            values.merge(overriding) { $1 }
        }
        return Variables(values)
    }

    /// All stored, captured and remembered values by name, tokens included.
    func availableValues(fields: [String: JSON] = [:]) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for key in app.storage {
            // A constant counts under the name of its key.
            let name = key.capturedName ?? (key.value == nil ? nil : key.key)
            if let name, let item = persisted.items[key.key] { values[name] = item.json }
        }
        values.merge(transient.capturedValues) { $1 }
        let claims = isLocked(App.accessTokenName) ? nil : persisted.session?.accessToken?.claims
        for memory in app.memory where values[memory.name] == nil {
            let remembered = memory.perField.flatMap { field in
                let text = (fields[field] ?? values[field])?.scalarText ?? ""
                return transient.rememberedValues[memory.name]?[app.memoryKey(text, of: field)]
            }
            values[memory.name] =
                remembered ?? memory.claim.flatMap { claims?[$0] }
                ?? memory.defaultValue.map(JSON.string)
        }
        return values
    }

    /// The selected backend, or the manifest's first if that one was removed.
    var backend: String { backendManifest?.id ?? "" }

    /// Base URL of calls: the custom one, else the manifest's.
    var baseURL: String {
        if let customURL = persisted.customBackends[backend]?.baseURL { return customURL }
        return backendManifest?.baseURL(
            embeddedAt: embeddedBackend.baseURL, workspace: device.workspace) ?? ""
    }

    private var backendManifest: AppBackend? {
        app.backends.first { $0.id == persisted.backend } ?? app.backends.first
    }

    /// The custom value, else the selected backend's, else the manifest's.
    func value(of setting: App.Setting) -> String? {
        if let customValue = persisted.customBackends[backend]?.settings[setting.name] {
            return customValue
        }
        switch backendManifest?.settings[setting.name] {
        case .text(let text): return text
        case .contractSetting(let name):
            guard case .embedded(let contract, _)? = backendManifest?.base else { return nil }
            return embeddedBackend.clientSetting(name, contract, device.workspace)
        case nil: return setting.defaultValue
        }
    }

    /// The values of the app's settings by name; null without one.
    var settingValues: [String: JSON] {
        Dictionary(app.settings.map { ($0.name, JSON(value(of: $0))) }) { $1 }
    }

    /// Whether the value `name` is stored and the app cannot read it before the sensor matched.
    func isLocked(_ name: String) -> Bool {
        app.storageKey(holding: name).map {
            persisted.items[$0.key] == nil && stored.items[$0.key] != nil
        } ?? false
    }

    /// Why `call` is not sent: a setting without a value, or the app's own offline mode.
    func reasonNotToSend(_ call: Call) -> CallFailure? {
        if let message = missingSettingMessage(for: call) { return CallFailure(message: message) }
        guard let name = app.network.offlineName, persisted.isTrue(name, in: app) else {
            return nil
        }
        return CallFailure(kind: "offline", message: app.network.messages.offline)
    }

    /// The message for a setting that `call` needs and that has no value.
    func missingSettingMessage(for call: Call) -> String? {
        for setting in app.settings {
            guard let message = setting.missingMessage, value(of: setting)?.isEmpty ?? true,
                call.request.variableNames.contains(setting.name)
            else { continue }
            return message
        }
        return nil
    }

    /// Whether the values that the action needs to be shown are there.
    func offers(_ action: Action) -> Bool { action.isShown(availableValues()) }

    /// Values that may only be stored sealed.
    var secrets: [String] {
        var secrets = app.tokens(in: availableValues())
        for name in [App.accessTokenName, App.refreshTokenName] where isLocked(name) {
            secrets += [stored.item(holding: name, in: app)?.value].compactMap(\.self)
        }
        for setting in app.settings where setting.isSecret {
            if let value = value(of: setting) { secrets.append(value) }
        }
        return secrets.filter { !$0.isEmpty }
    }
}

extension Device {
    /// The device's variables in a manifest: `{device.uuid}` …
    package var manifestVariables: JSON {
        [
            "uuid": .string(uuid), "build": .string(build.rawValue),
            "biometrics": .string(biometrics.kind.displayName),
        ]
    }

    /// Whether the device meets the requirements of `action`.
    package func supports(_ action: Action) -> Bool {
        action.deviceRequirements.allSatisfy { name, value in
            switch name {
            case "build": build.rawValue == value
            case "biometrics" where value == "enrolled": biometrics.isReady
            case "biometrics" where value == "none": !biometrics.isReady
            case "biometrics": biometrics.isReady && biometrics.kind.rawValue == value
            default: false
            }
        }
    }
}

extension ActionContext {
    /// Throws if the app does not offer the action: the device does not meet its requirements, or
    /// the backend has none of its calls.
    func checkAvailability(of action: Action, on screen: Screen) throws(Problem) {
        let missing: (subject: String, detail: String)
        if !device.supports(action) {
            let requirements = action.deviceRequirements.sorted { $0.key < $1.key }
            missing = (
                "device",
                "needs " + requirements.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
                    + "; change the device first."
            )
        } else if !app.canPerform(action, backend: backend) {
            missing = (
                "backend", "uses calls that \(backend) does not have; select another backend first."
            )
        } else {
            return
        }
        throw Problem(
            status: 409, code: "action-unavailable",
            title: "\(action.displayLabel) is not available on this \(missing.subject)",
            detail: "\(action.name) on \(screen.id) \(missing.detail)")
    }
}
