import Apps
import Core
import Crypto
import FoundationEssentials
import Traffic
import Web

/// The app's browser: the page that an action opens, and its result.
extension Simulator {
    /// Loads the opened page as a browser does, with its style sheets; nil if the site does not
    /// respond with a page.
    package func loadOpenedPage(_ instance: AppInstance) async throws -> [UInt8]? {
        let context = try await context(instance)
        guard let opened = context.transient.openedPage,
            let (url, text) = await load(opened.url, context)
        else { return nil }
        let folder = url.prefix { $0 != "?" }.split(
            separator: "/", omittingEmptySubsequences: false
        )
        .dropLast().joined(separator: "/")
        var page = text
        for link in text.matches(of: /<link rel="stylesheet" href="([^":?]+)">/) {
            let sheet = await load("\(folder)/\(link.1)", context)
            page.replace(link.0, with: "<style>\(sheet?.text ?? "")</style>")
        }
        return Array(page.utf8)
    }

    /// The text at a URL, and the URL to which redirects led.
    private func load(_ url: String, _ context: ActionContext) async -> (url: String, text: String)?
    {
        var url = url
        for _ in 0..<Self.redirectLimit {
            let sent = await recorder.send(
                OutboundRequest(
                    method: .get, url: url, headers: ["Accept": "text/html, text/css"], body: [],
                    timeout: .seconds(context.app.network.timeout)),
                as: ExchangeContext(
                    workspace: context.instance.workspace, app: context.app.id,
                    device: context.device.id, backend: context.backend, call: "", cause: .submit))
            guard case .responded(let response) = sent.result.outcome else { return nil }
            if response.status == 200 {
                return (url, String(decoding: response.body, as: UTF8.self))
            }
            guard let next = response.headers["Location"] else { return nil }
            url = next
        }
        return nil
    }

    private static let redirectLimit = 5

    /// Provides the result of the opened page to the action's calls; a failure if it has none.
    func useResult(
        _ result: [String: String]?, of page: BrowserPage, _ screen: Screen, _ action: Action,
        _ context: ActionContext, _ run: inout ActionRun
    ) -> CallFailure? {
        updateTransient(run) { $0.openedPage = nil }
        // A cold start has forgotten the proof key.
        guard let opened = context.transient.openedPage, opened.screen == screen.id,
            opened.action == action.name, let result,
            result[page.resultName]?.isEmpty == false
        else {
            let reason = result?[BrowserPage.errorDescriptionName] ?? ""
            return CallFailure(
                kind: "browser", message: reason.isEmpty ? page.failureMessage : reason)
        }
        let values = result.merging(opened.values) { $1 }
        run.fields["browser"] = .object(
            values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        return nil
    }
}

extension OpenedPage {
    init(
        _ page: BrowserPage, _ screen: Screen, _ action: Action, returnURL: String,
        _ context: ActionContext, _ world: World
    ) {
        self.init(
            screen: screen.id, action: action.name,
            verifier: Base64URL.encode(world.randomBytes(32)))
        var variables = context.variables()
        variables.values["browser"] = .object(
            (values + [("returnURL", returnURL)]).map { .init($0.0, .string($0.1)) })
        url = page.url(base: context.baseURL, variables: variables)
    }

    /// The values of the proof key.
    fileprivate var values: [(String, String)] {
        [("verifier", verifier), ("challenge", Digest.codeChallenge(of: verifier))]
    }
}
