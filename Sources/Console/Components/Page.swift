import Core
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
    /// The newest event before its model was built; live updates start after it. Nil for the newest
    /// when it is rendered.
    var lastEventID: Int64?
    /// What its parts depend on besides its URL: browsers with the same key share them. Nil for
    /// parts that are not shared.
    var sharedPartsKey: [String]?
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
        if let part = context.target.query.value(of: "part") {
            let names = part.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            guard Set(names).count == names.count else {
                throw Problem.unknown("page part", "A part is named twice.")
            }
            let html =
                page.sharedPartsKey == nil
                ? try await render(names, of: page, context, context.csrfToken, parts)
                : try await shared(names, of: page, context, parts)
            guard html.count > 1 else { return .html(html[0], status: status) }
            let wrapped = zip(names, html).flatMap { name, html in
                Array("<template data-part=\"\(name)\">".utf8) + html + Array("</template>".utf8)
            }
            return .html(wrapped, status: status)
        }
        let model = page.model.merging(["csrf": context.csrfToken, "partURL": page.partURL])
        let frame = try await frame(of: page, context)
        let resolved = try await templates.resolve(model, for: [template, "layouts/console"])
        return .html(
            try templates.render(
                template, resolved.merging(["frame": frame]), layout: "layouts/console"),
            status: status, setting: cookie)
    }

    /// Renders parts of a page, in the order of `names`.
    private func render(
        _ names: [String], of page: Page, _ context: RequestContext, _ csrf: String,
        _ parts: [String: String]
    ) async throws -> [[UInt8]] {
        let frameParts = [
            "nav": "parts/navitems", "clock": "parts/clock", "banner": "parts/banner",
            "faults": "parts/faults",
        ]
        let model = try await templates.resolve(
            page.model.merging(["csrf": csrf, "partURL": page.partURL]),
            for: names.compactMap { parts[$0] })
        let frameTemplates = names.compactMap { frameParts[$0] }
        let frame =
            frameTemplates.isEmpty
            ? nil
            : try await frame(of: page, context, for: frameTemplates).merging(["csrf": csrf])
        return try names.map { name in
            if let template = parts[name] { return try templates.render(template, model) }
            guard let frame, let template = frameParts[name] else {
                throw Problem.unknown("page part", "No part is called \(name.prefix(40)).")
            }
            return try templates.render(template, frame)
        }
    }

    /// The parts as another browser with the same key received them. They have no CSRF token; a page
    /// sets its own in them.
    private func shared(
        _ names: [String], of page: Page, _ context: RequestContext, _ parts: [String: String]
    ) async throws -> [[UInt8]] {
        let keys = names.map { [page.url, $0] + (page.sharedPartsKey ?? []) }
        var html = keys.map { sharedParts[$0] }
        let missing = names.indices.filter { html[$0] == nil }
        let rendered = try await render(missing.map { names[$0] }, of: page, context, "", parts)
        for (index, part) in zip(missing, rendered) {
            html[index] = part
            sharedParts[keys[index]] = part
        }
        return html.compactMap(\.self)
    }

    /// A filtered list: `/sessions` is `sessions/sessions` with rows in `sessions/rows`.
    func respond(
        to context: RequestContext, _ listing: ListQuery, _ model: TemplateModel,
        script: String? = nil, parts: [String: String] = [:], status: Int = 200
    ) async throws -> Response {
        let name = String(listing.path.dropFirst())
        let listParts = [
            "total": "parts/total", "segments": "parts/segments", "rows": "\(name)/rows",
        ]
        return try await respond(
            to: context,
            Page(
                title: name.capitalizedFirst, navItem: name, url: listing.pageURL, script: script,
                model: model),
            "\(name)/\(name)", parts: listParts.merging(parts) { $1 }, status: status)
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
