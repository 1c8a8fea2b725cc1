import Apps
import BrowserCapture
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Templates
import Web

/// `/storyboard/{app}/compare`: picture sets and the differences between two of them; and the
/// downloads of a storyboard that Chromium makes.
struct PicturesPages: Sendable {
    let services: Services
    let taker: PictureTaker

    var routes: [Route] {
        [
            Route(.get, Links.comparePictures, handler: show),
            Route(.post, Links.comparePictures, handler: take),
            Route(.post, Links.currentPictures, handler: takeCurrent),
            Route(.get, Links.deletePictures, handler: confirmDelete),
            Route(.post, Links.deletePictures, handler: delete),
            Route(.get, Links.storedPicture, handler: storedPicture),
            Route(.get, Links.pictureDifference, handler: difference),
            Route(.get, Links.statePicture, handler: statePicture),
            Route(.get, Links.storyboardPDF, handler: storyboardPDF),
        ]
    }

    private var sets: PictureSets { get throws { try taker.sets } }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["before", "after"])
        return try await page(context, query)
    }

    /// `name` and `problem` are those of a rejected form.
    private func page(
        _ context: RequestContext, _ query: [String: String] = [:], form: Form? = nil,
        problem: Problem? = nil
    ) async throws -> Response {
        if let page = try await services.manifestErrorPage(context, navItemID: "storyboard") {
            return page
        }
        let app = try services.app(of: context)
        let builder = ComparisonBuilder(
            app: app, taker: taker, sets: try sets, job: await taker.jobs.job(of: app.id))
        let model = try await builder.build(query, form: form, problem: problem)
        let page = Page(
            .compare, of: app, services,
            url: Links.url(
                Links.comparePictures(app.id),
                [("before", query["before"]), ("after", query["after"])]), model)
        var response = try await services.respond(
            to: context, page, "storyboard/compare", status: problem?.status ?? 200)
        // Also without scripts: the page shows the result when the pictures are taken.
        if builder.job?.isRunning == true { response.headers["Refresh"] = "2" }
        return response
    }

    // MARK: Taking pictures

    @Sendable private func take(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        do {
            try await taker.takeSet(
                form["name"] ?? "", of: app,
                try PictureOptions(
                    of: app, size: form["size"], appearance: form["appearance"],
                    text: form["text"], isFullLength: form["fullLength"] != nil))
            return .redirect(to: Links.comparePictures(app.id))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(context, form: form, problem: problem)
        }
    }

    @Sendable private func takeCurrent(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let name = try Form(context.request)["before"] ?? ""
        try await taker.takeCurrent(for: name, of: app)
        return .redirect(to: Links.url(Links.comparePictures(app.id), [("before", name)]))
    }

    @Sendable private func confirmDelete(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let name = try context.query(allowing: ["set", "part"])["set"] ?? ""
        let set = try sets.existing(name)
        return try await services.confirm(
            context, "Delete", navItem: "storyboard",
            ConfirmModel(
                action: Links.url(Links.deletePictures(app.id), [("set", name)]),
                question: "Delete “\(name)”?",
                consequence: "Its pictures are deleted from the data folder"
                    + (set.options.apps == [app.id] ? "." : ", those of other apps too."),
                confirmLabel: "Delete", backURL: Links.comparePictures(app.id)))
    }

    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let name = try context.query(allowing: ["set"])["set"] ?? ""
        _ = try Form(context.request)
        _ = try sets.existing(name)
        try sets.delete(name, app.id)
        return .redirect(to: Links.comparePictures(app.id))
    }

    // MARK: Stored pictures

    @Sendable private func storedPicture(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let query = try context.query(allowing: [
            "set", "for", "size", "appearance", "text", "name",
        ])
        let set = try set(query["set"], currentFor: query["for"], app)
        guard let bytes = set.picture(PictureKey(app: app.id, query)) else {
            throw Problem.unknown("picture", "The set has no such picture, or it is not a PNG.")
        }
        return Response(
            status: 200, headers: ["Content-Type": "image/png"], body: .bytes(bytes))
    }

    /// The differing pixels of two stored pictures.
    @Sendable private func difference(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let query = try context.query(
            allowing: ["before", "after", "size", "appearance", "text", "name"])
        let key = PictureKey(app: app.id, query)
        guard let before = try set(query["before"], currentFor: nil, app).picture(key),
            let after = try set(query["after"], currentFor: query["before"], app).picture(key)
        else { throw Problem.unknown("picture", "One of the sets has no such picture.") }
        let difference = try await taker.printing { try await taker.difference(before, after) }
        return Response(
            status: 200, headers: ["Content-Type": "image/png"],
            body: .bytes(difference.picture.isEmpty ? after : difference.picture))
    }

    /// The set `name`, or without a name the current screens for the comparison with another set.
    private func set(_ name: String?, currentFor other: String?, _ app: App) throws -> PictureSet {
        let set = try taker.compared(other ?? "", with: name?.nonEmpty, of: app)
        guard let set else { throw Problem.unknownPictureSet(other ?? "") }
        return set
    }

    // MARK: Downloads

    /// A PNG of one state.
    @Sendable private func statePicture(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text", "fullLength"])
        let display = try StoryboardQuery(context.target.path, .picture, query)
        let state = try services.screenState(of: context)
        let picture = try await taker.picture(
            of: state, PictureVariant(display), isFullLength: display["fullLength"] == "1")
        let id = state.id
        return .download(picture, "image/png", as: "\(id.app)-\(id.screen)-\(id.state).png")
    }

    /// The export page as a PDF.
    @Sendable private func storyboardPDF(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text", "layout"])
        let app = try services.app(of: context)
        let display = try StoryboardQuery(
            context.target.path,
            .display + [
                .init(name: "layout", choices: ["contact", "pages"], defaultValue: "contact")
            ],
            query)
        let pdf = try await taker.pdf(
            of: app.id,
            [
                ("size", display["size"]), ("appearance", display["appearance"]),
                ("text", display["text"]),
            ], isOnePerPage: display["layout"] == "pages")
        return .download(pdf, "application/pdf", as: "\(app.id)-storyboard.pdf")
    }
}

extension [StoryboardQuery.Parameter] {
    /// How a picture of a state is taken.
    static let picture =
        display + [.init(name: "fullLength", choices: ["0", "1"], defaultValue: "0")]
}

extension PictureVariant {
    init(_ query: StoryboardQuery) {
        let defaults = PictureOptions().variants[0]
        self.init(
            size: query["size"] ?? defaults.size,
            appearance: query.appearance == .dark ? "dark" : "light",
            textSize: query["text"] ?? defaults.textSize)
    }
}

extension PictureKey {
    /// The picture that the query of a URL names.
    init(app: String, _ query: [String: String]) {
        let defaults = PictureOptions().variants[0]
        self.init(
            app: app,
            variant: .init(
                size: query["size"] ?? defaults.size,
                appearance: query["appearance"] ?? defaults.appearance,
                textSize: query["text"] ?? defaults.textSize), name: query["name"] ?? "")
    }

    var items: [(String, String?)] { variant.items + [("name", name)] }
}

extension Problem {
    static func unknownPictureSet(_ name: String) -> Problem {
        unknown("picture set", "There is no picture set \(name.prefix(80)).")
    }
}

extension Links {
    static let comparePictures = PagePath("/storyboard/{app}/compare")
    /// POST: takes pictures of the current screens, for the comparison with a set.
    static let currentPictures = PagePath("/storyboard/{app}/compare/current")
    static let deletePictures = PagePath("/storyboard/{app}/compare/delete")
    static let storedPicture = PagePath("/storyboard/{app}/compare/picture")
    static let pictureDifference = PagePath("/storyboard/{app}/compare/difference")
    /// One state as a PNG.
    static let statePicture = PagePath("/storyboard/{app}/{screen}/{state}/picture")

    static func statePicture(_ state: StateID, _ options: [(String, String?)]) -> String {
        url(statePicture(state.app, state.screen, state.state), options)
    }

    /// The storyboard as a PDF.
    static let storyboardPDF = PagePath("/storyboard/{app}/export.pdf")
}
