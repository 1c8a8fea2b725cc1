import Apps
import Simulator
import Traffic
import Web

/// Builds the model of the faults page.
struct FaultsBuilder {
    let services: Services
    let workspace: String
    /// The browser's device, if it has one.
    let device: Device?
    /// The submitted form values; empty for a new form.
    let input: [String: String]
    let errors: [Problem.FieldError]

    func build() async throws -> Page<FaultsModel> {
        let all = services.faults.list(in: workspace)
        let names = try await FaultNames(all, in: workspace, services)
        return Page(
            "Faults", navItem: "faults", url: Links.faults,
            FaultsModel(
                totalText: all.isEmpty ? "None active" : "\(all.count) active",
                affectedURL: Links.url(Links.traffic, [("fault", "applied")]),
                turnOffAllAction: all.isEmpty ? nil : Links.turnOffFaults,
                active: all.map { row($0, names) },
                presets: Self.presets(Fault.presets, active: Set(all.compactMap(\.presetID))),
                form: try await form()))
    }

    static func presets(_ presets: [Fault.Preset], active: Set<String>) -> [FaultsModel.PresetRow] {
        presets.map {
            .init(
                presetID: $0.id, presetName: $0.name, presetText: $0.summary,
                isOn: active.contains($0.id))
        }
    }

    private func row(_ fault: Fault, _ names: FaultNames) -> FaultsModel.Row {
        .init(
            id: fault.id, rowIcon: fault.icon, name: fault.kind.name,
            sentence: names.sentence(fault),
            usage: fault.draft.times.map { "\(fault.appliedCount) of \($0)" }
                ?? (fault.appliedCount == 0 ? "Not yet" : Format.count(fault.appliedCount, "time")),
            lastCall: fault.lastAffected.map {
                "\(names.lastCall(fault) ?? $0.call) at \(Format.dateTime($0.at))"
            }, lastURL: fault.lastAffected.map { Links.exchange($0.exchangeID) },
            presetName: fault.presetID.flatMap(Fault.preset)?.name,
            turnOffAction: Links.turnOffFault(fault.id))
    }

    // MARK: The form

    /// The newest devices, offered as choices.
    private static let maxDevices = 50

    private func form() async throws -> FaultsModel.FormModel {
        let kinds = Fault.Kind.allCases
        let devices = try await services.simulator.devices(
            in: workspace, before: nil, limit: Self.maxDevices
        ).devices
        let calls = Set(services.appCatalog.apps.flatMap(\.callNames)).sorted()
        func error(_ name: String) -> String? {
            let details = errors.filter { Self.field(of: $0) == name }.map {
                // Prefixes the path within the field, if any.
                ($0.pointer.dropFirst(name.utf8.count + 2) + " " + $0.detail).drop { $0 == " " }
            }
            guard !details.isEmpty else { return nil }
            return details.joined(separator: "; ").capitalizedFirst + "."
        }
        let inlineFields: Set = ["kind", "times", "call", "phase"]
        let otherErrors = errors.filter { error in
            let name = Self.field(of: error)
            return !inlineFields.contains(name) && !Self.settings.contains { $0.id == name }
        }
        return .init(
            kinds: kinds.map { option($0.rawValue, "\($0.name): \($0.explanation)", "kind") },
            apps: services.appCatalog.apps.map { option($0.id, $0.name, "app") },
            devices: devices.map { device in
                let isCurrent = device.id == self.device?.id
                return option(
                    device.id, device.label + (isCurrent ? " (this browser)" : ""), "device")
            }, calls: calls.map { option($0, $0, "call") }, isAfterPhase: input["phase"] == "after",
            times: input["times"] ?? "3",
            settings: Self.settings.map { setting in
                .init(
                    settingID: setting.id, label: setting.label, hint: setting.hint,
                    value: input[setting.id] ?? "",
                    inputMode: setting.isNumber ? "decimal" : "text", isLong: !setting.isNumber,
                    settingError: error(setting.id))
            },
            formError: otherErrors.isEmpty
                ? nil
                : otherErrors.map { "\($0.pointer.dropFirst()) \($0.detail)" }.joined(
                    separator: "; "
                ).capitalizedFirst + ".", kindError: error("kind"), timesError: error("times"),
            callError: error("call"), phaseError: error("phase"))
    }

    private static func field(of error: Problem.FieldError) -> String {
        String(error.pointer.dropFirst().prefix { $0 != "/" })
    }

    private func option(_ id: String, _ name: String, _ field: String) -> ChoiceModel {
        ChoiceModel(value: id, label: name, chosen: input[field] == id)
    }

    private struct Setting {
        let id: String
        let label: String
        let hint: String
        var isNumber = true
    }

    private static let settings = [
        Setting(id: "delay", label: "Delay (seconds)", hint: "default 3"),
        Setting(id: "status", label: "Status", hint: "200 to 599"),
        Setting(id: "retryAfter", label: "Retry-After (seconds)", hint: "default 30"),
        Setting(
            id: "skew", label: "Backend clock ahead (seconds)",
            hint: "default 3600, negative for behind"),
        Setting(
            id: "headers", label: "Headers", hint: "one per line, Name: value", isNumber: false),
        Setting(id: "body", label: "Body", hint: "JSON or text", isNumber: false),
    ]
}

extension FaultStatusModel {
    /// `faults` are in order of application; `names` provides the display names of apps and
    /// devices.
    init(_ faults: [Fault], _ names: FaultNames) {
        let others = faults.count - 1
        banner = faults.first.map { first in
            Banner(
                bannerIcon: first.icon, bannerName: first.kind.name,
                bannerText: [names.sentence(first), first.usage(names.lastCall(first))].filter {
                    !$0.isEmpty
                }.joined(separator: " "), othersText: others > 0 ? "and \(others) more" : nil,
                turnOffAction: Links.turnOffFault(first.id))
        }
        faultChips = faults.prefix(3).map { Chip(chipText: $0.chipText, chipIcon: $0.icon) }
        moreText = faults.count > 3 ? "and \(faults.count - 3) more" : nil
        activeCount = faults.isEmpty ? nil : String(faults.count)
    }
}
