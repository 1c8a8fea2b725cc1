import DesignTokens
import Inspection
import Storyboards
import Web
import Workspaces

/// The complete route table of the site.
enum Routes {
    static func all(
        _ services: Services,
        _ accessGuard: Guard, _ stateCache: StateCache, publicFolder: String, userApps: String?
    ) -> [Route] {
        let assets = AssetPages(services: services, publicFolder: publicFolder, userApps: userApps)
        let api = API.routes(services, accessGuard)
        let proxy = ProxyPages(services: services, accessGuard: accessGuard)
        let tiles = TilePages(services: services, stateCache: stateCache)
        let exports = ExportPages(services: services, stateCache: stateCache, assets: assets)
        return assets.routes + proxy.routes
            + services.reloadingManifests(tiles.routes + exports.routes)
            + ScreenPages(services: services).routes
            + consolePages(
                services, stateCache, CardArtwork(publicFolder: publicFolder, userApps: userApps),
                AppStyleSheets.Folders(publicFolder: publicFolder, userAppsFolder: userApps)) + api
    }

    /// The console's HTML pages.
    private static func consolePages(
        _ services: Services,
        _ stateCache: StateCache, _ cardArtwork: CardArtwork, _ folders: AppStyleSheets.Folders
    ) -> [Route] {
        let home = HomePages(services: services, cardArtwork: cardArtwork)
        let studio = StudioPages(services: services)
        let sessions = SessionsPages(services: services)
        let traffic = TrafficPages(services: services)
        let mailbox = MailboxPages(services: services)
        let events = EventPages(services: services)
        let clock = ClockPages(services: services)
        let tokens = TokensPages(services: services)
        let accounts = AccountsPages(services: services)
        let workspaces = WorkspacesPages(services: services)
        let faults = FaultsPages(services: services)
        let snapshots = SnapshotsPages(services: services)
        let designTokens = DesignTokensPages(services: services, folders: folders)
        let storyboard = StoryboardPages(services: services, stateCache: stateCache)
        let walkthrough = WalkthroughPages(
            services: services,
            walkthroughSessions: WalkthroughSessions(
                simulator: services.simulator, backend: services.backend,
                exchanges: services.exchanges, catalog: services.appCatalog,
                leases: services.leases, backendBase: services.backendBase), stateCache: stateCache)
        let storyboards = services.reloadingManifests(storyboard.routes + designTokens.routes)
        return workspaces.routes
            + services.scopeResolver.settingDeviceCookies(
                services.reloadingManifests(walkthrough.routes) + home.routes + studio.routes
                    + sessions.routes + traffic.routes + mailbox.routes + events.routes
                    + clock.routes + accounts.routes + faults.routes + tokens.routes
                    + snapshots.routes + storyboards)
    }
}
