import BrowserCapture
import Console
import Crypto
import HTTPServer
import SQLite
import Storyboards
import Templates
import Web

/// Why Foyer cannot start: one line with the cause and how to fix it.
struct StartError: Error {
    let message: String

    init(_ line: String) { self.message = line }

    /// Converts an error of any module.
    init(_ error: any Error) {
        switch error {
        case let error as StartError: message = error.message
        case let error as ScreenshotError: message = Self.chromium(error).message
        case let failure as PictureRun.Failure:
            let state = failure.state
            message =
                Self.chromium(failure.error, at: "\(state.app) \(state.screen) \(state.state)")
                .message
        case let error as PictureFolder.WriteError: message = Self.pictureFolder(error).message
        case let error as DatabaseError: message = "\(error)."
        case let error as ServerError: message = error.detail
        case let error as CryptoError where error.kind == .wrongKey:
            message =
                "the data folder's sealing.key is not the one its databases were encrypted with, "
                + "or their contents were changed; restore its backup, or move the data folder "
                + "away to start over."
        case let error as CryptoError:
            message =
                "a key in the data folder's databases cannot be used (\(error.detail)); restore a "
                + "backup of the folder, or move it away to start over."
        case let error as TransportFailure:
            message = "the HTTP client cannot start: \(error.detail)."
        case let problem as Problem: message = "\(problem.title): \(problem.detail)"
        case let error as TemplateError:
            let position = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            message = "\(error.file)\(position): \(error.detail)"
        default:
            // All expected errors are listed above; this one is missing.
            message = "unexpected error at start (\(type(of: error))); please report it."
        }
    }

    /// Explains how to get Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of " + Chromium.executableNames.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; otherwise use --chromium FILE.")

    /// The pictures cannot be written.
    static func pictureFolder(_ error: PictureFolder.WriteError) -> StartError {
        let line =
            switch error {
            case .isFile(let path): "\(path) is a file; --out needs a folder."
            case .notWritable(let path, let reason):
                "\(path) is not writable (\(reason)); fix its permissions or use another folder "
                    + "with --out."
            case .notWritten(let path):
                "\(path) cannot be written; free some space or use another folder with --out."
            }
        return StartError(line)
    }

    /// Chromium failed, at the named picture.
    static func chromium(_ error: ScreenshotError, at picture: String? = nil) -> StartError {
        let suffix = picture.map { " at \($0)" } ?? ""
        let fix = "Try it manually: chromium --headless --screenshot about:blank"
        let line =
            switch error {
            case .notInstalled: noChromium.message
            case .busy: "Chromium is busy."
            case .notStarted(let reason):
                "Chromium could not be started (\(reason)); use another one with --chromium."
            case .ended(let message):
                "Chromium exited\(suffix)" + (message.map { ": \($0)" } ?? ".") + " \(fix)"
            case .timedOut(let time):
                "Chromium did not respond within \(time.components.seconds) s\(suffix) and was "
                    + "killed. \(fix)"
            case .closed: "Chromium was stopped before its screenshots were taken."
            case .notLoaded, .badStatus, .commandFailed, .invalidImage:
                "Chromium failed to take a screenshot\(suffix): "
                    + "\(error.pictureFailureReason ?? "no reason given"). \(fix)"
            }
        return StartError(line)
    }
}
