/// Why a server cannot start.
package struct ServerError: Error, Sendable, Equatable {
    package var kind: Kind
    package var detail: String

    package init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    package enum Kind: String, Sendable {
        case portInUse = "portTaken"
        case addressUnavailable = "addressRefused"
        case libraryFailure = "library"
    }
}
