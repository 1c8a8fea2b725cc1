import FoundationEssentials
import Glibc
import Web

@testable import Backend

/// A request and its response as readable text, recorded in a file.
///
/// Values that differ from run to run are replaced by names: the first UUID is `<uuid 1>`, and so
/// on. `FOYER_RECORD=1` rewrites the files; check the differences before committing them.
struct Transcript {
    let text: String

    init(title: String, _ request: Request, _ reply: Reply) {
        var lines = ["# \(title)", ""]
        lines.append("> \(request.method.rawValue) \(request.target)")
        for field in request.headers.fields { lines.append("> \(field.name): \(field.value)") }
        lines += Self.body(String(decoding: request.body, as: UTF8.self), mark: ">")
        lines += ["", "< \(reply.status)"]
        for field in reply.headers.fields { lines.append("< \(field.name): \(field.value)") }
        lines += Self.body(reply.text, mark: "<")
        text = Self.replacingRandomValues(lines.joined(separator: "\n") + "\n")
    }

    /// A transcript of given lines.
    init(title: String, lines: [String]) {
        text = Self.replacingRandomValues(
            (["# \(title)", ""] + lines).joined(separator: "\n") + "\n")
    }

    /// A mail as it would be sent.
    init(title: String, mail: Mail) {
        var lines = ["# \(title)", ""]
        lines += mail.headers.map { "\($0.name): \($0.value)" }
        lines += ["", mail.text, mail.html]
        text = Self.replacingRandomValues(lines.joined(separator: "\n"))
    }

    private static func body(_ text: String, mark: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return [mark]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? mark : "\(mark) \($0)"
            }
    }

    /// Replaces every random value by a name, equal values by equal names.
    private static func replacingRandomValues(_ text: String) -> String {
        let random =
            #/
            (?<hash>(token=)?\b(pkce_)?[0-9a-f]{56}\b)
            | (?<chain>(refresh_token=)?\bA[\w\-]{45}\b)
            | (?<jwt>(access_token=)?eyJ[\w\-]+\.[\w\-]+\.[\w\-]+) | (?<refresh>rt_[\w\-]{20,})
            | (?<link>token=[\w\-]{43}) | (?<secret>value="[\w\-]{43}")
            | (?<uuid>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})
            | (?<coordinate>"[xy]":"[\w\-]{43}")
            | (?<grant>(code=|ya29\.|1%2F%2F|1\/\/)[\w\-]{43})
            | (?<totp>\b[A-Z2-7]{32}\b) | (?<image>M4\ 4h7[Mhvz\d\ \-]+)
            | (?<hex>\b[0-9a-f]{64}\b) | (?<code>\b(?!000000)\d{6}\b)
            /#
        var names: [String: String] = [:]
        var counts: [String: Int] = [:]
        return replacingGoogleSecrets(text).replacing(random) { match in
            let value = String(match.output.0)
            if let name = names[value] { return name }
            let output = match.output
            let kind =
                output.jwt != nil
                ? "access token"
                : output.refresh != nil || output.hex != nil || output.chain != nil
                    ? "refresh token"
                    : output.link != nil || output.secret != nil || output.hash != nil
                        ? value.contains("pkce_") ? "pkce link token" : "link token"
                        : output.uuid != nil
                            ? "uuid"
                            : output.code != nil
                                ? "code"
                                : output.grant != nil
                                    ? "provider token"
                                    : output.totp != nil
                                        ? "TOTP secret"
                                        : output.image != nil ? "QR code" : "coordinate"
            counts[kind, default: 0] += 1
            let name = "<\(kind) \(counts[kind] ?? 0)>"
            names[value] = name
            return name
        }
    }

    private static var folder: String {
        String(#filePath.dropLast("Transcript.swift".count)) + "Transcripts/"
    }

    /// The recorded text of that name. Records the current one first if `FOYER_RECORD` is set.
    func recordedText(as name: String) throws -> String {
        let path = Self.folder + name + ".txt"
        if getenv("FOYER_RECORD") != nil {
            let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            return "no transcript at \(path)"
        }
        return String(decoding: data, as: UTF8.self)
    }
}
