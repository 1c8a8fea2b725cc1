extension Problem {
    /// Input with fields that are wrong: all are told, so that a caller mends
    /// them in one go. `note` follows them.
    package init(
        errors: [FieldError], code: String = "invalid-body",
        title: String = "The body has fields that are wrong", note: String = ""
    ) {
        let words = errors.map { "\($0.pointer) \($0.detail)" }
        self.init(
            status: 400, code: code, title: title,
            detail: words.joined(separator: "; ") + "." + note, errors: errors)
    }
}
