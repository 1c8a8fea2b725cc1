import Darkroom
import HTTPServer
import SQLite
import Templates

/// Why Foyer cannot start: one line that says what and how to mend it.
struct StartError: Error {
    let line: String

    init(_ line: String) { self.line = line }

    /// In the words of whatever refused.
    init(_ error: any Error) {
        switch error {
        case let error as StartError:
            line = error.line
        case let error as CameraError:
            line = Self.chromium(error).line
        case let error as DatabaseError:
            line = "\(error)."
        case let error as ServerError:
            line = error.detail
        case let error as TemplateError:
            let place = [error.line, error.column]
                .compactMap { $0.map { ":\($0)" } }.joined()
            line = "\(error.file)\(place): \(error.detail)"
        default:
            line = "could not start: \(error)"
        }
    }
}
