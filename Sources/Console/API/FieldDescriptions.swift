import Web

/// What the fields of the API mean, with an example of each: a name means the same everywhere,
/// unless it has a line for its owner.
enum FieldDescriptions {
    /// One field. `example` is JSON; empty for an object, whose fields have their own.
    struct Entry: Sendable {
        let example: JSON?
        let text: String
    }

    /// The entry of a field; `owners` are the names of what encloses it, the innermost first.
    static func entry(_ name: String, in owners: [String]) -> Entry? {
        owners.lazy.compactMap { entries["\($0).\(name)"] }.first ?? entries[name]
    }

    private static let entries: [String: Entry] = Dictionary(
        (namesToL + "\n" + namesFromM).split(separator: "\n").map { line in
            let columns = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
            let example = columns[1].trimmingBlanks
            return (
                String(columns[0].trimmingBlanks),
                Entry(
                    example: example.isEmpty ? nil : try? JSON(parsing: Array(example.utf8)),
                    text: String(columns[2].trimmingBlanks))
            )
        }, uniquingKeysWith: { first, _ in first })

    /// `name | example | description`; a name may be `owner.name`.
    private static let namesToL = """
        a | "200" | The value in the first exchange; null if absent.
        accepted | true | Whether the backend accepted it; null if its response is inconclusive.
        accessible | "whenUnlocked" | The keychain's accessibility class, as the app declares it.
        accessToken | | The access token; null without one.
        accessTokenTTL | 60 | Lifetime of the account's access tokens in seconds; null for the default.
        Account.id | "acc_8J2K" | The account's id.
        Account.phone | "+15550100" | The phone number; null without one.
        Account.state | "verified" | The account's state.
        AccountDetail.phone | "+15550100" | The phone number; null without one.
        actions | | What an administrator can do with the account, by action.
        actions.delete | | Deletes the account.
        actions.disable | | Disables the account.
        actions.enable | | Enables the account again.
        actions.lock | | Locks the account for a time.
        actions.password | | Sets a password.
        actions.sign-out | | Ends all sessions of the account.
        actions.text | "Ends its sessions." | What the action changes, or why it is not supported.
        actions.unlock | | Ends a lock.
        actions.unverify | | Marks the email address as unverified.
        actions.verify | | Marks the email address as verified.
        address | "/storyboard/atlas/accessibility" | The page with the same measurements.
        advance | 61 | Seconds to move the clock forward.
        after | "Atlas" | The value in the second token; null if absent.
        agrees | true | Whether the values agree; null if they cannot be compared.
        algorithm | "ES256" | The signature algorithm in the token's header.
        allowed | true | Whether the action is supported.
        announced | | What a screen reader announces on load: kind, text, selector, how, modal.
        app | "atlas" | The app's id.
        App.id | "atlas" | The app's id.
        appearance | "dark" | The device's appearance; `system` follows the browser.
        appearances | ["light"] | The appearances of its pictures.
        applied | 2 | How often it was applied.
        apps | ["atlas"] | The ids of the apps it contains.
        apps.text | "Log in" | The text.
        AppState.session | | The session; null if no user is signed in.
        archivedTokens | | Tokens that the device no longer stores, or never did.
        area | "keychain" | Where the app stores it.
        assuranceLevel | "aal2" | The assurance level that the token claims; null if it claims none.
        at | "2026-11-21T14:35:15.120Z" | The time.
        attachments | | The attached files, in their order.
        attachments.mediaType | "application/pdf" | The media type.
        attachments.name | "invoice.pdf" | The file's name.
        attachments.size | 48213 | The size in bytes.
        attempt | 1 | The number of the attempt; retries have 2 and more.
        authentication | | How the user was authenticated, as the access token claims it; null if it does not.
        available | true | Whether the account's app and state allow the action.
        b | "401" | The value in the second exchange; null if absent.
        backend | "embedded" | The id of the backend, as in the manifest.
        backendBase | {"atlas": "http://127.0.0.1:7071/ws_8J2K/atlas"} | Base URLs of the embedded backend by app.
        backends | | The backends of the manifest.
        backends.id | "embedded" | The backend's id.
        background | "var(--page)" | The background color, as the style sheet has it.
        base | "http://127.0.0.1:7071/main/atlas" | A base URL.
        baseURL | "http://127.0.0.1:7071/main/atlas" | The base URL of the backend.
        before | "Atlas" | The value in the first token; null if absent.
        biometrics | | The biometric sensor.
        biometrics.kind | "faceID" | The sensor.
        biometrics.next | "match" | The result of the next prompt.
        body | "{\\"email\\":\\"nora@example.com\\"}" | The body; passwords are removed and tokens masked.
        bodyNote | "Binary, 120 bytes" | Why the body cannot be edited; null if it can.
        box | | The place of the element on the screen; null if it has none.
        build | "debug" | The app's build.
        busy | false | Whether the screen is marked as busy.
        bytes | 512 | Size in bytes.
        call | "login" | The name of the call in the manifest.
        cause | "submit" | What initiated it.
        causeEvent | 41 | The id of the event that caused it.
        causeExchange | "exc_8J2K" | The id of the exchange that caused it.
        channel | "mail" | How the message is delivered: mail or textMessage.
        characters | 6 | The number of characters.
        checks | | The backend's checks, in their order.
        checks.name | "signature" | The check.
        checks.state | "passed" | The result of the check.
        checksDerived | false | Whether Foyer inferred the checks; else the embedded backend reported them.
        claims | {"sub": "42"} | The claims of a JWT; null for an opaque token.
        client | "supabase (Python)" | The client, as its package registry names it.
        clients | | Settings for clients of the embedded backend.
        ClientSnippet.code | "create_client(url, key)" | Code that points the client at this backend.
        clock | | The workspace's clock.
        code | "482913" | The code in the message; null without one.
        color | "#2F6FED" | The app's color.
        comparison | | The fields of device, token and server side by side.
        comparison.device | "nora@example.com" | The value on the device; null if absent.
        connect | 0.4 | Milliseconds until the connection was made; null if it was reused.
        contentType | "application/json" | The media type of the body.
        contract | "atlas" | The contract of the embedded backend.
        ContractEndpoint.method | "POST" | The HTTP method.
        ContractEndpoint.note | "Only with a password." | What differs or why it is missing; empty for a complete one.
        ContractEndpoint.path | "/auth/v1/token" | The path below the base URL.
        ContractEndpoint.state | "complete" | How much of the endpoint there is.
        contracts | ["atlas"] | The contracts of the embedded backend.
        contrast | | The contrast of color pairs, the lowest first.
        cookies | | Cookies that select the workspace and the device, for Playwright's `storageState`.
        cookies.path | "/" | The cookie's path.
        copyAppData.from | "dev_9K3L" | The device to copy from.
        count | 3 | How many.
        crashesOnNextRequest | false | Whether the app crashes during the next submitted form.
        createAccount.domain | "example.com" | The domain of generated addresses.
        created | 10 | How many accounts were created.
        CreatedAccount.phone | "+15550100" | The phone number; null without one.
        createdAt | "2026-11-21T14:35:15.120Z" | When it was created.
        current | true | Whether it is selected on this device.
        dark | "#111111" | The value in dark appearance; null if the app has none.
        darkRatio | 7.17 | The contrast ratio in dark appearance; null if unknown.
        data | | What the provider reported about the user.
        declared | true | Whether the manifest declares the transition.
        delay | 3 | Seconds to wait.
        description | "The initial state of the screen." | What the state means.
        detail | "email is missing" | What is wrong, and how to fix it.
        details | "Atlas, active" | What distinguishes results with the same title.
        device | "dev_8J2K" | The device's id.
        deviceId | "5F0C1A8E-5C1B-4B7E-9C37-2D9C0F1B8E11" | The device id of an anonymous account.
        differences | | What differs.
        differences.path | "body/user/email" | The place of the difference.
        different | true | Whether anything differs.
        digest | "9c1f" | The version of the style sheets; a change must send the current one.
        disabled | true | Whether the account is disabled.
        disabledAt | "2026-11-21T14:35:15.120Z" | When the account was disabled; null if it is not.
        discrepancies | | The mismatches between device, token and server.
        discrepancies.device | "nora@example.com" | The value on the device; null if absent.
        discrepancyCount | 1 | Number of mismatches.
        displayName | "Nora" | The user's name.
        domain | "127.0.0.1" | The cookie's domain.
        edgeCases | ["offline"] | The names of the states that can go wrong, as in the storyboard.
        edit | {"method": "GET"} | The changes; omitted fields are sent as recorded.
        editable | true | Whether the value can be changed.
        edited | ["body"] | The parts that were edited.
        email | "nora@example.com" | The email address.
        enabled | true | Whether it is on.
        encoding | "utf-8" | How the body is written here.
        endedAt | "2026-11-21T14:35:15.120Z" | When the session ended on the device; null while it is stored.
        endpoints | | The endpoints of the real server.
        enrolled | true | Whether a user is enrolled.
        equalExceptTiming | false | Whether only the timings differ.
        error | "Template error." | Why the state could not be checked; absent if it was.
        errors | | The invalid fields.
        event | 42 | The event's id.
        Event.details | {"status": "200"} | Further values; no secrets.
        Event.id | 42 | The event's number in its workspace.
        Event.kind | "exchange.ended" | The kind of event.
        EventList.next | 512 | The last event of this page, for `after`; null at the end.
        evidence | "exp 12 s ago" | Why the check has this result.
        exchange | "exc_8J2K" | The exchange's id.
        Exchange.id | "exc_8J2K" | The exchange's id.
        exchanges | ["exc_8J2K"] | The exchanges' ids.
        expires | -1 | Expiry of the cookie in seconds since 1970; -1 for the browser's session.
        expiresAt | "2026-11-21T15:35:15.120Z" | When it expires; null if it does not.
        expiry | | The token's times, judged separately from its signature.
        explanation | "Revoked on the server" | The mismatch in words.
        Factor.code | "482913" | The code that the authenticator app shows now; null for a phone.
        Factor.id | "0b6c…" | The factor's id.
        Factor.kind | "totp" | How its codes are made.
        Factor.name | "Phone app" | The name that the user chose; may be empty.
        Factor.phone | "+15550100" | The phone number; null for an authenticator app.
        Factor.verifiedAt | "2026-11-21T14:35:15.120Z" | When its enrollment was completed; null if it was not.
        factors | | The second factors, oldest first.
        failed | 1 | How many sessions could not be signed out.
        failedStep | "map" | The step that the device did not reach last; null if it reached all.
        failure | | Why there is no response; null if there is one.
        failure.kind | "timeout" | The kind of failure.
        family | | The server's session with its refresh tokens; null if the backend reports none.
        fault | "offline" | The name of the fault that affected it; null without one.
        faults | | The preset's faults.
        field | "email" | The compared field.
        file | "answer.json" | The name of the file that the body is from.
        findings | | The problems; absent if the state could not be checked.
        findings.fix | "Use #6b6b6b." | How to fix it.
        findings.rule | "WCAG 1.4.3" | The rule that it violates.
        findings.selector | "login.email" | The test id of the element, or its tag and classes.
        firstByte | 2.1 | Milliseconds until the first byte of the response.
        firstEmail | "user-1@example.com" | The address of the first account.
        fix | "Sign out on the device." | How to fix it.
        folder | "~/.local/share/foyer/apps/shop" | The folder of the app.
        foreground | "var(--ink)" | The text color, as the style sheet has it.
        freeze | true | Whether the clock stands still.
        from | "login" | The screen before.
        frozen | false | Whether the clock stands still.
        fullLength | false | Whether pictures show all of a screen that scrolls.
        generation | 2 | The generation, as the device counts: 1 is the sign-in.
        hasPassword | true | Whether the account has a password.
        header | {"alg": "ES256"} | The header of a JWT; null for an opaque token.
        headers | | The headers, in their order.
        health.status | "ok" | Always `ok`.
        height | 48 | The height in points.
        holds | "accessToken" | The captured value that it stores; null for none.
        host | "api.example.com" | The host.
        html | "<p>482913</p>" | The HTML part; empty without one.
        httpOnly | true | Whether scripts cannot read the cookie.
        id | "dev_8J2K" | The id.
        identities | | The identities at sign-in providers, oldest first.
        Identity.id | "5f2e…" | The identity's id.
        Identity.subject | "104861" | The user's id at the provider.
        inBackground | false | Whether the app is in the background.
        imported | 12 | How many exchanges were imported.
        initialFocus | | The element with the focus on load; null if none.
        inspectToken.token | "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" | The token to decode.
        instruction | "Fill Email, Password" | What to do.
        isRead | true | Whether the message was opened or marked as read.
        issuedAt | "2026-11-21T14:35:15.120Z" | When the token was issued.
        items | | The items, in the list's order.
        key | "atlas_access_token" | The app's own name of the stored value.
        keyId | "fg4i" | The id of the signing key.
        kind | "slow" | The kind.
        label | "worker 1" | A name for people.
        labels | ["Sign in"] | The controls or conditions of the transition.
        lastActivityAt | "2026-11-21T14:35:15.120Z" | When something last happened.
        lastAffected | | The last exchange it affected; null if none.
        lastEmail | "user-10@example.com" | The address of the last account.
        lastLoginAt | "2026-11-21T14:35:15.120Z" | The last sign-in; null if there was none.
        lastResponse | | The backend's last response to the session's token.
        lastSignInAt | "2026-11-21T14:35:15.120Z" | When the identity last signed in; null if it never did.
        launching | false | Whether the launch table is running.
        leaseWorkspace.run | "nightly" | The name of the test run that the workspace belongs to.
        light | "#FFFFFF" | The value in light appearance; null if the app has none.
        lightRatio | 7.17 | The contrast ratio in light appearance; null if unknown.
        line | 12 | The line in the file; null if unknown.
        link | "http://127.0.0.1:7071/main/atlas/auth/verify?token=x1" | The link in the message; null without one.
        linkedScreen | "edit" | The screen of an opened link, shown after the sign-in; null without one.
        location | "app.css:51" | The file and line.
        locked | true | Whether the account is locked.
        lockedUntil | "2026-11-21T14:50:15.120Z" | When the lock ends; null if it is not locked.
        lockSeconds | 900 | How long to lock the account.
        """
}
