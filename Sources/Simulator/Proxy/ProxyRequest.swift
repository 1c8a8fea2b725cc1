package import Web

/// A real app's request on its way through to a backend.
package struct ProxyRequest: Sendable {
    package var workspace: String
    package var app: String
    /// The device it named; nil gives it its own.
    package var device: String?
    /// The device whose choice of a backend its own begins with; nil leaves it
    /// with the manifest's first.
    package var templateDevice: String?
    package var request: Request
    /// Below the app's address, as sent: empty, or from `/` or `?` on.
    package var relativeTarget: String
    /// How the client spells the app's address here, without a slash at the
    /// end.
    package var clientBaseURL: String

    package init(
        workspace: String, app: String, device: String?, templateDevice: String? = nil,
        request: Request,
        relativeTarget: String, clientBaseURL: String
    ) {
        self.workspace = workspace
        self.app = app
        self.device = device
        self.templateDevice = templateDevice
        self.request = request
        self.relativeTarget = relativeTarget
        self.clientBaseURL = clientBaseURL
    }

    /// `rest` without the query.
    var path: String { String(relativeTarget.prefix { $0 != "?" }) }

    var query: [(name: String, value: String)] {
        guard let mark = relativeTarget.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return Form.parseLeniently(relativeTarget[relativeTarget.utf8.index(after: mark)...])
    }

    /// What the client calls itself: the product of its `User-Agent`.
    var clientName: String {
        let name = request.headers["User-Agent"]?.utf8.prefix {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        return String(decoding: (name ?? "".utf8[...]).prefix(32), as: UTF8.self)
    }

    /// Refuses what could lead out of the backend's base, in any spelling a
    /// server might take for it.
    func validatePath() throws(Problem) {
        let isPlain = relativeTarget.utf8.allSatisfy { ![0x23, 0x25, 0x2E, 0x5C].contains($0) }
        if isPlain { return }
        let parts = path.lowercased().replacing("%2f", with: "/").replacing("%5c", with: "/")
            .replacing("\\", with: "/").replacing("%2e", with: ".").replacing("%3b", with: ";")
            .split(separator: "/")
            // What stands behind a semicolon some servers take for no part
            // of a segment.
            .map { $0.prefix { $0 != ";" } }
        guard !parts.contains("."), !parts.contains(".."), !path.contains("#") else {
            throw Problem(
                status: 400, code: "malformed-target", title: "The address is malformed",
                detail: "Its path is refused: it holds a dot segment or a fragment.")
        }
    }
}
