import Backend
import Web

/// The supported preferences in a request's `Prefer` header (RFC 7240).
struct SocotoPreferHeader: Sendable {
    private(set) var returnPreference: ReturnPreference?
    private(set) var resolution: Resolution?
    private(set) var wantsCount = false
    /// The supported preferences, as returned in `Preference-Applied`.
    private var applied: [String] = []

    enum ReturnPreference: String, Sendable {
        case minimal, representation
        case headers = "headers-only"
    }

    enum Resolution: String, Sendable {
        case merge = "merge-duplicates"
        case ignore = "ignore-duplicates"
    }

    init(_ request: Request) {
        let preferences = request.headers.all("Prefer").joined(separator: ",").split(separator: ",")
            .map {
                $0.filter { $0 != " " }
            }
        let isWrite = !request.method.isSafe
        for preference in preferences {
            let halves = preference.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let value = String(halves[1])
            switch halves[0] {
            case "return" where isWrite && returnPreference == nil:
                returnPreference = ReturnPreference(rawValue: value)
                guard returnPreference != nil else { continue }
            case "resolution" where request.method == .post && resolution == nil:
                resolution = Resolution(rawValue: value)
                guard resolution != nil else { continue }
            case "count" where !wantsCount:
                wantsCount = ["exact", "planned", "estimated"].contains(value)
                guard wantsCount else { continue }
            case "missing" where isWrite && value == "default": break
            default: continue
            }
            applied.append(preference)
        }
    }

    var wantsRows: Bool { returnPreference == .representation }

    func addAppliedHeader(to response: inout Response) {
        guard !applied.isEmpty else { return }
        response.headers["Preference-Applied"] = applied.joined(separator: ", ")
    }
}
