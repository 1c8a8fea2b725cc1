import Apps
import Simulator
import Web
import Workspaces

/// Signs in from a seed.
extension StudioPages {
    /// Creates an account on the embedded backend and signs it in on this device, as far as the
    /// requested state goes.
    @Sendable func signInFromSeed(_ instance: AppInstance, _ context: RequestContext) async throws {
        let form = try Form(context.request)
        let states = Seed.State.allCases.filter(\.isSignedIn).map(\.rawValue)
        let state = try form.choice("state", of: states).flatMap(Seed.State.init) ?? .signedIn
        let status = try await services.simulator.status(instance)
        if let session = status.session, session.endedAt == nil {
            throw Problem(
                status: 409, code: "signed-in", title: "A user is already signed in on this device",
                detail: "Sign out on the device, or clear the app data first.")
        }
        guard
            let contract = services.appCatalog.contract(
                ofBackend: status.backend, app: instance.app)
        else {
            throw Problem(
                status: 409, code: "no-seeds", title: "This backend has no test users",
                detail: "Test users need the embedded backend: " + "select it above the device.")
        }
        _ = try await services.seeder.seed(
            Seed(app: instance.app, state: state), on: instance, contract: contract,
            opensScreen: true)
    }
}

extension Seed.State {
    /// The name on a control: `Signed in`, `Expired token`.
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
