import Apps
import Core
import Simulator
import Templates
import Web
import Workspaces

/// `/traffic/new`: writes a request and sends it to a backend of an app.
struct NewRequestPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.newRequest) { context in
                let values = try context.query(allowing: ["app", "device", "part"])
                let app = values["app"].flatMap { services.appCatalog.app($0) }
                let target = app.flatMap { app in
                    app.backends.first.map { Self.target(app.id, $0.id) }
                }
                return try await page(
                    context,
                    values: ["target": target ?? "", "device": values["device"] ?? ""],
                    problem: nil)
            }, Route(.post, Links.newRequest, handler: send),
        ]
    }

    @Sendable private func send(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let names = ["target", "device", "token", "method", "path", "headers", "body"]
        let values = names.reduce(into: [String: String]()) { $0[$1] = form[$1] ?? "" }
        do {
            let target = (values["target"] ?? "").split(separator: "/", maxSplits: 1).map(
                String.init)
            guard target.count == 2 else {
                throw Problem.unknownChoice("backend", "those in the list")
            }
            var draft = RequestDraft(app: target[0], backend: target[1])
            draft.device = values["device"]?.nonEmpty
            draft.usesAccessToken = values["token"] == "yes"
            draft.method = (values["method"] ?? "").uppercased()
            draft.path = values["path"] ?? ""
            draft.headers = try ResendForm.fields(values["headers"] ?? "", pointer: "/headers")
            draft.body = ResendForm.normalizingLineEndings(values["body"] ?? "")
            let id = try await services.send(draft, in: try services.workspace(of: context))
            return .redirect(to: Links.exchange(id))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(context, values: values, problem: problem)
        }
    }

    private static func target(_ app: String, _ backend: String) -> String { "\(app)/\(backend)" }

    private func page(
        _ context: RequestContext, values: [String: String], problem: Problem?
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let embedded = services.appCatalog.apps.lazy.compactMap { app in
            app.backends.first { $0.contract != nil }.map { Self.target(app.id, $0.id) }
        }.first
        let targets = services.appCatalog.apps.flatMap { app in
            app.backends.map { backend -> ChoiceModel in
                let value = Self.target(app.id, backend.id)
                let base = backend.baseURL(embeddedAt: services.backendBase, workspace: workspace)
                return ChoiceModel(
                    value: value, label: "\(app.name), \(backend.label): \(base)",
                    chosen: value == values["target"] ?? embedded)
            }
        }
        let devices = try await services.simulator.devices(in: workspace).items.map { device in
            ChoiceModel(
                value: device.id, label: "\(device.label) (\(Format.shortID(device.id)))",
                chosen: device.id == values["device"])
        }
        let errors = problem.map { ResendForm.errors($0, below: "") } ?? [:]
        let page = Page(
            title: "New request", navItem: "traffic", url: Links.newRequest,
            model: [
                "action": Links.newRequest, "targets": targets, "devices": devices,
                "usesToken": values["token"] == "yes", "errors": errors,
                "errorText": problem.flatMap { errors.isEmpty ? $0.detail : nil },
                "method": values["method"]?.nonEmpty ?? "GET", "path": values["path"] ?? "",
                "headers": values["headers"] ?? "Accept: application/json",
                "body": values["body"] ?? "",
            ])
        return try await services.respond(
            to: context, page, "traffic/new", status: problem?.status ?? 200)
    }
}

/// A request as a developer describes it.
struct RequestDraft: Sendable {
    var app: String
    /// The first backend of the app by default.
    var backend: String?
    var device: String?
    /// Whether the access token of the device's session is sent.
    var usesAccessToken = false
    var method = "GET"
    var path = ""
    var headers: [Headers.Field] = []
    var body = ""
}

extension Services {
    /// Sends a request to a backend; returns the exchange's id.
    func send(_ draft: RequestDraft, in workspace: String) async throws -> String {
        func invalid(_ pointer: String, _ detail: String) -> Problem {
            Problem(
                errors: [.init(pointer: pointer, detail: detail)], code: "invalid-request",
                title: "Invalid request")
        }
        guard let app = appCatalog.app(draft.app) else { throw problem(ofApp: draft.app) }
        let backend = app.backends.first { draft.backend == nil || $0.id == draft.backend }
        guard let backend else {
            let names = app.backends.map(\.id).joined(separator: ", ")
            throw invalid("/backend", "is unknown: \(app.id) has \(names)")
        }
        var base = backend.baseURL(embeddedAt: backendBase, workspace: workspace)
        var token: String?
        if let id = draft.device {
            guard try await simulator.device(id, in: workspace) != nil else {
                throw invalid("/device", "is unknown")
            }
            let instance = AppInstance(workspace: workspace, device: id, app: app.id)
            let status = try await simulator.status(instance)
            // The device may use another base URL of this backend.
            if status.backend == backend.id { base = status.baseURL }
            if draft.usesAccessToken, let session = status.session {
                token = try await simulator.accessTokens(of: [session])[session.id]
            }
        }
        guard !draft.usesAccessToken || token != nil else {
            throw invalid("/device", "has no session in \(app.name) whose access token can be sent")
        }
        guard !base.isEmpty else {
            throw invalid("/backend", "has no base URL; choose one in the studio, then its device")
        }
        var request = NewRequest(
            workspace: workspace, app: app.id, backend: backend.id, baseURL: base,
            method: draft.method, path: draft.path)
        request.device = draft.device ?? ""
        request.headers = draft.headers
        request.body = draft.body
        request.accessToken = token
        return try await resend.send(request)
    }
}
