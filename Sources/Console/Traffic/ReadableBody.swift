import Traffic
import Web

/// Formats a recorded body for display.
enum ReadableBody {
    /// JSON indented, a form with one field per line, other text unchanged; for binary data only a
    /// note. Nil without a body.
    static func text(
        _ body: ExchangeDetail.RecordedBody, _ headers: Headers, _ detail: ExchangeDetail
    )
        -> String?
    {
        guard body.length > 0 else { return nil }
        guard let text = body.text else { return "\(Format.size(body.length)) that are no text" }
        if isForm(headers), let fields = fields(text) { return detail.masked(fields) }
        let masked = detail.masked(text)
        return IndentedJSON.text(masked) ?? masked
    }

    static func isForm(_ headers: Headers) -> Bool {
        headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded")
            ?? false
    }

    /// For instance `grant_type = refresh_token`, decoded; nil if it is not a form.
    private static func fields(_ text: String) -> String? {
        let request = Request(
            method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(text.utf8))
        guard let form = try? Form(request), !form.items.isEmpty else { return nil }
        return form.items.map { "\($0.name) = \($0.value)" }.joined(separator: "\n")
    }
}
