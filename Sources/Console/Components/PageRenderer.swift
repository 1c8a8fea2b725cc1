import Templates
import Web

/// Renders a page or, with `part`, a single live part of it.
struct PageRenderer {
    let templates: Templates
    /// `sessions/sessions`.
    let pageTemplate: String
    /// The template of each part, by name.
    let partTemplates: [String: String]

    func response(
        _ part: String?, _ model: some Encodable & Sendable, frame: FrameModel,
        setting cookie: String? = nil
    ) throws -> Response {
        guard let part else {
            return .html(
                try templates.render(pageTemplate, model, layout: "layouts/console"),
                setting: cookie)
        }
        if part == "nav" { return .html(try templates.render("parts/navitems", frame)) }
        if part == "clock" { return .html(try templates.render("parts/clock", frame)) }
        if part == "banner" { return .html(try templates.render("parts/banner", frame)) }
        if part == "faults" { return .html(try templates.render("parts/faults", frame)) }
        guard let template = partTemplates[part] else { throw Problem.unknownPart(part) }
        return .html(try templates.render(template, model))
    }
}

extension PageRenderer {
    /// A filtered list: `sessions` is `sessions/sessions` with rows in `sessions/rows`.
    static func listPage(_ name: String, _ templates: Templates) -> PageRenderer {
        PageRenderer(
            templates: templates, pageTemplate: "\(name)/\(name)",
            partTemplates: [
                "total": "parts/total", "segments": "parts/segments", "rows": "\(name)/rows",
            ])
    }

    /// A confirmation: the dialog's content if a script requested `part=dialog`, else a page.
    static func confirmation(
        _ part: String?, _ model: ConfirmModel, _ templates: Templates,
        setting cookie: String? = nil
    ) throws -> Response {
        try PageRenderer(
            templates: templates, pageTemplate: "parts/confirmpage",
            partTemplates: ["dialog": "parts/confirm"]
        ).response(part, model, frame: model.frame, setting: cookie)
    }
}

extension Problem {
    static func unknownPart(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-part", title: "Unknown page part",
            detail: "No part is called \(name.prefix(40)).")
    }
}

/// The confirmation of an action that cannot be undone: a page or, for a script that requests
/// `part=dialog`, a dialog (`parts/confirm`).
struct ConfirmModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var confirm: Confirm

    struct Confirm: Encodable, Sendable {
        /// The URL the form is posted to.
        var action: String
        /// The action as a question with its count: `Forget 128 exchanges?`
        var question: String
        /// What remains true afterwards.
        var consequence: String
        /// `Forget 128`.
        var confirmLabel: String
        /// `Keep them`.
        var cancelLabel: String
        /// The cancel button's URL.
        var backURL: String
        /// Whether the confirm button is red and the cancel button has the focus.
        var isDestructive: Bool
    }
}
