/// The Mustache templates of one or more folders.
///
/// A template is named by its path without `.mustache`: `console/home`,
/// `apps/mystica/login`. All are parsed at start; a file that changed is read
/// again at the next rendering. Partials are named the same way.
package final class Templates: Sendable {
    /// `folders` in order of precedence.
    package init(folders: [String]) throws(TemplateError) {
        preconditionFailure("not built yet")
    }

    /// Every template that does not parse now.
    package func problems() -> [TemplateError] {
        preconditionFailure("not built yet")
    }

    package func contains(_ name: String) -> Bool {
        preconditionFailure("not built yet")
    }

    /// UTF-8 text. With `layout`, the layout is rendered with the same model
    /// and `{{{body}}}` is the rendered template.
    package func render(
        _ name: String, _ model: some Encodable, layout: String? = nil
    ) throws(TemplateError) -> [UInt8] {
        preconditionFailure("not built yet")
    }
}
