import Apps
import DesignTokens
import Web

/// `/api/apps/{app}/design-tokens`: the tokens of an app's style sheets.
enum DesignTokensAPI {
    private static let path = "/api/apps/{app}/design-tokens"

    static let endpoints = [
        Endpoint(
            .get, path, "readDesignTokens",
            "Returns the tokens of an app's style sheets, and the contrast of its color pairs.",
            returning: .ok(representation, "The design tokens.")
        ) { call in
            let app = try call.services.app(of: call.context)
            return (app, DesignTokenSet(AppStyleSheets(app: app.id, folders: call.folders)), [])
        },

        Endpoint(
            .patch, path, "saveDesignTokens",
            "Writes new values to the app's style sheets: all or none.",
            reading: {
                ($0.body.requiredString("digest"), $0.body.strings("values", isRequired: true))
            }, returning: .ok(representation, "The design tokens as saved."),
            errors: [
                409: "The style sheets have changed; read the digest again.",
                422: "A value is invalid.", 500: "A file cannot be written.",
            ]
        ) { call, input in
            let app = try call.services.app(of: call.context)
            let (digest, values) = (input.0, input.1 ?? [:])
            let known = DesignTokenSet(AppStyleSheets(app: app.id, folders: call.folders))
            let unknown = values.keys.filter { known[$0] == nil }.sorted()
            guard unknown.isEmpty else {
                throw Problem(
                    errors: unknown.map {
                        .init(pointer: "/values/\($0)", detail: "is no token of the style sheets")
                    })
            }
            let result = try await DesignTokensPages.save(
                values, app: app.id, call.folders, digest: digest)
            guard case .saved(let files) = result.outcome else {
                throw problem(result)
            }
            return (
                app, DesignTokenSet(AppStyleSheets(app: app.id, folders: call.folders)), files
            )
        },
    ]

    private static func problem(_ result: DesignTokensWriter.SaveResult) -> Problem {
        var problem = Problem(
            status: result.outcome.status, code: "tokens-not-saved", title: "Not saved",
            detail: result.outcome.explanation(of: result.errors))
        problem.errors = result.errors.sorted { $0.key < $1.key }.map {
            .init(pointer: "/values/\($0.key)", detail: $0.value)
        }
        return problem
    }

    private typealias Tokens = (app: App, tokens: DesignTokenSet, savedFiles: [String])

    private static let representation = Representation<Tokens>(
        "DesignTokens",
        [
            .init("app") { $0.app.id }, .init("digest") { $0.tokens.sheets.digest },
            .init("tokens", array: token) { whole in
                let properties = whole.app.tokenAppearances.map(whole.tokens.properties)
                return whole.tokens.tokens.map { ($0, properties, whole.tokens.canEdit($0)) }
            },
            .init("contrast", array: pair) { whole in
                whole.tokens.contrastPairs(whole.app.tokenAppearances.map(whole.tokens.properties))
            }, .init("savedIn") { $0.savedFiles },
        ])

    private static let token = Representation<
        (token: DesignToken, properties: [CustomProperties], isEditable: Bool)
    >(
        "DesignToken",
        [
            .init("name") { $0.token.name },
            .init(
                "kind",
                choice: { token in
                    token.properties.compactMap { $0[token.token.name] }.first
                        .map { TokenValue($0).kind } ?? .other
                }), .init("value") { $0.token.value.whitespaceCollapsed },
            .init("light") { resolved($0.token, $0.properties, .light) },
            .init("dark") { resolved($0.token, $0.properties, .dark) },
            .init("file") { $0.token.file }, .init("line") { $0.token.line },
            .init("editable") { $0.isEditable },
            .init(
                "uses",
                array: Representation<DesignToken.Use>([
                    .init("selector") { $0.selector }, .init("property") { $0.property },
                    .init("location") { $0.location },
                ])
            ) { $0.token.uses },
        ])

    private static func resolved(
        _ token: DesignToken, _ properties: [CustomProperties], _ appearance: Appearance
    ) -> String? { properties.first { $0.appearance == appearance }?[token.name] }

    private static let pair = Representation<ContrastPair>(
        "ContrastPair",
        [
            .init("foreground") { $0.foreground }, .init("background") { $0.background },
            .init("lightRatio") { $0.ratios[.light] }, .init("darkRatio") { $0.ratios[.dark] },
            .init("sources") { $0.sources },
        ])
}
