import DesignTokens
import Storyboards
import Web

/// The JSON API.
enum API {
    /// All endpoints, in the order of the OpenAPI document.
    static let endpoints =
        [health] + SearchAPI.endpoints + AppsAPI.endpoints + StoryboardAPI.endpoints
        + PicturesAPI.endpoints
        + DesignTokensAPI.endpoints + WalkthroughAPI.endpoints + DevicesAPI.endpoints
        + DeviceAppsAPI.endpoints
        + SessionsAPI.endpoints
        + TokensAPI.endpoints + ExchangesAPI.endpoints + MailboxAPI.endpoints
        + BackendAPI.endpoints + AccountsAPI.endpoints + WorkspacesAPI.endpoints
        + SnapshotsAPI.endpoints + ClockAPI.endpoints + FaultsAPI.endpoints
        + RulesAPI.endpoints + EventsAPI.endpoints

    static func routes(
        _ services: Services, _ accessGuard: Guard, _ stateCache: StateCache,
        _ walkthroughSessions: WalkthroughSessions, _ folders: AppFolders, _ pictures: PictureTaker
    ) -> [Route] {
        let encodedEvents = EncodedEventCache()
        return endpoints.map { endpoint in
            Route(endpoint.method, endpoint.path, access: endpoint.access) { context in
                try await endpoint.respond(
                    APICall(
                        context: context, services: services,
                        accessGuard: accessGuard, encodedEvents: encodedEvents,
                        stateCache: stateCache, walkthroughSessions: walkthroughSessions,
                        folders: folders, pictures: pictures))
            }
        } + [
            OpenAPI.route(describing: endpoints, version: services.version),
            APIDocs.route(describing: endpoints, services),
        ]
    }

    private static let health = Endpoint(
        .get, "/health", "health", "Reports whether Foyer is running. Requires no key.",
        access: .open,
        returning: .ok(
            Representation<String>(
                "Health", [.init("status") { _ in "ok" }, .init("version") { $0 }]),
            "Foyer is running.")
    ) { call in call.services.version }
}
