package import Apps
package import Web

/// What `{name}` stands for on a device: settings, device facts, stored and
/// remembered values, captures, fields, each over those before.
struct ActionContext {
    let app: App
    let device: Device
    let persisted: PersistedAppState
    let transient: TransientAppState
    let embeddedBackend: EmbeddedBackendAccess

    /// For building calls and filling texts; tokens are among them.
    func variables(captured: [String: JSON] = [:], fields: [String: JSON] = [:]) -> Variables {
        var values: [String: JSON] = [:]
        for setting in app.settings { values[setting.name] = JSON(value(of: setting)) }
        values["device"] = device.manifestVariables
        for (name, value) in availableValues(fields: fields) { values[name] = value }
        for (name, value) in captured { values[name] = value }
        for (name, value) in fields { values[name] = value }
        return Variables(values)
    }

    /// Everything held by name, tokens too.
    func availableValues(fields: [String: JSON] = [:]) -> [String: JSON] {
        var held: [String: JSON] = [:]
        for key in app.storage {
            if let name = key.capturedName, let item = persisted.items[key.key] {
                held[name] = item.json
            }
        }
        for (name, value) in transient.capturedValues { held[name] = value }
        let claims = persisted.session?.accessToken?.claims
        for memory in app.memory where held[memory.name] == nil {
            if let per = memory.perField {
                let text = (fields[per] ?? held[per])?.scalarText ?? ""
                held[memory.name] =
                    transient.rememberedValues[memory.name]?[app.memoryKey(text, of: per)]
            }
            if held[memory.name] == nil, let claim = memory.claim {
                held[memory.name] = claims?[claim]
            }
            if held[memory.name] == nil, let otherwise = memory.defaultValue {
                held[memory.name] = .string(otherwise)
            }
        }
        return held
    }

    /// What a screen may show.
    var displayableValues: [String: JSON] { availableValues().filter { !app.isToken($0.key) } }

    /// The chosen backend, or the manifest's first if that one is gone.
    var backend: String {
        if let chosen = persisted.backend, app.backends.contains(where: { $0.id == chosen }) {
            return chosen
        }
        return app.backends.first?.id ?? ""
    }

    /// Where calls go: one's own address, else the manifest's.
    var baseURL: String {
        if let own = persisted.customBackends[backend]?.baseURL { return own }
        switch backendManifest?.base {
        case .url(let url): return url
        case .embedded(let contract, let path):
            let root = "\(embeddedBackend.baseURL)/\(device.workspace)/\(contract)"
            return path.isEmpty ? root : "\(root)/\(path)"
        case nil: return ""
        }
    }

    private var backendManifest: AppBackend? {
        let id = backend
        return app.backends.first { $0.id == id }
    }

    /// The user's own value, else the chosen backend's, else the manifest's.
    func value(of setting: App.Setting) -> String? {
        if let own = persisted.customBackends[backend]?.settings[setting.name] { return own }
        switch backendManifest?.settings[setting.name] {
        case .text(let text): return text
        case .contractSetting(let name):
            guard case .embedded(let contract, _)? = backendManifest?.base else { return nil }
            return embeddedBackend.clientSetting(
                EmbeddedBackendAccess.ClientSettingQuery(
                    contract: contract, name: name, workspace: device.workspace))
        case nil: return setting.defaultValue
        }
    }

    /// What the user reads because a setting `call` needs has no value.
    func missingSettingMessage(for call: Call) -> String? {
        for setting in app.settings {
            guard let words = setting.missingMessage, value(of: setting)?.isEmpty ?? true,
                call.request.variableNames.contains(setting.name)
            else { continue }
            return words
        }
        return nil
    }

    /// Values that may be stored only sealed.
    var secrets: [String] {
        var secrets = availableValues().filter { app.isToken($0.key) }.compactMap(
            \.value.scalarText)
        for setting in app.settings where setting.isSecret {
            if let value = value(of: setting) { secrets.append(value) }
        }
        return secrets.filter { !$0.isEmpty }
    }
}

extension Device {
    /// What a manifest can say of it: `{device.uuid}` …
    package var manifestVariables: JSON {
        [
            "uuid": .string(uuid), "build": .string(build.rawValue),
            "biometrics": .string(biometrics.kind.displayName),
        ]
    }

    /// Whether an app on it shows `action`.
    package func supports(_ action: Action) -> Bool {
        action.deviceRequirements.allSatisfy { name, value in
            switch name {
            case "build": build.rawValue == value
            case "biometrics": biometrics.satisfies(value)
            default: false
            }
        }
    }
}

extension Device.Biometrics {
    /// There is a sensor, and it knows somebody.
    var isReady: Bool { kind != .none && isEnrolled }

    /// `enrolled`, or a sensor's kind.
    fileprivate func satisfies(_ need: String) -> Bool {
        switch need {
        case "enrolled": isReady
        case Kind.none.rawValue: !isReady
        default: isReady && kind.rawValue == need
        }
    }
}

extension Device.Biometrics.Kind {
    /// The sensor's name as people know it.
    package var displayName: String {
        switch self {
        case .none: ""
        case .touchID: "Touch ID"
        case .faceID: "Face ID"
        }
    }
}
