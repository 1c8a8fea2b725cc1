import SQLite

extension Migration {
    /// Renames stored values to the names of the API.
    static let plainNames = Migration(
        "plain-names-1",
        sql: """
            UPDATE conditions SET settings = replace(settings, '"set":', '"preset":');
            UPDATE exchanges SET cause = 'manual' WHERE cause = 'hand';
            UPDATE exchanges SET cause = 'proxied' WHERE cause = 'through';
            UPDATE exchanges SET failure_kind = 'invalidResponse'
                WHERE failure_kind = 'invalidAnswer';
            UPDATE exchanges SET checks = \(replacing(checks, in: "checks"))
                WHERE checks IS NOT NULL;
            UPDATE events SET kind = \(replacing(eventKinds, in: "kind")),
                facts = \(replacing(eventDetails, in: "facts"));
            """)

    /// Names of checks, at the beginning of a check's JSON, and their states.
    private static let checks: KeyValuePairs = [
        #"["key","#: #"["apiKey","#, #"["limit","#: #"["rateLimit","#,
        #"["setting","#: #"["featureEnabled","#, #"["addressFree","#: #"["emailAvailable","#,
        #"["standing","#: #"["accountActive","#, #"["verified","#: #"["emailVerified","#,
        #"["header","#: #"["authorizationHeader","#, #"["holder","#: #"["tokenAccount","#,
        #"["refresh","#: #"["refreshToken","#, #"["generation","#: #"["refreshTokenReuse","#,
        #"["age","#: #"["refreshTokenAge","#, #"["codeFresh","#: #"["codeValidity","#,
        #"["guesses","#: #"["codeAttempts","#, #","notReached","#: #","skipped","#,
    ]

    private static let eventKinds: KeyValuePairs = [
        "exchanges.forgotten": "exchanges.cleared", "mail.caught": "mail.received",
        "mail.forgotten": "mailbox.cleared", "snapshot.taken": "snapshot.created",
        "moment.restored": "state.restored", "condition.": "fault.", "apps.read": "apps.reloaded",
    ]

    private static let eventDetails: KeyValuePairs = [
        #""condition":"#: #""fault":"#, #""word":"#: #""name":"#, #""used":"#: #""applied":"#,
        #""set":"#: #""preset":"#, #""acts":"#: #""actions":"#, #""dropped":"#: #""canceledCall":"#,
        #":"used up""#: #":"exhausted""#, #":"expiredByHand""#: #":"expiredManually""#,
        #":"endedThere""#: #":"endedByServer""#, #":"openThere""#: #":"openOnServer""#,
        #":"sessionLost""#: #":"sessionExpired""#, #":"through""#: #":"proxied""#,
        #":"hand""#: #":"manual""#, #":"invalidAnswer""#: #":"invalidResponse""#,
    ]
}
