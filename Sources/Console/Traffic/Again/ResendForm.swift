import Traffic
import Web

/// The form that edits a request before it is sent again.
struct ResendForm {
    private let form: Form

    /// A header a line, `Name: value`.
    init(_ form: Form) throws(Problem) { self.form = form }

    /// Only what differs from the recorded request counts as edited.
    func edit(of detail: ExchangeDetail) throws(Problem) -> Resending.Edit {
        var edit = Resending.Edit()
        edit.password = form["password"]?.given
        if let method = form["method"], method != detail.exchange.method {
            edit.method = method.uppercased()
        }
        if let path = form["path"], path != detail.exchange.path { edit.path = path }
        if let text = form["headers"], Self.plain(text) != Self.headers(of: detail) {
            edit.headers = try Self.fields(text)
        }
        if let body = form["body"], Self.plain(body) != Self.plain(detail.requestBody.text ?? "") {
            edit.body = Self.plain(body)
        }
        return edit
    }

    static func headers(of detail: ExchangeDetail) -> String {
        ResendRequest.kept(detail.requestHeaders.fields).map { "\($0.name): \($0.value)" }.joined(
            separator: "\n")
    }

    /// Whether a password stood in it that was not recorded.
    static func lacksPassword(_ detail: ExchangeDetail) -> Bool {
        let mark = ResendRequest.mark
        return detail.requestBody.text?.contains(mark) == true || detail.exchange.url.contains(mark)
            || detail.requestHeaders.fields.contains { $0.value.contains(mark) }
    }

    /// Forms send line ends of their own.
    private static func plain(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

    private static func fields(_ text: String) throws(Problem) -> [Headers.Field] {
        let lines = HeaderLines(text)
        guard let odd = lines.odd else { return lines.fields }
        throw Problem(
            status: 400, code: "invalid-resend", title: "It cannot be sent like this",
            detail: "Each line of the headers is a name, a colon and a value; "
                + "\"\(odd)\" is none.",
            errors: [
                .init(
                    pointer: "/edit/headers",
                    detail: "is a name, a colon and a value; \"\(odd)\" is none")
            ])
    }
}
