package import Apps
package import Web

/// What `{name}` stands for on a device: settings, device facts, stored and
/// remembered values, captures, fields, each over those before.
struct Facts {
    let app: App
    let device: Device
    let kept: Kept
    let shown: Shown
    let embedded: Embedded

    /// For building calls and filling texts; tokens are among them.
    func variables(captured: [String: JSON] = [:], fields: [String: JSON] = [:]) -> Variables {
        var values: [String: JSON] = [:]
        for setting in app.settings { values[setting.name] = JSON(value(of: setting)) }
        values["device"] = device.facts
        for (name, value) in held(fields: fields) { values[name] = value }
        for (name, value) in captured { values[name] = value }
        for (name, value) in fields { values[name] = value }
        return Variables(values)
    }

    /// Everything held by name, tokens too.
    func held(fields: [String: JSON] = [:]) -> [String: JSON] {
        var held: [String: JSON] = [:]
        for key in app.storage {
            if let name = key.holds, let item = kept.items[key.key] { held[name] = item.json }
        }
        for (name, value) in shown.held { held[name] = value }
        let claims = kept.session?.accessToken?.claims
        for memory in app.memory where held[memory.name] == nil {
            if let per = memory.per {
                let text = (fields[per] ?? held[per])?.text ?? ""
                held[memory.name] = shown.remembered[memory.name]?[app.memoryKey(text, of: per)]
            }
            if held[memory.name] == nil, let claim = memory.claim {
                held[memory.name] = claims?[claim]
            }
            if held[memory.name] == nil, let otherwise = memory.otherwise {
                held[memory.name] = .string(otherwise)
            }
        }
        return held
    }

    /// What a screen may show.
    var shownHeld: [String: JSON] { held().filter { !app.isToken($0.key) } }

    /// The chosen backend, or the manifest's first if that one is gone.
    var backend: String {
        if let chosen = kept.backend, app.backends.contains(where: { $0.id == chosen }) {
            return chosen
        }
        return app.backends.first?.id ?? ""
    }

    /// Where calls go: one's own address, else the manifest's.
    var base: String {
        if let own = kept.own[backend]?.base { return own }
        switch chosen?.base {
        case .url(let url): return url
        case .embedded(let contract, let path):
            let root = "\(embedded.base)/\(device.workspace)/\(contract)"
            return path.isEmpty ? root : "\(root)/\(path)"
        case nil: return ""
        }
    }

    private var chosen: Backend? {
        let id = backend
        return app.backends.first { $0.id == id }
    }

    /// The user's own value, else the chosen backend's, else the manifest's.
    func value(of setting: App.Setting) -> String? {
        if let own = kept.own[backend]?.settings[setting.name] { return own }
        switch chosen?.settings[setting.name] {
        case .text(let text): return text
        case .fact(let name):
            guard case .embedded(let contract, _)? = chosen?.base else { return nil }
            return embedded.fact(
                Embedded.Question(contract: contract, name: name, workspace: device.workspace))
        case nil: return setting.default
        }
    }

    /// What the user reads because a setting `call` needs has no value.
    func missing(for call: Call) -> String? {
        for setting in app.settings {
            guard let words = setting.missing, value(of: setting)?.isEmpty ?? true,
                call.request.names.contains(setting.name)
            else { continue }
            return words
        }
        return nil
    }

    /// Values that may be stored only sealed.
    var secrets: [String] {
        var secrets = held().filter { app.isToken($0.key) }.compactMap(\.value.text)
        for setting in app.settings where setting.secret {
            if let value = value(of: setting) { secrets.append(value) }
        }
        return secrets.filter { !$0.isEmpty }
    }
}

extension Device {
    /// What a manifest can say of it: `{device.uuid}` …
    package var facts: JSON {
        [
            "uuid": .string(uuid), "build": .string(build.rawValue),
            "biometrics": .string(biometrics.kind.name),
        ]
    }

    /// Whether an app on it shows `action`.
    package func fits(_ action: Action) -> Bool {
        action.needs.allSatisfy { name, value in
            switch name {
            case "build": build.rawValue == value
            case "biometrics": biometrics.fits(value)
            default: false
            }
        }
    }
}

extension Device.Biometrics {
    /// There is a sensor, and it knows somebody.
    var isReady: Bool { kind != .none && enrolled }

    /// `enrolled`, or a sensor's kind.
    fileprivate func fits(_ need: String) -> Bool {
        switch need {
        case "enrolled": isReady
        case Kind.none.rawValue: !isReady
        default: isReady && kind.rawValue == need
        }
    }
}

extension Device.Biometrics.Kind {
    /// The sensor's name as people know it.
    package var name: String {
        switch self {
        case .none: ""
        case .touchID: "Touch ID"
        case .faceID: "Face ID"
        }
    }
}
