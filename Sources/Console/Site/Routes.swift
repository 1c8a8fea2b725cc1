import DesignTokens
import Storyboards
import Web

/// The complete route table of the site.
enum Routes {
    static func all(
        _ services: Services, _ accessGuard: Guard, _ stateCache: StateCache,
        _ pictures: PictureTaker, publicFolder: String, userApps: String?
    ) -> [Route] {
        let assets = pictures.assets
        let tiles = TilePages(services: services, stateCache: stateCache)
        let pages = PicturesPages(services: services, taker: pictures)
        let exports = ExportPages(services: services, stateCache: stateCache, assets: assets)
        let folders = AppFolders(publicFolder: publicFolder, userAppsFolder: userApps)
        let walkthroughSessions = WalkthroughSessions(
            simulator: services.simulator, backend: services.backend,
            exchanges: services.exchanges, catalog: services.appCatalog,
            leases: services.leases, backendBase: services.backendBase)
        return [
            assets.routes, ProxyPages(services: services, accessGuard: accessGuard).routes,
            services.reloadingManifests(tiles.routes + exports.routes + pages.routes),
            ScreenPages(services: services).routes, WorkspacesPages(services: services).routes,
            services.scopeResolver.settingDeviceCookies(
                consolePages(services, stateCache, walkthroughSessions, folders)),
            API.routes(
                services, accessGuard, stateCache, walkthroughSessions, folders, pictures),
        ].flatMap(\.self)
    }

    /// The console's HTML pages.
    private static func consolePages(
        _ services: Services, _ stateCache: StateCache,
        _ walkthroughSessions: WalkthroughSessions, _ folders: AppFolders
    ) -> [Route] {
        let walkthroughs = WalkthroughPages(
            services: services,
            walkthroughSessions: walkthroughSessions, stateCache: stateCache)
        let storyboards = StoryboardPages(services: services, stateCache: stateCache)
        let designTokens = DesignTokensPages(services: services, folders: folders)
        return [
            services.reloadingManifests(
                walkthroughs.routes + storyboards.routes + designTokens.routes),
            HomePages(services: services, folders: folders).routes,
            AddAppPages(services: services).routes, SearchPages(services: services).routes,
            StudioPages(services: services).routes, SessionsPages(services: services).routes,
            TrafficPages(services: services).routes, MailboxPages(services: services).routes,
            EventPages(services: services).routes, ClockPages(services: services).routes,
            AccountsPages(services: services).routes, BackendPages(services: services).routes,
            FaultsPages(services: services).routes,
            RulesPages(services: services).routes,
            TokensPages(services: services).routes, SnapshotsPages(services: services).routes,
        ].flatMap(\.self)
    }
}
