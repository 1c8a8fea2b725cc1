import Web

/// Says beside the form's fields what the API says by their pointers.
struct ResendErrors {
    /// Why it was not sent; nil before it was tried.
    let problem: Problem?

    var method: String? { sentence("/edit/method", "The method") }
    var path: String? { sentence("/edit/path", "The path") }
    var headers: String? { sentence("/edit/headers", "A line") }
    var body: String? { sentence("/edit/body", "The body") }
    var password: String? { sentence("/password", "The password") }

    /// What is wrong with none of them.
    var generalError: String? { problem.flatMap { $0.errors.isEmpty ? $0.detail : nil } }

    private func sentence(_ place: String, _ field: String) -> String? {
        problem?.errors.first { $0.pointer == place || $0.pointer.hasPrefix(place + "/") }.map {
            "\(field) \($0.detail)."
        }
    }
}
