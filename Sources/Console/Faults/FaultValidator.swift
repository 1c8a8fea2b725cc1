import Apps
import Backend
import Simulator
import Traffic
import Web

/// Validates a requested fault against the existing apps, calls and devices, and against what their
/// backends support.
struct FaultValidator: Sendable {
    let services: Services
    let workspace: String

    /// Validation errors by field name.
    func errors(of draft: Fault.Draft) async throws -> [Problem.FieldError] {
        var errors = draft.fieldErrors
        func addError(_ name: String, _ detail: String) {
            errors.append(.init(pointer: "/" + name, detail: detail))
        }
        errors += try await scopeErrors(app: draft.app, device: draft.device, call: draft.call)
        if let app = draft.app.flatMap({ services.appCatalog.app($0) }) {
            var device: Device?
            if let id = draft.device {
                device = try await services.simulator.device(id, in: workspace)
            }
            var reason = unsupportedReason(draft.kind, app)
            if reason == nil { reason = try await unsupportedReason(draft.kind, app, on: device) }
            if let reason { addError("kind", "\(draft.kind.rawValue) \(reason)") }
        }
        return errors
    }

    /// Validation errors of a scope, by field name.
    func scopeErrors(app id: String?, device: String?, call: String?) async throws
        -> [Problem.FieldError]
    {
        var errors: [Problem.FieldError] = []
        func addError(_ name: String, _ detail: String) { errors.add("/" + name, detail) }
        let app = id.flatMap { services.appCatalog.app($0) }
        if let id, app == nil { addError("app", "is not an app: \(id.prefix(40))") }
        if let device, try await services.simulator.device(device, in: workspace) == nil {
            addError("device", "is not a device of this workspace")
        }
        if let call {
            let callNames = Set(
                (app.map { [$0] } ?? services.appCatalog.apps).flatMap { $0.callNames })
            if id == nil || app != nil, !callNames.contains(call) {
                addError(
                    "call",
                    "is not a call of \(app?.name ?? "any app"); valid values: "
                        + callNames.sorted().joined(separator: ", "))
            }
        }
        return errors
    }

    /// Whether the app's embedded backend, if it has one, supports this kind.
    func supports(_ kind: Fault.Kind, _ app: App) -> Bool { unsupportedReason(kind, app) == nil }

    /// Why no backend of the app supports the kind; nil if one does.
    private func unsupportedReason(_ kind: Fault.Kind, _ app: App) -> String? {
        guard kind.needsEmbeddedBackend else { return nil }
        guard let contract = services.appCatalog.contract(ofApp: app.id) else {
            return "requires an embedded backend, and \(app.name) has none"
        }
        let hook = FaultHooks.Kind(rawValue: kind.rawValue)
        return hook.map { services.backend.supports($0, contract: contract) } ?? true
            ? nil : "is not supported by the backend of \(app.name)"
    }

    /// Why the backend that the app uses on the device does not support the kind.
    private func unsupportedReason(_ kind: Fault.Kind, _ app: App, on device: Device?) async throws
        -> String?
    {
        guard kind.needsEmbeddedBackend, let device else { return nil }
        let status = try await services.simulator.status(
            AppInstance(workspace: workspace, device: device.id, app: app.id))
        return services.appCatalog.contract(ofBackend: status.backend, app: app.id) != nil
            ? nil
            : "requires the embedded backend, and \(app.name) on this device uses "
                + "\(status.backend). Use status, wrongKey or a network fault"
    }

    func add(_ draft: Fault.Draft) async throws -> Fault {
        let errors = try await errors(of: draft)
        guard errors.isEmpty else { throw Problem.invalidFault(errors) }
        return try await services.faults.add([draft], in: workspace)[0]
    }

    /// Activates a preset for one app and device, or for all; an active one restarts. Skips faults
    /// that the app's backend does not support; throws if none remains.
    func applyPreset(_ preset: Fault.Preset, app: String?, device: String?) async throws -> [Fault]
    {
        var drafts: [Fault.Draft] = []
        var allErrors: [Problem.FieldError] = []
        for var draft in preset.drafts {
            draft.app = app
            draft.device = device
            let errors = try await errors(of: draft)
            allErrors += errors.map {
                $0.pointer == "/kind" ? .init(pointer: "/preset", detail: $0.detail) : $0
            }
            if errors.isEmpty { drafts.append(draft) }
        }
        guard !drafts.isEmpty else { throw Problem.invalidFault(allErrors) }
        try await services.faults.remove(in: workspace) {
            $0.presetID == preset.id && $0.draft.app == app && $0.draft.device == device
        }
        return try await services.faults.add(drafts, in: workspace, presetID: preset.id)
    }
}

extension Fault.Kind {
    fileprivate var needsEmbeddedBackend: Bool { layer != .network && self != .wrongKey }
}

extension App {
    /// Whether its calls can meet the fault, as far as their requests tell: the form offers no
    /// other one.
    func makesCalls(for kind: Fault.Kind) -> Bool {
        func sends(_ variable: String, toPathsWith words: [String] = [""]) -> Bool {
            allCalls.contains { call in
                let request = call.call.request
                return request.variableNames.contains { $0.lowercased().contains(variable) }
                    && words.contains { (call.name + request.path).lowercased().contains($0) }
            }
        }
        return switch kind {
        case .accountLocked: sends("password")
        case .refreshTokenReused: session.refreshCall != nil
        case .mailLost:
            sends(
                "email",
                toPathsWith: [
                    "register", "signup", "sign-up", "createuser", "verif", "confirm", "resend",
                    "recover", "reset", "forgot", "code", "otp", "magic", "invit", "email",
                ])
        default: true
        }
    }

    /// The names of its calls, in the manifest and on any of its backends.
    var callNames: [String] {
        var names = Set(calls.keys)
        for backend in backends { names.formUnion(backend.calls.keys) }
        return names.sorted()
    }
}

extension Problem {
    static func invalidFault(_ errors: [FieldError]) -> Problem {
        Problem(errors: errors, title: "Invalid fault")
    }

    static func unknownFault(_ id: String) -> Problem {
        unknown(
            "fault",
            "No fault of this workspace has the id \(id.prefix(40)): it was turned off or is used "
                + "up.", apiHint: "GET /api/faults lists them.")
    }
}
