import Apps
import Core
import Simulator
import Templates
import Traffic
import Web

/// The faults page (`faults/faults`), with the form.
extension FaultsPages {
    /// `input` and `errors` are those of a submitted form.
    func page(
        _ context: RequestContext, input: [String: String] = [:], errors: [Problem.FieldError] = []
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let device = try await services.scopeResolver.device(of: context, in: workspace)
        let active = services.faults.list(in: workspace)
        let names = try await FaultNames(active, in: workspace, services)
        let model: TemplateModel = [
            "totalText": active.isEmpty ? "None active" : "\(active.count) active",
            "active": active.map { row($0, names) },
            "presets": Fault.presets.map { $0.model(active: active) },
            "form": try await form(input, errors, device, in: workspace),
        ]
        return try await services.respond(
            to: context, Page(title: "Faults", navItem: "faults", url: Links.faults, model: model),
            "faults/faults",
            parts: [
                "total": "parts/total", "active": "faults/active", "presets": "faults/presets",
            ], status: errors.isEmpty ? 200 : 422)
    }

    private func row(_ fault: Fault, _ names: FaultNames) -> TemplateModel {
        let count = fault.appliedCount == 0 ? "Not yet" : Format.count(fault.appliedCount, "time")
        return [
            "id": fault.id, "rowIcon": fault.icon, "name": fault.kind.name,
            "sentence": names.sentence(fault),
            "usage": fault.draft.times.map { "\(fault.appliedCount) of \($0)" } ?? count,
            "lastCall": fault.lastAffected.map {
                "\(names.lastCall(fault) ?? $0.call) at \(Format.dateTime($0.at))"
            }, "lastURL": fault.lastAffected.map { Links.exchange($0.exchangeID) },
            "presetName": fault.presetID.flatMap(Fault.preset)?.name,
            "turnOffAction": Links.turnOffFault(fault.id),
        ]
    }

    // MARK: The form

    private func form(
        _ input: [String: String], _ errors: [Problem.FieldError], _ device: Device?,
        in workspace: String
    ) async throws -> TemplateModel {
        func choice(_ id: String, _ name: String, _ field: String) -> ChoiceModel {
            ChoiceModel(value: id, label: name, chosen: input[field] == id)
        }
        let apps = services.appCatalog.apps
        let chosenApp = input["app"].flatMap { id in apps.first { $0.id == id } }
        let validator = FaultValidator(services: services, workspace: workspace)
        /// Nil if the choice does not fit the chosen app; scripts change that with the app. An
        /// invalid choice that was submitted stays beside its error.
        func fitting(_ choice: ChoiceModel, to fitting: [App]) -> TemplateModel? {
            guard
                chosenApp.map({ chosen in fitting.contains { $0.id == chosen.id } }) ?? true
                    || choice.chosen && !errors.isEmpty
            else { return nil }
            return [
                "value": choice.value, "label": choice.label, "chosen": choice.chosen,
                "fittingApps": fitting.map(\.id).joined(separator: " "),
            ]
        }
        // The newest devices, offered as choices.
        let devices = try await services.simulator.devices(in: workspace).items
        let errorsByField = Dictionary(grouping: errors, by: Self.field)
        let otherErrors = errors.filter { !Self.fields.contains(Self.field(of: $0)) }
        return [
            "kinds": Fault.Kind.allCases.compactMap { kind in
                fitting(
                    choice(kind.rawValue, "\(kind.name): \(kind.explanation)", "kind"),
                    to: apps.filter { validator.supports(kind, $0) && $0.makesCalls(for: kind) })
            }, "apps": apps.map { choice($0.id, $0.name, "app") },
            "isFitted": chosenApp != nil,
            "devices": devices.map {
                choice($0.id, $0.label + ($0.id == device?.id ? " (this browser)" : ""), "device")
            },
            "calls": Set(apps.flatMap(\.callNames)).sorted().compactMap { name in
                fitting(
                    choice(name, name, "call"), to: apps.filter { $0.callNames.contains(name) })
            }, "isAfterPhase": input["phase"] == "after",
            // The submitted texts by field.
            "values": ["times": "3"].merging(input) { $1 },
            "errors": errorsByField.mapValues { errors in
                // Prefixes the path within the field, if any.
                Self.sentence(
                    errors.map { error in
                        let path = error.pointer.dropFirst().drop { $0 != "/" }.dropFirst()
                        return path.isEmpty ? error.detail : "\(path) \(error.detail)"
                    })
            },
            "formError": otherErrors.isEmpty
                ? nil : Self.sentence(otherErrors.map { "\($0.pointer.dropFirst()) \($0.detail)" }),
        ]
    }

    private static func sentence(_ details: [String]) -> String {
        details.joined(separator: "; ").capitalizedFirst + "."
    }

    private static func field(of error: Problem.FieldError) -> String {
        String(error.pointer.dropFirst().prefix { $0 != "/" })
    }

    /// The fields that show their own errors.
    private static let fields = Fault.Draft.settingNames.union(["kind", "times", "call", "phase"])
}

extension Fault.Preset {
    /// Its button, which turns it on, or off while one of its faults is active.
    func model(active: [Fault]) -> TemplateModel {
        [
            "presetID": id, "presetName": name, "presetText": summary,
            "isOn": active.contains { $0.presetID == id },
        ]
    }
}
