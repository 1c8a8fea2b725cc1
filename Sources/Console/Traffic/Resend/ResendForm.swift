import Traffic
import Web
import Workspaces

/// The form that edits a request before resending it.
struct ResendForm {
    private let form: Form

    /// The field `headers` has one `Name: value` per line.
    init(_ form: Form) throws(Problem) { self.form = form }

    /// Returns only the parts that differ from the recorded request.
    func edit(of detail: ExchangeDetail) throws(Problem) -> Resend.Edit {
        var edit = Resend.Edit()
        edit.password = form["password"]?.nonEmpty
        if let method = form["method"], method != detail.exchange.method {
            edit.method = method.uppercased()
        }
        if let path = form["path"], path != detail.exchange.pathAndQuery { edit.path = path }
        if let text = form["headers"], Self.normalizingLineEndings(text) != Self.headers(of: detail)
        {
            edit.headers = try Self.fields(text)
        }
        if let body = form["body"],
            Self.normalizingLineEndings(body)
                != Self.normalizingLineEndings(detail.requestBody.text ?? "")
        {
            edit.body = Self.normalizingLineEndings(body)
        }
        return edit
    }

    static func headers(of detail: ExchangeDetail) -> String {
        ResendRequest.resendableFields(detail.requestHeaders.fields).map {
            "\($0.name): \($0.value)"
        }.joined(separator: "\n")
    }

    /// Whether the request contained a password, which was not recorded.
    static func lacksPassword(_ detail: ExchangeDetail) -> Bool {
        let placeholder = ResendRequest.passwordPlaceholder
        return detail.requestBody.text?.contains(placeholder) == true
            || detail.exchange.url.contains(placeholder)
            || detail.requestHeaders.fields.contains { $0.value.contains(placeholder) }
    }

    /// Browsers submit CRLF line endings.
    private static func normalizingLineEndings(_ text: String) -> String {
        text.replacing("\r\n", with: "\n")
    }

    private static func fields(_ text: String) throws(Problem) -> [Headers.Field] {
        let lines = HeaderLines(text)
        guard let invalidLine = lines.invalidLine else { return lines.fields }
        throw Problem(
            status: 400, code: "invalid-resend", title: "Invalid request",
            detail: "Invalid header line \"\(invalidLine)\". Each line is a name, "
                + "a colon and a value.",
            errors: [
                .init(
                    pointer: "/edit/headers",
                    detail: "is invalid: \"\(invalidLine)\"; use a name, a colon and a value")
            ])
    }
}
