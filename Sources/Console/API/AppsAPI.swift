import Apps
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// `/api/apps`: the apps' manifests, including those with errors, and their transition counts.
enum AppsAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/apps", "listApps",
            "Lists the apps. An app with an invalid manifest has its errors.",
            returning: .ok(.list(of: Entry.representation), "The list of apps.")
        ) { call in
            let workspace = try call.workspace
            let device = try await call.services.scopeResolver.device(
                of: call.context, in: workspace)
            let scope = device.map { RequestScope(workspace: workspace, device: $0) }
            var items: [Entry] = []
            for entry in call.services.appCatalog.entries() {
                switch entry {
                case .app(let app): items.append(try await .init(app, scope, call.services))
                case .broken(let id, let error):
                    items.append(
                        .init(id, call.services.appCatalog.identity(ofApp: id).name ?? id, error))
                }
            }
            return ListPage(items)
        },

        Endpoint(
            .post, Links.appsAPI, "addApp",
            """
            Makes a new app: a folder with a manifest, templates and a style sheet among the \
            user's own apps. Its calls are those of a contract of the embedded backend, or are \
            found in an OpenAPI document. Delete the folder to remove the app.
            """,
            reading: { parameters in
                let body = parameters.body
                let hasSource = body.has("contract") || body.has("openapi")
                let name = parameters.body.requiredString("name")
                let color = parameters.body.string("color") ?? ""
                let base = parameters.body.string("base") ?? ""
                let contract = parameters.body.string("contract")
                let document = parameters.body.value(
                    "openapi", Schema.anyOf([["type": "object"], Schema.string]),
                    rule: "must be an OpenAPI document as an object or as text"
                ) { json -> String? in
                    if case .object = json { json.description } else { json.string }
                }
                if !hasSource {
                    parameters.body.addError("contract", "is missing, and openapi too")
                }
                return AppDraft(
                    name: name, color: color, base: base,
                    source: document.map { .openAPI($0) } ?? .contract(contract ?? ""))
            }, returning: .created(addedRepresentation, "The new app."),
            errors: [507: "The folder cannot be written."]
        ) { call, draft in
            let path = try call.services.makeApp(draft)
            return (
                draft.id, path, Links.studio(draft.id), call.services.remarks(ofApp: draft.id)
            )
        },

        Endpoint(
            .get, "/api/apps/{app}/map", "readMap",
            """
            Counts visits to an app's screens and transitions: in total, manual \
            ones, or those of a test run. A count of 0 means not covered.
            """,
            reading: {
                $0.query.string("run", "manual, last (the last test run) or a run's number.")
            }, returning: .ok(mapRepresentation, "The map."), errors: [404: "Unknown app or run."]
        ) { call, run in
            let app = try call.services.app(of: call.context)
            let scope = try await TransitionMapScope(run, call.services)
            let transitions = try await call.services.simulator.transitions(
                of: app.id, scope.filter)
            return (TransitionMap(app, transitions), scope.run)
        },
    ]

    private static let addedRepresentation = Representation<
        (id: String, folder: String, studio: String, remarks: [String])
    >(
        "AddedApp",
        [
            .init("id") { $0.id }, .init("folder") { $0.folder }, .init("studio") { $0.studio },
            .init("remarks") { $0.remarks },
        ])

    private static let mapRepresentation = Representation<(map: TransitionMap, run: TestRun?)>(
        "AppMap",
        [
            .init("app") { $0.map.app.id },
            .init(
                "run",
                optional: Representation([
                    .init("number") { $0.number }, .init("name") { $0.name },
                    .init("startedAt") { $0.startedAt },
                    .init("lastActivityAt") { $0.lastActivityAt },
                    .init("workspaces") { $0.workspaceCount },
                ])
            ) { $0.run },
            .init(
                "screens",
                array: Representation([.init("id") { $0.id }, .init("count") { $0.count }])
            ) {
                $0.map.screens
            },
            .init(
                "transitions",
                array: Representation([
                    .init("from") { $0.from }, .init("to") { $0.to }, .init("labels") { $0.labels },
                    .init("declared") { $0.isDeclared }, .init("count") { $0.count },
                ])
            ) { $0.map.edges },
        ])
}

/// An app in the list, or a manifest with errors.
private struct Entry: Sendable {
    let id: String
    let name: String
    var spec: String?
    var screens: [(screen: Screen, url: String, states: [String])] = []
    var backends: [(id: String, baseURL: String, isCurrent: Bool)] = []
    /// The manifest's errors, one per line.
    var problem: String?
    var errors: [ManifestError] = []

    init(_ id: String, _ name: String, _ error: ManifestError) {
        self.id = id
        self.name = name
        errors = error.allErrors
        problem = errors.map(\.summary).joined(separator: "\n")
    }

    init(_ app: App, _ scope: RequestScope?, _ services: Services) async throws {
        id = app.id
        name = app.name
        spec = app.spec
        screens = app.screens.map {
            ($0, ScreenLinks(app: app.id).screenURL($0.id), app.states(of: $0))
        }
        var current = app.backends[0].id
        if let scope {
            current = try await services.simulator.status(scope.instance(app.id)).backend
        }
        let workspace = scope?.workspace ?? Workspace.mainID
        backends = app.backends.map {
            let url = $0.baseURL(embeddedAt: services.backendBase, workspace: workspace)
            return ($0.id, url, $0.id == current)
        }
    }

    static let representation = Representation<Entry>(
        "App",
        [
            .init("id") { $0.id }, .init("name") { $0.name }, .init("spec") { $0.spec },
            .init(
                "screens",
                array: Representation([
                    .init("id") { $0.screen.id }, .init("kind") { $0.screen.kind.rawValue },
                    .init("path") { $0.url }, .init("states") { $0.states },
                ])
            ) { $0.screens },
            .init(
                "backends",
                array: Representation([
                    .init("id") { $0.id }, .init("base") { $0.baseURL },
                    .init("current") { $0.isCurrent },
                ])
            ) { $0.backends }, .init("problem") { $0.problem },
            .init(
                "manifestErrors",
                array: Representation([
                    .init("location") { $0.path }, .init("line") { $0.line },
                    .init("cause") { $0.detail }, .init("fix") { $0.fix },
                ])
            ) { $0.errors },
        ])
}
