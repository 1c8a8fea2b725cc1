import Templates
import Web

/// A page of the console: the model of its template, and what its frame needs.
struct Page: Sendable {
    let title: String
    /// The navigation's current item.
    let navItem: String
    /// Its URL with its query: `/sessions?state=active`.
    let url: String
    var needsStudioScript = false
    /// An additional script file of the page.
    var script: String?
    /// The page's own note on a moved clock.
    var clockNote: String?
    let model: TemplateModel

    /// `url` with a parameter to which a part's name is appended: `/sessions?state=active&part=`.
    var partURL: String { url + (url.contains("?") ? "&" : "?") + "part=" }
}

extension Services {
    /// Renders a page with `template` or, if the URL has `part`, one of its parts: of the frame, or
    /// of `parts`, the templates by name. Of several, separated by commas, each is in a
    /// `<template data-part="name">`.
    ///
    /// The templates see the model's members and `csrf` and `partURL`; a page's also sees `frame`.
    func respond(
        to context: RequestContext, _ page: Page, _ template: String,
        parts: [String: String] = [:], status: Int = 200, setting cookie: String? = nil
    ) async throws -> Response {
        let model = page.model.merging(["csrf": context.csrfToken, "partURL": page.partURL])
        guard let names = context.target.query.first(where: { $0.name == "part" })?.value else {
            let frame = try await frame(of: page, context)
            let resolved = try await templates.resolve(model, for: [template, "layouts/console"])
            return .html(
                try templates.render(
                    template, resolved.merging(["frame": frame]), layout: "layouts/console"),
                status: status, setting: cookie)
        }
        return try await respond(
            with: names.split(separator: ",", omittingEmptySubsequences: false).map(String.init),
            of: page, context, model, parts,
            status: status)
    }

    private func respond(
        with names: [String], of page: Page, _ context: RequestContext, _ model: TemplateModel,
        _ parts: [String: String], status: Int
    ) async throws -> Response {
        let frameParts = [
            "nav": "parts/navitems", "clock": "parts/clock", "banner": "parts/banner",
            "faults": "parts/faults",
        ]
        let resolved = try await templates.resolve(model, for: names.compactMap { parts[$0] })
        let frameTemplates = names.compactMap { frameParts[$0] }
        let frame =
            frameTemplates.isEmpty ? nil : try await frame(of: page, context, for: frameTemplates)
        let rendered = try names.map { name in
            if let template = parts[name] { return try templates.render(template, resolved) }
            guard let frame, let template = frameParts[name] else {
                throw Problem.unknown("page part", "No part is called \(name.prefix(40)).")
            }
            return try templates.render(template, frame)
        }
        if rendered.count == 1 { return .html(rendered[0], status: status) }
        return .html(
            zip(names, rendered).flatMap { name, html in
                Array("<template data-part=\"\(name)\">".utf8) + html + Array("</template>".utf8)
            }, status: status)
    }

    /// A filtered list: `/sessions` is `sessions/sessions` with rows in `sessions/rows`.
    func respond(to context: RequestContext, _ listing: ListQuery, _ model: TemplateModel)
        async throws -> Response
    {
        let name = String(listing.path.dropFirst())
        return try await respond(
            to: context,
            Page(
                title: name.capitalizedFirst, navItem: name, url: listing.pageURL, model: model),
            "\(name)/\(name)",
            parts: ["total": "parts/total", "segments": "parts/segments", "rows": "\(name)/rows"])
    }

    /// Asks for confirmation: the dialog's content if a script requested `part=dialog`, else a
    /// page.
    func confirm(
        _ context: RequestContext, _ title: String, navItem: String,
        status: Int = 200, setting cookie: String? = nil, _ model: ConfirmModel
    ) async throws -> Response {
        let path = String(model.backURL.prefix { $0 != "?" })
        return try await respond(
            to: context,
            Page(
                title: title, navItem: navItem, url: path, needsStudioScript: navItem == "studio",
                model: ["confirmation": model]),
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
