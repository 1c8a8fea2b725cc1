import Apps
import BrowserCapture
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// `/api/apps/{app}/…`: pictures of states, picture sets, PDFs and accessibility findings, all made
/// by Chromium.
enum PicturesAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/apps/{app}/states/{screen}/{state}/picture", "readPicture",
            "A PNG of a state, two pixels per point.",
            reading: { reader in
                let variant = PictureVariant(&reader.query)
                let isFullLength = reader.query.choice(
                    "fullLength", "true: all of a screen that scrolls.", among: ["true", "false"])
                return (variant, isFullLength: isFullLength == "true")
            },
            returning: .response(
                200, "The picture.",
                [.init("image/png", ["schema": ["type": "string", "format": "binary"]])]),
            errors: [
                422: "The state cannot be reached.", 502: chromiumFailed, 503: chromiumMissing,
            ]
        ) { call, input in
            let state = try call.services.screenState(of: call.context)
            let picture = try await call.pictures.picture(
                of: state, input.0, isFullLength: input.isFullLength)
            return Response(
                status: 200, headers: ["Content-Type": "image/png"], body: .bytes(picture))
        },

        Endpoint(
            .get, "/api/apps/{app}/storyboard.pdf", "readStoryboardPDF",
            "The storyboard as a PDF.",
            reading: { reader in
                let variant = PictureVariant(&reader.query)
                let layout = reader.query.choice(
                    "layout", "A contact sheet, or one screen per page.",
                    among: ["contact", "pages"])
                return (variant, layout)
            },
            returning: .response(
                200, "The PDF.",
                [.init("application/pdf", ["schema": ["type": "string", "format": "binary"]])]),
            errors: [502: chromiumFailed, 503: chromiumMissing]
        ) { call, input in
            let app = try call.services.app(of: call.context)
            let pdf = try await call.pictures.pdf(
                of: app.id, input.0.items, isOnePerPage: input.1 == "pages")
            return .download(pdf, "application/pdf", as: "\(app.id)-storyboard.pdf")
        },

        Endpoint(
            .get, "/api/apps/{app}/accessibility", "readAccessibility",
            """
            Checks the accessibility of an app's states: names, focus order, touch targets, \
            contrast and announcements. The same as the storyboard's Accessibility page, measured \
            by its script in Chromium. `screen` and `state` select some of the states.
            """,
            reading: { reader in
                let variant = PictureVariant(&reader.query)
                let screen = reader.query.string("screen", "Only the states of this screen.")
                let state = reader.query.string("state", "Only this state of the screen.")
                if state != nil, screen == nil {
                    reader.query.addError("state", "needs screen")
                }
                return (variant, screen, state)
            }, returning: .ok(accessibilityReport, "The measurements."),
            errors: [
                404: "Unknown app, screen or state.", 502: chromiumFailed, 503: chromiumMissing,
            ]
        ) { call, input in
            let app = try call.services.app(of: call.context)
            let (variant, screen, name) = input
            if let screen, app.screen(screen) == nil { throw Problem.unknownScreen(screen) }
            var state: String?
            if let screen, let name {
                guard app.storyboardState(screen, name) != nil else {
                    throw Problem.unknownState("\(screen)/\(name)")
                }
                state = "\(screen).\(name)"
            }
            return try await call.pictures.accessibilityReport(
                of: app.id, variant.items + [("screen", screen)], state: state)
        },

        Endpoint(
            .get, setsPath, "listPictureSets", "Lists the stored picture sets of an app.",
            returning: .ok(.list(of: set), "The list of picture sets.")
        ) { call in
            let app = try call.services.app(of: call.context)
            return ListPage(try call.pictures.sets.list(of: app.id))
        },

        Endpoint(
            .post, setsPath, "takePictureSet",
            "Takes a picture of every state and stores them as a set. Waits until it is complete.",
            reading: { reader in
                (
                    reader.body.requiredString("name"),
                    size: reader.body.choice("size", among: StoryboardCatalog.sizes + ["all"]),
                    appearance: reader.body.choice(
                        "appearance", among: StoryboardCatalog.appearances + ["both"]),
                    text: reader.body.choice("textSize", among: StoryboardCatalog.textSizes),
                    isFullLength: reader.body.bool("fullLength") ?? false
                )
            }, returning: .created(set, "The new set."),
            errors: [409: "The name is in use, or pictures are being taken.", 503: chromiumMissing]
        ) { call, input in
            let app = try call.services.app(of: call.context)
            try await call.pictures.takeSet(
                input.0, of: app,
                PictureOptions(
                    of: app, size: input.size, appearance: input.appearance, text: input.text,
                    isFullLength: input.isFullLength))
            try await call.pictures.waitForJob(of: app)
            let name = input.0.whitespaceCollapsed
            return (name, try call.pictures.sets.existing(name))
        },

        Endpoint(
            .delete, setsPath + "/{set}", "deletePictureSet", "Deletes a picture set.",
            returning: .noContent("The set was deleted."), errors: [404: "Unknown set."]
        ) { call in
            let app = try call.services.app(of: call.context)
            _ = try call.pictures.sets.existing(call.path("set"))
            try call.pictures.sets.delete(call.path("set"), app.id)
        },

        Endpoint(
            .post, setsPath + "/{set}/compare", "comparePictures",
            """
            Compares a picture set with another one, or with the current screens, of which it \
            takes pictures. `foyer storyboard --against` does the same from the command line.
            """, isBodyOptional: true,
            reading: { $0.body.string("with") }, returning: .ok(comparison, "The differences."),
            errors: [404: "Unknown set.", 409: "Pictures are being taken.", 503: chromiumMissing]
        ) { call, other in
            let app = try call.services.app(of: call.context)
            let name = call.path("set")
            if other == nil {
                try await call.pictures.takeCurrent(for: name, of: app)
                try await call.pictures.waitForJob(of: app)
            }
            return try await call.pictures.compare(name, with: other, of: app)
        },
    ]

    private static let setsPath = "/api/apps/{app}/picture-sets"
    private static let chromiumMissing =
        "Chromium is not installed, or busy."
    private static let chromiumFailed = "Chromium failed."

    // MARK: Representations

    private static let set = Representation<(name: String, set: PictureSet)>(
        "PictureSet",
        [
            .init("name") { $0.name }, .init("takenAt") { $0.set.takenAt },
            .init("apps") { $0.set.options.apps }, .init("sizes") { $0.set.options.sizes },
            .init("appearances") { $0.set.options.appearances },
            .init("textSizes") { $0.set.options.textSizes },
            .init("scale") { $0.set.options.scale },
            .init("fullLength") { $0.set.options.isFullLength },
            .init("pictures") { $0.set.files.count },
        ])

    private static let comparison = Representation<PictureComparison>(
        "PictureComparison",
        [
            .init("different") { $0.hasDifferences }, .init("summary") { $0.summary },
            .init(
                "items",
                array: Representation<PictureComparison.Item>(
                    "PictureDifference",
                    [
                        .init("name") { $0.key.name }, .init("size") { $0.key.variant.size },
                        .init("appearance") { $0.key.variant.appearance },
                        .init("textSize") { $0.key.variant.textSize },
                        .init("status", choice: { $0.status }),
                        .init("pixels") { $0.difference?.pixels },
                        .init("percent") { $0.difference?.percent },
                    ])
            ) { $0.items },
        ])

    /// What `report` of the accessibility page's script returns.
    private static let accessibilityReport: Representation<JSON> = {
        let text = Schema.string
        let parts = Schema.array(Schema.anyObject)
        let box = Schema.nullable(
            Schema.object(["x", "y", "width", "height"].map { .init($0, Schema.number) }))
        let finding = Schema.object([
            .init(
                "kind",
                Schema.choice(
                    ["name", "target", "text", "edge", "announcement"], named: "FindingKind")),
            .init("selector", text), .init("what", text), .init("fix", text), .init("rule", text),
            .init("box", box),
        ])
        let state = Schema.object(
            [
                .init("state", text), .init("findings", Schema.array(finding)),
                .init("unreachable", text), .init("error", text), .init("title", text),
                .init("stops", parts), .init("skipped", parts),
                .init("initialFocus", Schema.nullable(Schema.anyObject)),
                .init("busy", Schema.bool), .init("announced", parts), .init("reading", parts),
                .init("targets", parts), .init("texts", parts), .init("marks", parts),
            ], required: ["state"])
        return Representation(
            "AccessibilityReport",
            schema: Schema.object([
                .init("app", text), .init("phone", text), .init("address", text),
                .init("states", Schema.array(state)),
            ]))
    }()
}

extension PictureVariant {
    /// Reads how a screen is displayed.
    fileprivate init(_ query: inout QueryReader) {
        let defaults = PictureOptions().variants[0]
        self.init(
            size: query.choice(
                "size", "The device's size; \(defaults.size) by default.",
                among: StoryboardCatalog.sizes) ?? defaults.size,
            appearance: query.choice(
                "appearance", "The appearance, of an app that has both; light by default.",
                among: StoryboardCatalog.appearances) ?? defaults.appearance,
            textSize: query.choice(
                "text", "The text size.", among: StoryboardCatalog.textSizes)
                ?? defaults.textSize)
    }
}
