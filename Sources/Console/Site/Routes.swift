import Inspection
import Storyboards
import Web
import Workspaces

/// The complete route table of the site.
enum Routes {
    static func all(
        _ services: Services, _ scopeResolver: ScopeResolver,
        _ signatureVerifier: SignatureVerifier,
        _ leases: Leases,
        _ accessGuard: Guard, _ stateCache: StateCache, publicFolder: String, userApps: String?
    ) -> [Route] {
        let assets = AssetPages(services: services, publicFolder: publicFolder, userApps: userApps)
        let api = API.routes(services, scopeResolver, signatureVerifier, leases, accessGuard)
        let proxy = ProxyPages(
            services: services, scopeResolver: scopeResolver, accessGuard: accessGuard,
            frames: FrameBuilder(services: services))
        let tiles = TilePages(services: services, stateCache: stateCache)
        let exports = ExportPages(services: services, stateCache: stateCache, assets: assets)
        return assets.routes + proxy.routes
            + services.reloadingManifests(tiles.routes + exports.routes)
            + ScreenPages(services: services, scopeResolver: scopeResolver).routes
            + consolePages(
                services, scopeResolver, signatureVerifier, leases, stateCache,
                CardArtwork(publicFolder: publicFolder, userApps: userApps),
                AppStyleSheets.Folders(publicFolder: publicFolder, userAppsFolder: userApps)) + api
            + [
                OpenAPI.route(describing: api, version: services.version)
            ]
    }

    /// The console's HTML pages.
    private static func consolePages(
        _ services: Services, _ scopeResolver: ScopeResolver,
        _ signatureVerifier: SignatureVerifier,
        _ leases: Leases,
        _ stateCache: StateCache, _ cardArtwork: CardArtwork, _ folders: AppStyleSheets.Folders
    ) -> [Route] {
        let frames = FrameBuilder(services: services)
        let home = HomePages(
            services: services, scopeResolver: scopeResolver, frames: frames,
            cardArtwork: cardArtwork)
        let studio = StudioPages(
            services: services, scopeResolver: scopeResolver, signatureVerifier: signatureVerifier,
            frames: frames)
        let sessions = SessionsPages(
            services: services, scopeResolver: scopeResolver, signatureVerifier: signatureVerifier,
            frames: frames)
        let traffic = TrafficPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let mailbox = MailboxPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let events = EventPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let clock = ClockPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let tokens = TokensPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let accounts = AccountsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let workspaces = WorkspacesPages(
            services: services, scopeResolver: scopeResolver, leases: leases, frames: frames)
        let faults = FaultsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let snapshots = SnapshotsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let designTokens = DesignTokensPages(
            services: services, scopeResolver: scopeResolver, frames: frames, folders: folders)
        let storyboard = StoryboardPages(
            services: services, scopeResolver: scopeResolver, frames: frames, stateCache: stateCache
        )
        let walkthrough = WalkthroughPages(
            services: services, scopeResolver: scopeResolver, frames: frames,
            walkthroughSessions: WalkthroughSessions(
                simulator: services.simulator, backend: services.backend,
                exchanges: services.exchanges, catalog: services.appCatalog, leases: leases,
                backendBase: services.backendBase),
            stateCache: stateCache)
        let storyboards = services.reloadingManifests(storyboard.routes + designTokens.routes)
        return workspaces.routes
            + scopeResolver.settingDeviceCookies(
                services.reloadingManifests(walkthrough.routes) + home.routes + studio.routes
                    + sessions.routes + traffic.routes + mailbox.routes + events.routes
                    + clock.routes + accounts.routes + faults.routes + tokens.routes
                    + snapshots.routes + storyboards)
    }
}
