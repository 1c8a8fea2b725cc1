import Templates
import Web

/// A page of the console: the model of its template, and what its frame needs.
struct Page<Model: Encodable & Sendable>: Sendable {
    let title: String
    /// The navigation's current item.
    let navItem: String
    /// Its URL with its query: `/sessions?state=active`.
    let url: String
    let needsStudioScript: Bool
    /// An additional script file of the page.
    let script: String?
    /// The page's own note on a moved clock.
    let clockNote: String?
    var model: Model

    init(
        _ title: String, navItem: String, url: String, needsStudioScript: Bool = false,
        script: String? = nil, clockNote: String? = nil, _ model: Model
    ) {
        self.title = title
        self.navItem = navItem
        self.url = url
        self.needsStudioScript = needsStudioScript
        self.script = script
        self.clockNote = clockNote
        self.model = model
    }

    /// `url` with a parameter to which a part's name is appended: `/sessions?state=active&part=`.
    var partURL: String { url + (url.contains("?") ? "&" : "?") + "part=" }
}

extension Services {
    /// Renders a page with `template` or, if the URL has `part`, one of its parts: of the frame, or
    /// of `parts`, the templates by name.
    ///
    /// The templates see the model's members and `csrf` and `partURL`; a page's also sees `frame`.
    func respond(
        to context: RequestContext, _ page: Page<some Encodable & Sendable>, _ template: String,
        parts: [String: String] = [:], status: Int = 200, setting cookie: String? = nil
    ) async throws -> Response {
        let part = context.target.query.first { $0.name == "part" }?.value
        var framed = FramedModel(model: page.model, csrf: context.csrfToken, partURL: page.partURL)
        if let part, let template = parts[part] {
            return .html(try templates.render(template, framed), status: status)
        }
        let frame = try await frame(of: page, context)
        guard let part else {
            framed.frame = frame
            return .html(
                try templates.render(template, framed, layout: "layouts/console"),
                status: status, setting: cookie)
        }
        let frameParts = [
            "nav": "parts/navitems", "clock": "parts/clock", "banner": "parts/banner",
            "faults": "parts/faults",
        ]
        guard let template = frameParts[part] else {
            throw Problem.unknown("page part", "No part is called \(part.prefix(40)).")
        }
        return .html(try templates.render(template, frame))
    }

    /// A filtered list: `/sessions` is `sessions/sessions` with rows in `sessions/rows`.
    func respond(to context: RequestContext, _ listing: ListQuery, _ model: TemplateModel)
        async throws -> Response
    {
        let name = String(listing.path.dropFirst())
        return try await respond(
            to: context,
            Page(name.capitalizedFirst, navItem: name, url: listing.pageURL, model),
            "\(name)/\(name)",
            parts: ["total": "parts/total", "segments": "parts/segments", "rows": "\(name)/rows"])
    }

    /// Asks for confirmation: the dialog's content if a script requested `part=dialog`, else a
    /// page.
    func confirm(
        _ context: RequestContext, _ title: String, navItem: String,
        needsStudioScript: Bool = false, status: Int = 200, setting cookie: String? = nil,
        _ model: ConfirmModel
    ) async throws -> Response {
        let path = String(model.backURL.prefix { $0 != "?" })
        return try await respond(
            to: context,
            Page(title, navItem: navItem, url: path, needsStudioScript: needsStudioScript, model),
            "parts/confirmpage", parts: ["dialog": "parts/confirm"], status: status,
            setting: cookie)
    }
}

/// A question before an action, with what the action needs (`parts/confirm`).
struct ConfirmModel: Encodable, Sendable {
    /// The URL the form is posted to.
    var action: String
    /// The action as a question with its count: `Delete 128 requests?`
    var question: String
    /// What remains true afterwards.
    var consequence: String
    /// `Delete 128 requests`.
    var confirmLabel: String
    /// The cancel button's URL.
    var backURL: String
    /// Whether the confirm button is red and the cancel button has the focus.
    var isDestructive = true
    /// The suggested value of a password to set; nil for an action that sets none.
    var password: String?
    /// The durations to choose from, if the action has one.
    var durations: [ChoiceModel] = []
    /// Why the input was rejected; nil before it is submitted.
    var error: String?
}

/// A page's model, and what every page has.
struct FramedModel<Model: Encodable>: Encodable {
    let model: Model
    let csrf: String
    let partURL: String
    var frame: TemplateModel?

    private enum CodingKeys: CodingKey { case csrf, partURL, frame }

    func encode(to encoder: any Encoder) throws {
        try model.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(csrf, forKey: .csrf)
        try container.encode(partURL, forKey: .partURL)
        try container.encodeIfPresent(frame, forKey: .frame)
    }
}
