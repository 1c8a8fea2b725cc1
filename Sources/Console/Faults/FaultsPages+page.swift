import Apps
import Simulator
import Traffic
import Web

/// The faults page, with the form.
extension FaultsPages {
    /// `input` and `errors` are those of a submitted form.
    func page(
        _ context: RequestContext, input: [String: String] = [:], errors: [Problem.FieldError] = []
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let device = try await services.scopeResolver.device(of: context, in: workspace)
        let active = services.faults.list(in: workspace)
        let names = try await FaultNames(active, in: workspace, services)
        let model = FaultsModel(
            totalText: active.isEmpty ? "None active" : "\(active.count) active",
            anyActive: !active.isEmpty, active: active.map { row($0, names) },
            presets: Fault.presets.map { .init($0, active: active) },
            form: try await form(input, errors, device, in: workspace))
        return try await services.respond(
            to: context, Page("Faults", navItem: "faults", url: Links.faults, model),
            "faults/faults",
            parts: [
                "total": "parts/total", "active": "faults/active", "presets": "faults/presets",
            ], status: errors.isEmpty ? 200 : 422)
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

    private func form(
        _ input: [String: String], _ errors: [Problem.FieldError], _ device: Device?,
        in workspace: String
    ) async throws -> FaultsModel.FormModel {
        func choice(_ id: String, _ name: String, _ field: String) -> ChoiceModel {
            ChoiceModel(value: id, label: name, chosen: input[field] == id)
        }
        func error(_ name: String) -> String? {
            let details = errors.filter { Self.field(of: $0) == name }.map {
                // Prefixes the path within the field, if any.
                ($0.pointer.dropFirst(name.utf8.count + 2) + " " + $0.detail).drop { $0 == " " }
            }
            return details.isEmpty ? nil : Self.sentence(details)
        }
        let devices = try await services.simulator.devices(
            in: workspace, before: nil, limit: Self.maxDevices
        ).devices
        let fieldsWithErrors = Set(["kind", "times", "call", "phase"] + Self.settings.map(\.id))
        let otherErrors = errors.filter { !fieldsWithErrors.contains(Self.field(of: $0)) }
        return .init(
            kinds: Fault.Kind.allCases.map {
                choice($0.rawValue, "\($0.name): \($0.explanation)", "kind")
            }, apps: services.appCatalog.apps.map { choice($0.id, $0.name, "app") },
            devices: devices.map {
                choice($0.id, $0.label + ($0.id == device?.id ? " (this browser)" : ""), "device")
            },
            calls: Set(services.appCatalog.apps.flatMap(\.callNames)).sorted().map {
                choice($0, $0, "call")
            }, isAfterPhase: input["phase"] == "after", times: input["times"] ?? "3",
            settings: Self.settings.map { setting in
                .init(
                    settingID: setting.id, label: setting.label, hint: setting.hint,
                    value: input[setting.id] ?? "",
                    inputMode: setting.isNumber ? "decimal" : "text", isLong: !setting.isNumber,
                    settingError: error(setting.id))
            },
            formError: otherErrors.isEmpty
                ? nil : Self.sentence(otherErrors.map { "\($0.pointer.dropFirst()) \($0.detail)" }),
            kindError: error("kind"), timesError: error("times"), callError: error("call"),
            phaseError: error("phase"))
    }

    private static func sentence(_ details: [some StringProtocol]) -> String {
        details.joined(separator: "; ").capitalizedFirst + "."
    }

    private static func field(of error: Problem.FieldError) -> String {
        String(error.pointer.dropFirst().prefix { $0 != "/" })
    }

    /// The fields that only some kinds use.
    private static let settings: [(id: String, label: String, hint: String, isNumber: Bool)] = [
        ("delay", "Delay (seconds)", "default 3", true), ("status", "Status", "200 to 599", true),
        ("retryAfter", "Retry-After (seconds)", "default 30", true),
        (
            "skew", "Backend clock ahead (seconds)", "default 3600, negative for behind", true
        ), ("headers", "Headers", "one per line, Name: value", false),
        ("body", "Body", "JSON or text", false),
    ]
}

/// `/faults`: the active faults, the presets, and the form to add one
/// (`faults/faults`).
///
/// Parts, each with its own template: `total`, `active`, `presets`.
struct FaultsModel: Encodable, Sendable {
    /// `2 active`.
    var totalText: String
    var anyActive: Bool
    var active: [Row]
    var presets: [PresetRow]
    var form: FormModel

    struct Row: Encodable, Sendable {
        var id: String
        var rowIcon: String
        var name: String
        var sentence: String
        /// `1 of 3`, `4 times`, `Not yet`.
        var usage: String
        /// `POST /auth/login at 14:37:26`; nil before the first application.
        var lastCall: String?
        var lastURL: String?
        /// The preset it was created from; nil for none.
        var presetName: String?
        var turnOffAction: String
    }

    /// A preset's button: turns it on, or off while active.
    struct PresetRow: Encodable, Sendable {
        var presetID: String
        var presetName: String
        var presetText: String
        var isOn: Bool

        init(_ preset: Fault.Preset, active: [Fault]) {
            presetID = preset.id
            presetName = preset.name
            presetText = preset.summary
            isOn = active.contains { $0.presetID == preset.id }
        }
    }

    /// The submitted values and their errors.
    struct FormModel: Encodable, Sendable {
        var kinds: [ChoiceModel]
        var apps: [ChoiceModel]
        var devices: [ChoiceModel]
        /// Call names of all apps.
        var calls: [ChoiceModel]
        var isAfterPhase: Bool
        /// `3`; empty for until turned off.
        var times: String
        var settings: [Setting]
        /// One sentence with the errors of fields that do not show their own.
        var formError: String?
        var kindError: String?
        var timesError: String?
        var callError: String?
        var phaseError: String?
    }

    /// A field that only some kinds use.
    struct Setting: Encodable, Sendable {
        var settingID: String
        var label: String
        var hint: String
        var value: String
        /// `decimal` or `text`.
        var inputMode: String
        var isLong: Bool
        var settingError: String?
    }
}
