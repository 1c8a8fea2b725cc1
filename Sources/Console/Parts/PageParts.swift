import Templates
import Web

/// Answers a page whole or, with `part`, one live part of it alone.
struct PageParts {
    let templates: Templates
    /// `sessions/sessions`.
    let page: String
    /// A part's name and its template.
    let parts: [String: String]

    func answer(
        _ part: String?, _ model: some Encodable & Sendable, frame: FrameModel,
        setting cookie: String? = nil
    ) throws -> Response {
        guard let part else {
            return .html(
                try templates.render(page, model, layout: "layouts/console"), setting: cookie)
        }
        if part == "places" { return .html(try templates.render("parts/places", frame)) }
        if part == "clock" { return .html(try templates.render("parts/clock", frame)) }
        if part == "banner" { return .html(try templates.render("parts/banner", frame)) }
        if part == "trouble" { return .html(try templates.render("parts/trouble", frame)) }
        guard let template = parts[part] else { throw Problem.unknownPart(part) }
        return .html(try templates.render(template, model))
    }
}

extension PageParts {
    /// A list under its filters: `sessions` is `sessions/sessions` with rows
    /// in `sessions/rows`.
    static func list(_ name: String, _ templates: Templates) -> PageParts {
        PageParts(
            templates: templates, page: "\(name)/\(name)",
            parts: ["total": "parts/total", "segments": "parts/segments", "rows": "\(name)/rows"])
    }

    /// A question: the dialog's content where a script asked for it with
    /// `part=dialog`, else a page.
    static func confirm(
        _ part: String?, _ model: ConfirmModel, _ templates: Templates,
        setting cookie: String? = nil
    ) throws -> Response {
        try PageParts(
            templates: templates, page: "parts/confirmpage", parts: ["dialog": "parts/confirm"]
        ).answer(part, model, frame: model.frame, setting: cookie)
    }
}

extension Problem {
    static func unknownPart(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-part", title: "This page has no such part",
            detail: "No part is called \(name.prefix(40)).")
    }
}
