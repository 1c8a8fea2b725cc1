import Simulator
import Traffic
import Web

/// The path of a page or form: the pattern of its route, and its link.
struct PagePath: Sendable {
    /// `/sessions/{session}`.
    let pattern: String
    /// The text before the first parameter, and the text after each.
    private let texts: [Substring]

    init(_ pattern: String) {
        self.pattern = pattern
        texts = pattern.split(separator: "{").enumerated().map { index, text in
            index == 0 ? text : text.drop { $0 != "}" }.dropFirst()
        }
    }

    /// The path with `values` in place of the pattern's parameters, in order.
    func callAsFunction(_ values: any CustomStringConvertible...) -> String {
        precondition(values.count == texts.count - 1, "\(pattern) has other parameters")
        return zip(values, texts.dropFirst()).reduce(into: String(texts[0])) { path, part in
            path += PercentEncoding.encode(part.0.description)
            path += part.1
        }
    }
}

extension Route {
    init(_ method: Method, _ path: PagePath, handler: @escaping Handler) {
        self.init(method, path.pattern, handler: handler)
    }

    /// A page whose URL has no parameters but that of its parts.
    static func page(_ path: String, handler: @escaping Handler) -> Route {
        Route(.get, path) { context in
            _ = try context.query(allowing: ["part"])
            return try await handler(context)
        }
    }

    static func page(_ path: PagePath, handler: @escaping Handler) -> Route {
        page(path.pattern, handler: handler)
    }
}

/// The paths of pages: each serves its route and its links. Storyboards and walkthroughs extend it.
enum Links {
    static let home = "/"
    static let search = "/search"
    static let shortcuts = "/shortcuts"
    static let addApp = "/add-app"
    static let addedApp = PagePath("/add-app/{app}")
    static let sessions = "/sessions"
    static let seedSession = "/sessions/seed"
    static let signOutAll = "/sessions/sign-out"
    static let tokens = "/tokens"
    static let traffic = "/traffic"
    static let trafficArchive = "/traffic/har"
    static let clearTraffic = "/traffic/clear"
    static let newRequest = "/traffic/new"
    static let deletePickedExchanges = "/traffic/delete"
    static let recording = "/traffic/recording"
    static let importTraffic = "/traffic/import"
    static let compareTraffic = "/traffic/diff"
    static let mailbox = "/mailbox"
    static let clearMailbox = "/mailbox/clear"
    static let readMailbox = "/mailbox/read"
    static let accounts = "/accounts"
    static let backends = "/backend"
    static let addAccount = "/accounts/new"
    static let bulkAddAccounts = "/accounts/bulk"
    static let clock = "/clock"
    static let workspaces = "/workspaces"
    static let snapshots = "/snapshots"
    static let faults = "/faults"
    static let applyFaultPreset = "/faults/preset"
    static let turnOffFaults = "/faults/end"
    static let rules = "/rules"
    static let newRule = "/rules/new"
    static let clearRules = "/rules/clear"

    // MARK: The studio of an app

    static let studio = PagePath("/studio/{app}")
    static let timeline = PagePath("/studio/{app}/timeline")
    static let appLog = PagePath("/studio/{app}/log")
    static let relaunch = PagePath("/studio/{app}/relaunch")
    static let kill = PagePath("/studio/{app}/kill")
    static let killNext = PagePath("/studio/{app}/kill-next")
    static let background = PagePath("/studio/{app}/background")
    static let foreground = PagePath("/studio/{app}/foreground")
    static let openLink = PagePath("/studio/{app}/link")
    static let expireToken = PagePath("/studio/{app}/expire")
    static let refreshToken = PagePath("/studio/{app}/refresh")
    static let studioDevice = PagePath("/studio/{app}/device")
    static let renameDevice = PagePath("/studio/{app}/device/name")
    static let deleteDevice = PagePath("/studio/{app}/device/delete")
    static let addDevice = PagePath("/studio/{app}/devices")
    static let copyAppData = PagePath("/studio/{app}/copy")
    static let seed = PagePath("/studio/{app}/seed")
    static let studioBackend = PagePath("/studio/{app}/backend")
    static let studioProxy = PagePath("/studio/{app}/proxy")
    static let clearStorage = PagePath("/studio/{app}/clear")
    static let storedItem = PagePath("/studio/{app}/storage/{key}")
    static let deleteStoredItem = PagePath("/studio/{app}/storage/{key}/delete")
    static let restorePoint = PagePath("/studio/{app}/restore")

    // MARK: One session

    static let session = PagePath("/sessions/{session}")
    static let refreshSession = PagePath("/sessions/{session}/refresh")
    static let probeSession = PagePath("/sessions/{session}/probe")
    static let testConcurrentRefresh = PagePath("/sessions/{session}/concurrent")
    static let testTokenReuse = PagePath("/sessions/{session}/replay")
    static let testDroppedResponse = PagePath("/sessions/{session}/drop-response")
    static let compareTokens = PagePath("/sessions/{session}/compare")
    static let signOut = PagePath("/sessions/{session}/sign-out")

    // MARK: One exchange, mail, event

    static let exchange = PagePath("/traffic/{exchange}")
    static let exchangeArchive = PagePath("/traffic/{exchange}/har")
    static let exchangeText = PagePath("/traffic/{exchange}/text")
    static let unmaskedExchangeText = PagePath("/traffic/{exchange}/text/unmasked")
    static let exchangeToken = PagePath("/traffic/{exchange}/tokens/{token}")
    static let resend = PagePath("/traffic/{exchange}/resend")
    static let deleteExchange = PagePath("/traffic/{exchange}/delete")
    static let mail = PagePath("/mailbox/{mail}")
    static let mailBody = PagePath("/mailbox/{mail}/body")
    static let mailFile = PagePath("/mailbox/{mail}/eml")
    static let mailAttachment = PagePath("/mailbox/{mail}/attachments/{attachment}")
    static let readMail = PagePath("/mailbox/{mail}/read")
    static let deleteMail = PagePath("/mailbox/{mail}/delete")
    static let event = PagePath("/events/{event}")

    // MARK: One account, workspace, snapshot, fault, rule

    static let account = PagePath("/accounts/{account}")
    static let accountAction = PagePath("/accounts/{account}/{act}")
    static let removeFactor = PagePath("/accounts/{account}/factors/{factor}/remove")
    static let removeIdentity = PagePath("/accounts/{account}/identities/{identity}/remove")
    static let accountMetadata = PagePath("/accounts/{account}/metadata/{name}")
    static let backend = PagePath("/backend/{contract}")
    static let backendOpenAPI = PagePath("/backend/{contract}/openapi.json")
    static let backendSwitch = PagePath("/backend/{contract}/switches/{name}")
    static let switchWorkspace = PagePath("/workspaces/{workspace}/switch")
    static let extendWorkspace = PagePath("/workspaces/{workspace}/extend")
    static let resetWorkspace = PagePath("/workspaces/{workspace}/reset")
    static let deleteWorkspace = PagePath("/workspaces/{workspace}/end")
    static let restoreSnapshot = PagePath("/snapshots/{snapshot}/restore")
    static let deleteSnapshot = PagePath("/snapshots/{snapshot}/delete")
    static let turnOffFault = PagePath("/faults/{fault}/end")
    static let rule = PagePath("/rules/{rule}")
    static let toggleRule = PagePath("/rules/{rule}/toggle")
    static let moveRule = PagePath("/rules/{rule}/move")
    static let deleteRule = PagePath("/rules/{rule}/delete")
    static let intercepted = PagePath("/intercepted/{exchange}")
    static let allIntercepted = "/intercepted"

    /// The form of a new rule, filled in from an exchange.
    static func newRule(like exchange: String, _ kind: String) -> String {
        url(newRule, [("exchange", exchange), ("kind", kind)])
    }

    // MARK: Links with a query, and paths outside the pages

    /// The API path of a stored item.
    static func storageItem(_ instance: AppInstance, _ key: String) -> String {
        "/api/devices/\(instance.device)/apps/\(instance.app)/storage/"
            + PercentEncoding.encode(key)
    }

    /// The proxy prefix for a real app's calls; the backend's path is appended.
    static func proxy(_ workspace: String, _ app: String) -> String { "/proxy/\(workspace)/\(app)" }

    /// Compares two access tokens of a session by their numbers; nil is the stored one.
    static func tokenComparison(_ id: String, from: Int, to: Int?) -> String {
        url(compareTokens(id), [("from", String(from)), ("to", to.map { String($0) })])
    }

    static let appsAPI = "/api/apps"
    static let importTrafficAPI = "/api/exchanges/import"

    /// A request as a command or program, with unmasked tokens.
    static func code(_ code: RequestCode) -> PagePath {
        PagePath("/traffic/{exchange}/\(code.rawValue)")
    }

    static func exchangeDiff(_ a: String, _ b: String) -> String {
        url(compareTraffic, [("a", a), ("b", b)])
    }

    static func sessions(ofApp app: String) -> String { url(sessions, [("app", app)]) }

    /// The prefix of all files.
    static let assets = "/assets/"
    /// The one script of an app's screens.
    static let screenScript = assets + "screen.js"

    /// A file of an app for use in the console.
    static func appAsset(_ app: String, _ file: String) -> String { assets + "apps/\(app)/\(file)" }

    /// The API call that waits for a mail.
    static let waitForMail = "/api/mailbox/wait"

    /// A console path that a form names to return to; nil for anything that could lead to another
    /// site.
    static func validatedBackURL(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 2_048, path.hasPrefix("/"), !path.hasPrefix("//"),
            !path.contains("\\"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return path
    }

    /// `path` with query items; nil values are omitted.
    static func url(_ path: String, _ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value in value.map { (name, $0) } }
        return pairs.isEmpty ? path : path + "?" + Form.encode(pairs)
    }

    static func mailbox(to email: String) -> String { url(mailbox, [("to", email)]) }

    static func snapshots(of app: String?) -> String { url(snapshots, [("app", app)]) }
}

/// Links of an app's screens, for the browser's current device or for a device with its own
/// address.
struct ScreenLinks: Sendable, Equatable {
    /// Prefix of all the app's links; a screen's name follows.
    let startURL: String

    init(app: String, device: String? = nil) {
        let devicePath = device.map { "/devices/\($0)" } ?? ""
        startURL = "\(devicePath)/apps/\(app)/"
    }

    func screenURL(_ screen: String) -> String { startURL + screen }

    func actionURL(_ screen: String, _ action: String) -> String {
        "\(startURL)\(screen)/\(action)"
    }

    /// GET: where the page that an action opens returns to.
    func returnURL(_ screen: String, _ action: String) -> String {
        actionURL(screen, action) + "/return"
    }
}
