import Web

/// Body errors in the format of Mystica's server.
extension MysticaFailure {
    init(_ error: BodyError) {
        self =
            switch error {
            case .unsupportedMediaType:
                MysticaFailure(
                    415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as Content-Type: application/json"
                )
            case .malformed:
                MysticaFailure(400, "INVALID_JSON", "The request body is not valid JSON")
            case .notAnObject:
                MysticaFailure(400, "INVALID_JSON", "The request body must be a JSON object")
            case .notAString(let name): .field(name, "Expected string", code: "invalid_type")
            case .tooLong(let name, let limit):
                .field(name, "Must have at most \(limit) bytes", code: "too_big")
            case .containsNUL(let name):
                .field(name, "Must not hold a NUL character", code: "invalid_string")
            }
    }
}
