import Web

/// Maps the API's errors, by JSON Pointer, to the form's fields.
struct ResendErrors {
    /// Why it was not sent; nil before the first attempt.
    let problem: Problem?

    var method: String? { sentence("/edit/method", "The method") }
    var path: String? { sentence("/edit/path", "The path") }
    var headers: String? { sentence("/edit/headers", "A line") }
    var body: String? { sentence("/edit/body", "The body") }
    var password: String? { sentence("/password", "The password") }

    /// The error that belongs to no field.
    var generalError: String? { problem.flatMap { $0.errors.isEmpty ? $0.detail : nil } }

    private func sentence(_ pointer: String, _ field: String) -> String? {
        problem?.errors.first { $0.pointer == pointer || $0.pointer.hasPrefix(pointer + "/") }.map {
            "\(field) \($0.detail)."
        }
    }
}
