import Simulator
import Web

/// Signing in without typing.
extension StudioPages {
    /// Makes somebody on the embedded backend and signs them in on this
    /// device, as far as the state asked for goes.
    @Sendable func seed(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let form = try Form(visit.request)
        let states = Seed.State.allCases.filter(\.isInside).map(\.rawValue)
        let state = try form.choice("state", of: states).flatMap(Seed.State.init) ?? .signedIn
        let situation = try await services.simulator.situation(place)
        if let session = situation.session, session.endedAt == nil {
            throw Problem(
                status: 409, code: "signed-in", title: "Somebody is signed in on this device",
                detail: "Sign out on the phone, or forget the storage, then start from a seed."
            )
        }
        guard let contract = services.contract(ofBackend: situation.backend, app: place.app) else {
            throw Problem(
                status: 409, code: "no-seeds", title: "This backend takes no seeds",
                detail: "People can be made on the embedded backend only: "
                    + "choose it above the phone.")
        }
        _ = try await Seeding(services: services).plant(
            Seed(app: place.app, state: state), on: place, contract: contract, isLookedAt: true)
        return back(place)
    }
}

extension Seed.State {
    /// On a control: `Signed in`, `Expired token`.
    var label: String {
        switch self {
        case .unverified: "Unverified"
        case .verified: "Verified"
        case .locked: "Locked"
        case .signedIn: "Signed in"
        case .expired: "Expired token"
        case .revoked: "Revoked session"
        }
    }
}
