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
        table.split(separator: "\n").map { line in
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
    private static let table = """
        accepted | true | Whether the backend accepted it; null if its response is inconclusive.
        accessToken | | The access token; null without one.
        accessTokenTTL | 60 | Lifetime of the account's access tokens in seconds; null for the default.
        accessible | "whenUnlocked" | The keychain's accessibility class, as the app declares it.
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
        advance | 61 | Seconds to move the clock forward.
        agrees | true | Whether the values agree; null if they cannot be compared.
        algorithm | "ES256" | The signature algorithm in the token's header.
        allowed | true | Whether the action is supported.
        app | "atlas" | The app's id.
        appearance | "dark" | The device's appearance; `system` follows the browser.
        applied | 2 | How often it was applied.
        apps | ["atlas"] | The ids of the apps it contains.
        archivedTokens | | Tokens that the device no longer stores, or never did.
        area | "keychain" | Where the app stores it.
        at | "2026-11-21T14:35:15.120Z" | The time.
        attachments | | The attached files, in their order.
        attachments.mediaType | "application/pdf" | The media type.
        attachments.name | "invoice.pdf" | The file's name.
        attachments.size | 48213 | The size in bytes.
        attempt | 1 | The number of the attempt; retries have 2 and more.
        available | true | Whether the account's app and state allow the action.
        b | "401" | The value in the second exchange; null if absent.
        a | "200" | The value in the first exchange; null if absent.
        backend | "embedded" | The id of the backend, as in the manifest.
        backendBase | {"atlas": "http://127.0.0.1:7071/ws_8J2K/atlas"} | Base URLs of the embedded backend by app.
        backends | | The backends of the manifest.
        base | "http://127.0.0.1:7071/main/atlas" | A base URL.
        baseURL | "http://127.0.0.1:7071/main/atlas" | The base URL of the backend.
        biometrics | | The biometric sensor.
        body | "{\\"email\\":\\"nora@example.com\\"}" | The body; passwords are removed and tokens masked.
        bodyNote | "Binary, 120 bytes" | Why the body cannot be edited; null if it can.
        build | "debug" | The app's build.
        bytes | 512 | Size in bytes.
        call | "login" | The name of the call in the manifest.
        cause | "submit" | What initiated it.
        causeEvent | 41 | The id of the event that caused it.
        causeExchange | "exc_8J2K" | The id of the exchange that caused it.
        checks | | The backend's checks, in their order.
        checksDerived | false | Whether Foyer inferred the checks; else the embedded backend reported them.
        claims | {"sub": "42"} | The claims of a JWT; null for an opaque token.
        clients | | Settings for clients of the embedded backend.
        clock | | The workspace's clock.
        code | "482913" | The code in the message; null without one.
        color | "#2F6FED" | The app's color.
        comparison | | The fields of device, token and server side by side.
        connect | 0.4 | Milliseconds until the connection was made; null if it was reused.
        contentType | "application/json" | The media type of the body.
        contract | "atlas" | The contract of the embedded backend.
        contracts | ["atlas"] | The contracts of the embedded backend.
        cookies | | Cookies that select the workspace and the device, for Playwright's `storageState`.
        count | 3 | How many.
        crashesOnNextRequest | false | Whether the app crashes during the next submitted form.
        created | 10 | How many accounts were created.
        createdAt | "2026-11-21T14:35:15.120Z" | When it was created.
        current | true | Whether it is selected on this device.
        declared | true | Whether the manifest declares the transition.
        delay | 3 | Seconds to wait.
        detail | "email is missing" | What is wrong, and how to fix it.
        details | "Atlas, active" | What distinguishes results with the same title.
        Event.details | {"status": "200"} | Further values; no secrets.
        device | "dev_8J2K" | The device's id.
        comparison.device | "nora@example.com" | The value on the device; null if absent.
        discrepancies.device | "nora@example.com" | The value on the device; null if absent.
        deviceId | "5F0C1A8E-5C1B-4B7E-9C37-2D9C0F1B8E11" | The device id of an anonymous account.
        differences | | What differs.
        disabled | true | Whether the account is disabled.
        disabledAt | "2026-11-21T14:35:15.120Z" | When the account was disabled; null if it is not.
        discrepancies | | The mismatches between device, token and server.
        discrepancyCount | 1 | Number of mismatches.
        displayName | "Nora" | The user's name.
        domain | "127.0.0.1" | The cookie's domain.
        createAccount.domain | "example.com" | The domain of generated addresses.
        edit | {"method": "GET"} | The changes; omitted fields are sent as recorded.
        edited | ["body"] | The parts that were edited.
        email | "nora@example.com" | The email address.
        enabled | true | Whether it is on.
        encoding | "utf-8" | How the body is written here.
        endedAt | "2026-11-21T14:35:15.120Z" | When the session ended on the device; null while it is stored.
        enrolled | true | Whether a user is enrolled.
        equalExceptTiming | false | Whether only the timings differ.
        errors | | The invalid fields.
        event | 42 | The event's id.
        evidence | "exp 12 s ago" | Why the check has this result.
        exchange | "exc_8J2K" | The exchange's id.
        exchanges | ["exc_8J2K"] | The exchanges' ids.
        expires | -1 | Expiry of the cookie in seconds since 1970; -1 for the browser's session.
        expiresAt | "2026-11-21T15:35:15.120Z" | When it expires; null if it does not.
        expiry | | The token's times, judged separately from its signature.
        explanation | "Revoked on the server" | The mismatch in words.
        failure | | Why there is no response; null if there is one.
        failure.kind | "timeout" | The kind of failure.
        family | | The server's session with its refresh tokens; null if the backend reports none.
        failed | 1 | How many sessions could not be signed out.
        fault | "offline" | The name of the fault that affected it; null without one.
        faults | | The preset's faults.
        field | "email" | The compared field.
        file | "answer.json" | The name of the file that the body is from.
        firstByte | 2.1 | Milliseconds until the first byte of the response.
        firstEmail | "user-1@example.com" | The address of the first account.
        fix | "Sign out on the device." | How to fix it.
        folder | "~/.local/share/foyer/apps/shop" | The folder of the app.
        freeze | true | Whether the clock stands still.
        from | "login" | The screen before.
        Mail.from | "Atlas <no-reply@atlas.test>" | The sender.
        copyAppData.from | "dev_9K3L" | The device to copy from.
        frozen | false | Whether the clock stands still.
        generation | 2 | The generation, as the device counts: 1 is the sign-in.
        hasPassword | true | Whether the account has a password.
        header | {"alg": "ES256"} | The header of a JWT; null for an opaque token.
        headers | | The headers, in their order.
        holds | "accessToken" | The captured value that it stores; null for none.
        host | "api.example.com" | The host.
        html | "<p>482913</p>" | The HTML part; empty without one.
        httpOnly | true | Whether scripts cannot read the cookie.
        id | "dev_8J2K" | The id.
        Account.id | "acc_8J2K" | The account's id.
        App.id | "atlas" | The app's id.
        backends.id | "embedded" | The backend's id.
        screens.id | "login" | The screen's id.
        Event.id | 42 | The event's number in its workspace.
        Exchange.id | "exc_8J2K" | The exchange's id.
        Session.id | "ses_8J2K" | The session's id.
        user.id | "42" | The user's id at the backend.
        imported | 12 | How many exchanges were imported.
        isRead | true | Whether the message was opened or marked as read.
        issuedAt | "2026-11-21T14:35:15.120Z" | When the token was issued.
        items | | The items, in the list's order.
        key | "atlas_access_token" | The app's own name of the stored value.
        keyId | "fg4i" | The id of the signing key.
        kind | "slow" | The kind.
        Event.kind | "exchange.ended" | The kind of event.
        Token.kind | "jwt" | Whether it is a JWT or opaque.
        label | "worker 1" | A name for people.
        labels | ["Sign in"] | The controls or conditions of the transition.
        lastActivityAt | "2026-11-21T14:35:15.120Z" | When something last happened.
        lastAffected | | The last exchange it affected; null if none.
        lastEmail | "user-10@example.com" | The address of the last account.
        lastLoginAt | "2026-11-21T14:35:15.120Z" | The last sign-in; null if there was none.
        lastResponse | | The backend's last response to the session's token.
        launching | false | Whether the launch table is running.
        link | "http://127.0.0.1:7071/main/atlas/auth/verify?token=x1" | The link in the message; null without one.
        lockSeconds | 900 | How long to lock the account.
        locked | true | Whether the account is locked.
        lockedUntil | "2026-11-21T14:50:15.120Z" | When the lock ends; null if it is not locked.
        mailbox | "/mailbox" | The mailbox's page.
        masked | "eyJhbG…W7hw" | The value, masked.
        manifestErrors | | The manifest's errors, by line; empty for a valid one.
        manifestErrors.cause | "Unknown call logn" | What is wrong.
        manifestErrors.fix | "Did you mean login?" | How to fix it.
        manifestErrors.line | 42 | The line, from 1; null if unknown.
        manifestErrors.location | "launch.0.call" | The member, from the manifest's root.
        method | "POST" | The HTTP method.
        name | "Atlas" | The name.
        checks.name | "signature" | The check.
        nameLookup | 0.2 | Milliseconds of the name lookup; null without one.
        newRun | true | Whether to start another run although one is active.
        next | "1203" | The cursor of the next page, for `after`; null at the end.
        EventList.next | 512 | The last event of this page, for `after`; null at the end.
        biometrics.next | "match" | The result of the next prompt.
        biometrics.kind | "faceID" | The sensor.
        notBefore | "2026-11-21T14:35:15.120Z" | The token is not valid before; null without this claim.
        note | "Tokens follow the clock." | What else the change means.
        notice | "Invalid email or password" | The message that the screen shows; null without one.
        now | "2026-11-21T14:35:15.120Z" | The workspace's time.
        number | 3 | The number.
        offset | 900 | Seconds that the workspace's clock is ahead of the system's.
        on | true | Whether it is on.
        openapi | {"openapi": "3.1.0", "paths": {}} | The OpenAPI document of the backend, as text or object.
        orientation | "portrait" | How the device is held.
        origin | "device" | Where the token comes from.
        originalRequest | | The request before it was edited; null if it was not.
        originalResponse | | The response before it was edited; null if it was not.
        origins | | Always empty; part of Playwright's `storageState`.
        outcome | "continued" | The result.
        outlier | "device" | The side that differs from the others.
        password | "correct horse battery" | The password.
        path | "/auth/login" | The path.
        cookies.path | "/" | The cookie's path.
        screens.path | "/apps/atlas/login" | The screen's page.
        differences.path | "body/user/email" | The place of the difference.
        pausedAt | "2026-11-21T14:35:15.120Z" | When it was paused.
        pausedFor | 4.2 | Seconds that it was paused.
        paused | true | Whether recording is paused.
        phase | "before" | `before`: the request is not sent; `after`: the response is dropped or replaced.
        PausedExchange.phase | "request" | What is paused.
        placeholder | "{{accessToken}}" | The text that stands for an encrypted value.
        placeholders | | The texts that stand for encrypted values.
        pointer | "/email" | A JSON Pointer (RFC 6901) into the body.
        parameter | "state" | A query parameter.
        port | 2525 | The port.
        position | 1 | The rule's place in the order, from 1.
        preset | "tokenTheft" | The preset's id; null without one.
        problem | "app.json5:12: Unknown key" | The manifest's errors; null if it is valid.
        purpose | "verify" | What the message is for.
        real | "2026-11-21T14:35:15.120Z" | The system's time.
        reason | "The token expired." | The reason, in words.
        reasons | ["The session has ended."] | Why sessions could not be signed out.
        receivedAt | "2026-11-21T14:35:15.120Z" | When the device stored the token.
        refreshCount | 1 | How often the session was refreshed.
        refreshToken | | The refresh token; null without one.
        refreshTokens | | The refresh tokens that the server issued.
        refreshedAt | "2026-11-21T14:35:15.120Z" | The last refresh.
        remaining | 2 | How often it still applies; null if until it is turned off.
        remarks | ["No logout operation was found."] | What to check in the made manifest.
        remoteAddress | "127.0.0.1" | The address that responded; null without a connection.
        request | | The request.
        requestBytes | 61 | Size of the request's body.
        requests | | The requests, in the order of their responses.
        response | | The response; null without one.
        responseBytes | 512 | Size of the response's body.
        retryAfter | 30 | The value of Retry-After in seconds.
        reusedAt | "2026-11-21T14:35:15.120Z" | When it was used again; null if it was not.
        revocationReason | "reuse" | Why the server ended the session.
        revokedAt | "2026-11-21T14:35:15.120Z" | When the server ended the session; null if it did not.
        root | "http://127.0.0.1:7071" | The URL at the root, for the workspace main; null if there is none.
        rule | "rul_8J2K" | The rule's id.
        rules | | The rules that matched, in their order.
        run | 12 | The number of the test run.
        leaseWorkspace.run | "nightly" | The name of the test run that the workspace belongs to.
        readMap.run | | The run that the counts are of; null for the totals.
        sameSite | "Strict" | The cookie's SameSite attribute.
        screen | "map" | The screen's id.
        screens | | The screens.
        secondsLeft | 3541 | Seconds until it expires; negative afterwards.
        sections | | The compared parts.
        secure | false | Whether the cookie requires https.
        seed | | The state to start from.
        sentAt | "2026-11-21T14:35:15.120Z" | When the message was sent.
        server | "true" | The value on the server; null if unknown.
        serverGeneration | 3 | The generation as the server counts; null if it is the same.
        session | "ses_8J2K" | The session's id.
        AppState.session | | The session; null if no user is signed in.
        sessions | 2 | How many sessions.
        settings | {"apiKey": "k1"} | The backend's settings by name.
        signOut | true | Ends all sessions of the account.
        signature | "verified" | The result of the signature's verification.
        signedOut | 3 | How many sessions were signed out.
        size | "iphone15" | The device's size.
        skew | 120 | Seconds that the backend's clock is ahead.
        smtp | | The SMTP server; null if it is off.
        spec | "specs/atlas.md" | The document that the manifest follows; null without one.
        startedAt | "2026-11-21T14:35:15.120Z" | When it started.
        state | "active" | The state.
        checks.state | "passed" | The result of the check.
        Account.state | "verified" | The account's state.
        states | ["initial", "failure"] | The ids of the screen's states in the storyboard.
        status | 200 | The HTTP status; null without a response.
        health.status | "ok" | Always `ok`.
        storage | | The stored values.
        storageState | | Playwright's `storageState`: the cookies of the workspace and its device.
        stored | 12 | How many of them are stored.
        studio | "/studio/shop" | The app's page in the studio.
        subject | "exc_8J2K" | What it is about, by kind.
        Mail.subject | "Verify your email" | The subject.
        MailDetail.subject | "Verify your email" | The subject.
        switches | {"confirmEmail": false} | The server's settings by name.
        text | "Your code is 482913." | The text.
        textSize | "large" | The device's text size.
        timeout | 30 | Seconds after which it continues by itself.
        times | 3 | The number of requests; null until it is turned off.
        timings | | The durations in milliseconds.
        title | "Unknown device" | The title.
        tls | 3.2 | Milliseconds of the TLS handshake; null without one.
        to | "map" | The screen after.
        Mail.to | "nora@example.com" | The recipient.
        MailDetail.to | "nora@example.com" | The recipient.
        token | "nora@example.com" | The value in the token; null if absent.
        inspectToken.token | "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" | The token to decode.
        probeToken.token | 2 | The number of a stored token; the current one by default.
        runRefreshTest.token | 2 | The number of a stored token.
        total | 3 | The number of matches.
        timings.total | 2.8 | Milliseconds until the response was complete.
        totalIsExact | true | Whether `total` is exact; false if counting stopped there.
        transitions | | The transitions between screens.
        truncated | false | Whether only the beginning of the body is recorded.
        ttl | 600 | Seconds until the workspace is deleted.
        type | "/problems/unknown-device" | The kind of problem.
        unchanged | 4 | The number of equal values.
        unchecked | | What was not verified, and why.
        until | "2026-11-21T14:35:45.120Z" | When it continues by itself.
        url | "http://127.0.0.1:7071/main/atlas/auth/login" | The URL.
        SearchResult.url | "/sessions/ses_8J2K" | The console's page.
        usedAt | "2026-11-21T14:35:15.120Z" | When it was used; null if it was not.
        SMTPSettings.host | "127.0.0.1" | The host.
        SMTPSettings.tls | false | Always false: the connection is not encrypted.
        SMTPSettings.user | "ws_8J2K/shop" | The user name that selects the workspace and the app.
        useAccessToken | true | Whether to send the device's access token.
        user | | The user.
        after | "Atlas" | The value in the second token; null if absent.
        apps.text | "Log in" | The text.
        background | "var(--page)" | The background color, as the style sheet has it.
        before | "Atlas" | The value in the first token; null if absent.
        characters | 6 | The number of characters.
        contrast | | The contrast of color pairs, the lowest first.
        dark | "#111111" | The value in dark appearance; null if the app has none.
        description | "The initial state of the screen." | What the state means.
        digest | "9c1f" | The version of the style sheets; a change must send the current one.
        edgeCases | ["offline"] | The names of the states that can go wrong, as in the storyboard.
        editable | true | Whether the value can be changed.
        failedStep | "map" | The step that the device did not reach last; null if it reached all.
        foreground | "var(--ink)" | The text color, as the style sheet has it.
        instruction | "Fill Email, Password" | What to do.
        light | "#FFFFFF" | The value in light appearance; null if the app has none.
        location | "app.css:51" | The file and line.
        lightRatio | 7.17 | The contrast ratio in light appearance; null if unknown.
        darkRatio | 7.17 | The contrast ratio in dark appearance; null if unknown.
        line | 12 | The line in the file; null if unknown.
        manifestPath | "screens/login/title" | The place in the manifest; null for a template.
        message | "Invalid email or password" | The app's message; null without one.
        occurrences | 1 | How many places have the same text.
        page | "/storyboard/atlas/login/default" | The page.
        part | "claims" | The token's part: header or claims.
        played | true | Whether the steps and the result are those of a run since the last change.
        points | | The notes on single elements.
        property | "color" | The property that uses the token.
        result | "reached" | Whether the state was reached; `notPlayed` before it is rendered.
        rows | | The members of both tokens.
        savedIn | ["app.css"] | The files that were written.
        second | "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" | The token to compare with.
        selector | ".title" | The rule that uses the token.
        selectors | ["login.email"] | The test ids of the screen's elements.
        sizes | | The device sizes for the tile's `size`.
        source | "manifest" | Where the text is written: manifest or templates.
        sources | [".title (app.css:12)"] | The rules that use the pair.
        step | "login" | The walkthrough's step.
        steps | | The steps, in order.
        StoryboardState.steps | | The steps that reproduce the state; empty before it is rendered.
        StoryboardState.kind | "default" | The kind of state.
        StoryboardState.note | "Two fields" | The walkthrough's note; null without one.
        StoryboardState.state | "default" | The state's name.
        StoryboardState.title | "Default" | The state's title.
        StoryboardState.reason | "No way was found" | Why there is no screen; null if there is one.
        steps.title | "Log in" | The screen's title.
        steps.detail | "login" | Where or by what: a screen, `workspace`, `fault`.
        steps.id | "login" | The step's id.
        steps.note | "Two fields and a link" | What to look at; null without a note.
        testId | "login.email" | The test id of the element; null for the whole screen.
        tile | "/storyboard/atlas/login/default/frame" | The rendered screen, for a frame.
        tokens | | The design tokens, in the order of the style sheets.
        tokens.kind | "color" | The kind of value.
        tokens.name | "--page" | The custom property.
        tokens.value | "#fff" | The value, as written.
        uses | | The declarations that use the token.
        values | {"--page": "#FFFFFF"} | The new values by token.
        walkthrough | | The device's walkthrough; null before it has started.
        Text.text | "Log in" | The text.
        Text.kind | "label" | The kind of text.
        Text.screens | ["login"] | The screens that show the text.
        TokenComparison.rows.kind | "changed" | The kind of difference.
        value | "application/json" | The value.
        verdict | | The result of the signature's verification.
        verified | true | Whether the email address is verified.
        verifiedAt | "2026-11-21T14:35:15.120Z" | When the email address was verified; null if it is not.
        version | "0.1.0" | Foyer's version.
        workspace | "main" | The workspace's id.
        workspaces | 4 | The number of workspaces.
        writtenAt | "2026-11-21T14:35:15.120Z" | When it was stored.
        address | "/storyboard/atlas/accessibility" | The page with the same measurements.
        announced | | What a screen reader announces on load: kind, text, selector, how, modal.
        appearances | ["light"] | The appearances of its pictures.
        box | | The place of the element on the screen; null if it has none.
        busy | false | Whether the screen is marked as busy.
        different | true | Whether anything differs.
        error | "Template error." | Why the state could not be checked; absent if it was.
        findings | | The problems; absent if the state could not be checked.
        findings.fix | "Use #6b6b6b." | How to fix it.
        findings.selector | "login.email" | The test id of the element, or its tag and classes.
        fullLength | false | Whether pictures show all of a screen that scrolls.
        height | 48 | The height in points.
        initialFocus | | The element with the focus on load; null if none.
        marks | | The contrast of icons and of the edges of controls.
        percent | 0.3 | The share of pixels that differ; null if one picture is missing.
        phone | "iPhone 15" | The display.
        pictures | 46 | The number of pictures.
        pixels | 4441 | The number of pixels that differ; null if one picture is missing.
        PictureDifference.name | "login-default" | The screen and its state.
        PictureDifference.appearance | "light" | The appearance.
        PictureDifference.status | "different" | How it differs.
        PictureSet.name | "before" | The name.
        PictureSet.apps | ["atlas"] | The apps of its pictures; empty for all.
        takePictureSet.appearance | "light" | The appearance, of an app that has both.
        reading | | What a screen reader reads, from the top, with its depth.
        readAccessibility.states | | The measured states.
        findings.rule | "WCAG 1.4.3" | The rule that it violates.
        scale | 2 | Pixels per point.
        PictureSet.sizes | ["iphone15"] | The sizes of its pictures.
        skipped | | The disabled controls, which are no tab stops.
        states.state | "login.default" | The screen and its state.
        states.title | "Login" | The title of the page.
        stops | | The tab stops, in their order: name, role, states, description, id, box.
        summary | "2 different, 44 unchanged" | The numbers of pictures in words.
        takenAt | "2026-11-21T14:35:15.120Z" | When the pictures were taken; null if unknown.
        targets | | The touch targets with their sizes.
        texts | | The texts with their contrast: ratio, needed, ink, background.
        textSizes | ["default"] | The text sizes of its pictures.
        unreachable | "No step leads there." | Why the state was not reached; absent if it was.
        what | "A button has no name" | The problem.
        width | 320 | The width in points.
        with | "after" | The other set; without it the current screens.
        x | 36 | The distance from the left in points.
        y | 210 | The distance from the top in points.
        """
}
