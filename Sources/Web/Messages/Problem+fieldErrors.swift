extension Problem {
    /// Invalid input: `detail` lists all wrong fields, so that a caller can fix them in one go, and
    /// then `note`.
    package init(
        errors: [FieldError], code: String = "invalid-body",
        title: String = "The body has fields that are wrong", note: String = ""
    ) {
        let details = errors.map { "\($0.pointer) \($0.detail)" }
        self.init(
            status: 400, code: code, title: title,
            detail: details.joined(separator: "; ") + "." + note, errors: errors)
    }
}
