import Apps
import Storyboards
import Web

/// `/api/apps/{app}/states` and `/texts`: the states of an app's screens, and its texts.
enum StoryboardAPI {
    private static let statePath = "/api/apps/{app}/states/{screen}/{state}"

    static let endpoints = [
        Endpoint(
            .get, "/api/apps/{app}/states", "listStates",
            """
            Lists the states of an app's screens, as the storyboard shows them. Steps, result and \
            reason are those of the last run of each; readState runs one.
            """,
            reading: {
                (
                    $0.query.string("screen", "Only of this screen."),
                    $0.query.choice("kind", "Only of this kind.", of: StateKind.self)
                )
            }, returning: .ok(.list(of: StateDetails.representation), "The list of states.")
        ) { call, filter in
            let (screen, kind) = filter
            let app = try call.services.app(of: call.context)
            if let screen, app.screen(screen) == nil { throw Problem.unknownScreen(screen) }
            let recordings = call.stateCache.cachedRecordings(of: app)
            let states = call.services.storyboardStates(of: app).filter {
                (screen ?? $0.screen.id) == $0.screen.id && (kind ?? $0.kind) == $0.kind
            }
            return ListPage(states.map { StateDetails($0, recordings[$0.id], call.services) })
        },

        Endpoint(
            .post, "/api/apps/{app}/states/render", "renderStates",
            "Discards the results of an app's states, so that each runs again when it is shown.",
            returning: .noContent("The results were discarded.")
        ) { call in call.stateCache.invalidate(try call.services.app(of: call.context).id) },

        Endpoint(
            .get, statePath, "readState",
            "Returns one state; runs its steps first, unless they ran before.",
            returning: .ok(StateDetails.representation, "The state.")
        ) { call in try await played(call) },

        Endpoint(
            .post, statePath + "/render", "renderState", "Runs the steps of a state again.",
            returning: .ok(StateDetails.representation, "The state.")
        ) { call in
            call.stateCache.invalidate(try call.services.screenState(of: call.context).id)
            return try await played(call)
        },

        Endpoint(
            .get, "/api/apps/{app}/texts", "listTexts",
            "Lists the texts of an app: those of its manifest, then those of its templates.",
            reading: { parameters in
                [
                    (
                        "source",
                        parameters.query.choice(
                            "source", "Only of this source.", among: ["manifest", "templates"])
                    ),
                    ("screen", parameters.query.string("screen", "Only on this screen.")),
                    ("kind", parameters.query.string("kind", "Only of this kind.")),
                    (
                        "q",
                        parameters.query.string(
                            "q", "Words that the text, its path or its file contain.")
                    ),
                ].reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
            }, returning: .ok(.list(of: CopyDeck.Row.representation), "The list of texts.")
        ) { call, query in
            let app = try call.services.app(of: call.context)
            let deck = CopyDeck(app, call.services.templates)
            return ListPage(try CopyBuilder(app: app, deck: deck).rows(query))
        },
    ]

    private static func played(_ call: APICall) async throws -> StateDetails {
        let state = try call.services.screenState(of: call.context)
        return .init(state, try await call.stateCache.recording(of: state), call.services)
    }
}

/// A state with the result of its last run.
private struct StateDetails: Sendable {
    let state: StoryboardState
    let steps: [StateRecording.Step]
    let status: RenderStatus

    init(_ state: StoryboardState, _ recording: StateRecording?, _ services: Services) {
        self.state = state
        steps = recording?.steps ?? []
        status = recording.map { services.renderStatus(of: $0) } ?? .notPlayed
    }

    static let representation = Representation<StateDetails>(
        "StoryboardState",
        [
            .init("app") { $0.state.app.id }, .init("screen") { $0.state.screen.id },
            .init("state") { $0.state.name }, .init("title") { $0.state.title },
            .init("kind", choice: { $0.state.kind }),
            .init("description") { $0.state.description }, .init("note") { $0.state.note },
            .init("result", choice: { $0.status.kind }), .init("reason") { $0.status.reason },
            .init(
                "steps",
                array: Representation<StateRecording.Step>([
                    .init("number") { $0.number }, .init("instruction") { $0.instruction },
                    .init("detail") { $0.detail },
                ])
            ) { $0.steps }, .init("selectors") { $0.state.screen.selectors },
            .init("sizes", schema: Schema.array(DeviceSizes.schema)) { _ in
                .array(DeviceSizes.all.map { .string($0.id) })
            }, .init("page") { Links.statePage($0.state.id) },
            .init("tile") { Links.tile($0.state.id, []) },
        ])
}

extension CopyDeck.Row {
    fileprivate static let representation = Representation<CopyDeck.Row>(
        "Text",
        [
            .init("text") { $0.text }, .init("kind") { $0.kind }, .init("source") { $0.source },
            .init("file") { $0.file }, .init("line") { $0.line },
            .init("manifestPath") { $0.manifestPath },
            .init("screens") { $0.locations.map(\.screen) },
            .init("characters") { $0.text.count }, .init("occurrences") { $0.occurrenceCount },
        ])
}
