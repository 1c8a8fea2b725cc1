import Backend
import Web

/// How Firebase's clients are pointed at the contract, with the values of its workspace.
extension ClarityContract {
    static var endpointNotes: [ContractEndpoint] {
        let tenants = "Projects have no tenants: 501."
        let providers = "Providers are the four embedded ones; none can be configured."
        return [
            ContractEndpoint(
                .get, "/identitytoolkit.googleapis.com/v2/projects/{project}/tenants", .missing,
                note: tenants),
            ContractEndpoint(
                .get, "/identitytoolkit.googleapis.com/v2/projects/{project}/oauthIdpConfigs",
                .missing, note: providers),
            ContractEndpoint(
                .get, "/identitytoolkit.googleapis.com/v2/projects/{project}/inboundSamlConfigs",
                .missing, note: providers),
            ContractEndpoint(
                .get, "/identitytoolkit.googleapis.com/v2/passwordPolicy", .missing,
                note: "As in Google's emulator; the rule is six characters."),
        ]
    }

    var clientSnippets: [ClientSnippet] {
        let host = rootURL.split(separator: "//").last.map(String.init) ?? rootURL
        let parts = host.split(separator: ":").map(String.init)
        return [
            ClientSnippet(
                "firebase (JavaScript)",
                """
                import { initializeApp } from "firebase/app";
                import { connectAuthEmulator, getAuth } from "firebase/auth";
                const app = initializeApp({ apiKey: "\(apiKey)", projectId: "\(Self.projectID)" });
                const auth = getAuth(app);
                connectAuthEmulator(auth, "\(rootURL)", { disableWarnings: true });
                """),
            ClientSnippet(
                "FirebaseAuth (Swift)",
                """
                FirebaseApp.configure()
                Auth.auth().useEmulator(
                    withHost: "\(parts.first ?? "127.0.0.1")", port: \(parts.last ?? "7071"))
                """),
            ClientSnippet(
                "firebase-admin (Python)",
                """
                import os
                os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "\(host)"
                import firebase_admin
                firebase_admin.initialize_app(options={"projectId": "\(Self.projectID)"})
                """),
            ClientSnippet(
                "pyrebase4, firebase-rest-api (Python)",
                """
                # Both know Google's addresses only; the backend serves them below the host's name.
                import requests
                send = requests.Session.send

                def redirected(session, request, **options):
                    request.url = request.url.replace("https://", "\(rootURL)/", 1)
                    return send(session, request, **options)

                requests.Session.send = redirected
                """),
        ]
    }
}
