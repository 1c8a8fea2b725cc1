import Apps
import Simulator
import Traffic
import Web

/// Gathers what the page of conditions shows.
struct ConditionsBuilder {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    /// The visitor's device, if it has one.
    let device: Device?
    let csrf: String
    /// What was typed into the form; empty for a fresh one.
    let typed: [String: String]
    let faults: [Problem.FieldError]

    func build() async throws -> ConditionsModel {
        let all = services.conditions.list(in: workspace)
        let names = try await ConditionNames(all, in: workspace, services)
        let partURL = Links.part(Links.conditions, [])
        return ConditionsModel(
            frame: try await frames.frame(
                "Conditions", place: "conditions", workspace: workspace, csrf: csrf,
                partURL: partURL), csrf: csrf, partURL: partURL,
            totalText: all.isEmpty ? "none active" : "\(all.count) active",
            struckURL: Links.query(Links.traffic, [("condition", "struck")]),
            endAllAction: all.isEmpty ? nil : Links.endConditions,
            active: all.map { row($0, names) },
            sets: Self.sets(Condition.sets, on: Set(all.compactMap(\.set))), form: try await form())
    }

    static func sets(_ sets: [Condition.Named], on: Set<String>) -> [ConditionsModel.SetRow] {
        sets.map {
            .init(setID: $0.id, setName: $0.name, setText: $0.text, isOn: on.contains($0.id))
        }
    }

    private func row(_ condition: Condition, _ names: ConditionNames) -> ConditionsModel.Row {
        .init(
            id: condition.id, rowIcon: condition.icon, name: condition.kind.name,
            sentence: names.sentence(condition),
            used: condition.draft.times.map { "\(condition.used) of \($0)" }
                ?? (condition.used == 0 ? "not yet" : Words.count(condition.used, "time")),
            lastCall: condition.lastUse.map {
                "\(names.call(condition) ?? $0.call) at \(Words.moment($0.at))"
            }, lastURL: condition.lastUse.map { Links.exchange($0.exchange) },
            setName: condition.set.flatMap(Condition.set)?.name,
            endAction: Links.endCondition(condition.id))
    }

    // MARK: The form

    /// The newest that can be chosen from.
    private static let mostDevices = 50

    private func form() async throws -> ConditionsModel.FormModel {
        let kinds = Condition.Kind.allCases
        let devices = try await services.simulator.devices(
            in: workspace, before: nil, limit: Self.mostDevices
        ).devices
        let calls = Set(services.apps.flatMap(\.callNames)).sorted()
        func error(_ name: String) -> String? {
            let details = faults.filter { Self.field(of: $0) == name }.map {
                // What stands within a field is named before it.
                ($0.pointer.dropFirst(name.utf8.count + 2) + " " + $0.detail).drop { $0 == " " }
            }
            guard !details.isEmpty else { return nil }
            return details.joined(separator: "; ").capitalizedFirst + "."
        }
        let shown: Set = ["kind", "times", "call", "phase"]
        let rest = faults.filter { fault in
            let name = Self.field(of: fault)
            return !shown.contains(name) && !Self.settings.contains { $0.id == name }
        }
        return .init(
            kinds: kinds.map { option($0.rawValue, "\($0.name): \($0.explained)", "kind") },
            apps: services.apps.map { option($0.id, $0.name, "app") },
            devices: devices.map { device in
                let isThis = device.id == self.device?.id
                return option(device.id, device.label + (isThis ? " (this browser)" : ""), "device")
            }, calls: calls.map { option($0, $0, "call") }, isAfter: typed["phase"] == "after",
            times: typed["times"] ?? "3",
            settings: Self.settings.map { setting in
                .init(
                    settingID: setting.id, label: setting.label, hint: setting.hint,
                    value: typed[setting.id] ?? "",
                    inputMode: setting.isNumber ? "decimal" : "text", isLong: !setting.isNumber,
                    settingError: error(setting.id))
            },
            formError: rest.isEmpty
                ? nil
                : rest.map { "\($0.pointer.dropFirst()) \($0.detail)" }.joined(separator: "; ")
                    .capitalizedFirst + ".", kindError: error("kind"), timesError: error("times"),
            callError: error("call"), phaseError: error("phase"))
    }

    private static func field(of fault: Problem.FieldError) -> String {
        String(fault.pointer.dropFirst().prefix { $0 != "/" })
    }

    private func option(_ id: String, _ name: String, _ field: String) -> ChoiceModel {
        ChoiceModel(value: id, words: name, chosen: typed[field] == id)
    }

    private struct Setting {
        let id: String
        let label: String
        let hint: String
        var isNumber = true
    }

    private static let settings = [
        Setting(id: "delay", label: "Seconds", hint: "3 without"),
        Setting(id: "status", label: "Status", hint: "200 to 599"),
        Setting(id: "retryAfter", label: "Retry-After, in seconds", hint: "30 without"),
        Setting(
            id: "skew", label: "Backend ahead, in seconds", hint: "3600 without, −3600 for behind"),
        Setting(id: "headers", label: "Headers", hint: "a line each, Name: value", isNumber: false),
        Setting(id: "body", label: "Body", hint: "JSON or text", isNumber: false),
    ]
}
