extension Transcript {
    /// Replaces API keys, Clarity's refresh tokens, mailed codes and moduli by names, equal values
    /// by equal names. JWTs are left, because parts of them look like such values.
    static func replacingGoogleSecrets(_ text: String) -> String {
        let random =
            #/
            (?<jwt>eyJ[\w\-]+\.[\w\-]+\.[\w\-]+)
            | (?<before>
                oobCode= | "oobCode":" | name="oobCode"\ value="
                | verification_code= | "sessionId":" | "n":" | "temporaryProof":"
                | "sessionInfo":" | "mfaPendingCredential":" | "sharedSecretKey":"
            )
            (?<secret>[\w\-]{32,400})
            | (?<key>AIzaSy[\w\-]{33}) | (?<refresh>rt_[\w\-]{65})
            /#
        var names: [Substring: String] = [:]
        var counts: [String: Int] = [:]
        return text.replacing(random) { match in
            if match.output.jwt != nil { return String(match.output.0) }
            let before = match.output.before ?? ""
            let secret = match.output.secret ?? match.output.0
            if let name = names[secret] { return before + name }
            let kind =
                switch before {
                case "": match.output.key == nil ? "refresh token" : "API key"
                case "\"sessionId\":\"": "session id"
                case "\"n\":\"": "modulus"
                case "\"temporaryProof\":\"": "temporary proof"
                case "\"sharedSecretKey\":\"": "shared secret"
                case "\"sessionInfo\":\"": "session info"
                case "\"mfaPendingCredential\":\"": "pending credential"
                default: "oob code"
                }
            counts[kind, default: 0] += 1
            let name = "<\(kind) \(counts[kind] ?? 0)>"
            names[secret] = name
            return before + name
        }
    }
}
