import Backend
import Core
import Web

/// The pages that the JavaScript SDK opens for `signInWithPopup` and `signInWithRedirect`, and those
/// of the mobile SDKs, as Google's emulator serves them.
extension ClarityContract {
    var providerPageRoutes: [Route] {
        let folder = "/emulator/auth"
        return [
            route(.get, folder + "/handler", Self.providerHandler),
            route(.post, folder + "/handler", Self.providerHandler),
            route(.get, folder + "/iframe", Self.providerIframe),
            route(.get, folder + "/iframe.js", Self.providerIframeScript),
            route(.get, folder + "/page.css", Self.consentStyleSheet),
            route(.get, folder + "/picture/{name}", Self.providerPicture),
        ]
    }

    func consentStyleSheet(_ context: RequestContext) async throws -> Response {
        ConsentPage.styleSheet
    }

    func providerPicture(_ context: RequestContext) async throws -> Response {
        ProviderBrand.other("").picture(context.parameters["name"] ?? "")
    }

    /// GET and POST /emulator/auth/handler: the consent page, and the result for the SDK.
    func providerHandler(_ context: RequestContext) async throws -> Response {
        guard let request = ProviderHandlerRequest(context.target) else {
            return .json(
                [
                    "authEmulator": [
                        "error": "missing apiKey or providerId query parameters"
                    ]
                ], status: 400)
        }
        guard request.hasClient else {
            return ConsentPage.failure(
                request.brand, "One of appName, clientId, appId, apn and ibi is missing.")
        }
        var page = ConsentPage(
            brand: request.brand, appName: consentAppName,
            people: try await knownPeople(at: request.providerID), scopes: request.scopes)
        guard context.request.method == .post, let form = ConsentForm(try Form(context.request))
        else { return page.response }
        guard form.decision == .allow else {
            return respond(to: request, .userCancelled, closesPopup: form.decision == .cancel)
        }
        do {
            let person = try form.person()
            return respond(
                to: request, .signedIn(url: try responseURL(person, request)), closesPopup: false)
        } catch let rejection as ConsentForm.Rejection {
            page.rejected = (form, rejection.reason)
            return page.response
        }
    }

    /// The URL that the SDK sends to `signInWithIdp`, with the provider's claims as plain JSON.
    private func responseURL(_ person: ProviderPerson, _ request: ProviderHandlerRequest) throws
        -> String
    {
        let provider = SignInProvider(firebaseID: request.providerID)
        let claims = JSON.omittingNil([
            "sub": .string(person.subject(at: provider ?? .google)), "iss": "", "aud": "",
            "exp": 0, "iat": 0, "name": .string(person.name),
            "screen_name": .string(person.userName), "email": person.email.map(JSON.string),
            "email_verified": person.email == nil ? nil : .bool(person.isEmailVerified),
            "picture": .string("\(rootURL)/emulator/auth/picture/\(person.pictureName)"),
        ])
        var items = [("providerId", request.providerID), ("id_token", claims.description)]
        if request.providerID.hasPrefix("saml.") {
            let assertion: JSON = [
                "assertion": ["subject": ["nameId": .string(person.email ?? person.name)]]
            ]
            items.append(("SAMLResponse", assertion.description))
        }
        return "\(rootURL)/emulator/auth/handler?" + Form.encode(items)
    }

    /// Hands the result to the SDK: by a redirect to a mobile app, or by a script to the window
    /// that opened the popup or to the page that is returned to.
    private func respond(
        to request: ProviderHandlerRequest, _ result: ProviderHandlerResult, closesPopup: Bool
    ) -> Response {
        if let link = request.appLink(result, baseURL: rootURL) {
            return Self.redirect(to: link)
        }
        if !request.isPopup {
            guard ClarityLink.canContinue(to: request.redirectURL) else {
                return ConsentPage.failure(
                    request.brand, "redirectUrl must be on this machine or have an app's scheme.")
            }
        }
        let message: JSON = [
            "storageKey": .string(request.storageKey), "apiKey": .string(request.apiKey),
            "appName": .string(request.appName), "event": request.event(result),
            "redirectUrl": request.isPopup ? .null : .string(request.redirectURL),
            "closes": .bool(closesPopup),
        ]
        return ConsentPage.response(
            ConsentPage.document(
                request.brand, title: "Back to the app",
                """
                <h1>Back to the app</h1>
                <p data-testid="provider.result">You can close this window if it stays open. \
                It needs scripts to return to the app.</p>
                <script type="application/json" id="message">\(message.escapedForScript)</script>
                <script>\(Self.relayScript)</script>
                """), script: Self.relayScript)
    }

    /// Stores the event for the page that is returned to, or posts it to the frame of the SDK in
    /// the window that opened this one.
    private static let relayScript = """
        (() => {
          const { storageKey, apiKey, appName, event, redirectUrl, closes } =
            JSON.parse(document.getElementById("message").textContent);
          if (redirectUrl) {
            sessionStorage.setItem("firebase:redirectEvent:" + storageKey, JSON.stringify(event));
            location.replace(redirectUrl);
            return;
          }
          if (closes) { window.close(); return; }
          const frames = window.opener ? window.opener.frames : [];
          for (let index = 0; index < frames.length; index += 1) {
            try {
              const query = new URLSearchParams(frames[index].location.search);
              if (query.get("apiKey") === apiKey && query.get("appName") === appName) {
                frames[index].postMessage({
                  eventType: "sendAuthEvent", eventId: String(performance.now()),
                  data: { authEvent: event, storageKey },
                }, location.origin);
                return;
              }
            } catch { /* A frame of another origin is not the SDK's. */ }
          }
          document.querySelector("[data-testid='provider.result']").textContent =
            "The app's window was not found. Go back to the app and try again.";
        })();
        """

    /// GET /emulator/auth/iframe: the hidden frame of the SDK in the app's page.
    func providerIframe(_ context: RequestContext) async throws -> Response {
        let html = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Sign-in frame</title></head>
            <body>
            <script src="iframe.js"></script>
            <script src="https://apis.google.com/js/api.js"></script>
            </body>
            </html>

            """
        return Response(
            status: 200, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: .bytes(Array(html.utf8)))
    }

    /// GET /emulator/auth/iframe.js. The SDK talks to its frame through a library of Google, which
    /// both load from there.
    func providerIframeScript(_ context: RequestContext) async throws -> Response {
        Response(
            status: 200, headers: ["Content-Type": "text/javascript; charset=utf-8"],
            body: .bytes(Array(Self.iframeScript.utf8)))
    }

    private static let iframeScript = """
        (() => {
          const query = new URLSearchParams(location.search);
          const storageKey = query.get("apiKey") + ":" + query.get("appName");
          const storedName = "firebase:redirectEvent:" + storageKey;
          const noEvent = { type: "unknown", error: { code: "auth/no-auth-event" } };
          let app = null;

          const send = (event) => app.send(
            "authEvent", { type: "authEvent", authEvent: event || noEvent }, () => {},
            gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);

          // The consent page of a popup, which has the same origin.
          window.addEventListener("message", ({ origin, data }) => {
            if (origin !== location.origin || !data || data.eventType !== "sendAuthEvent") return;
            if (data.data.storageKey !== storageKey) return;
            if (app) send(data.data.authEvent);
            else sessionStorage.setItem(storedName, JSON.stringify(data.data.authEvent));
          });

          window.gapi_onload = () => gapi.load("gapi.iframes", () => {
            app = gapi.iframes.getContext().getParentIframe();
            app.register(
              "webStorageSupport", () => ({ status: "ACK", webStorageSupport: true }),
              gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
            const stored = sessionStorage.getItem(storedName);
            sessionStorage.removeItem(storedName);
            send(stored ? JSON.parse(stored) : null);
          });
        })();

        """
}

extension JSON {
    /// The text inside a `script` element, which no value can end.
    fileprivate var escapedForScript: String { description.replacing("<", with: "\\u003c") }
}
