extension FieldDescriptions {
    /// The second half of the table.
    static let namesFromM = """
        Mail.from | "Atlas <no-reply@atlas.test>" | The sender.
        Mail.subject | "Verify your email" | The subject.
        Mail.to | "nora@example.com" | The recipient.
        mailbox | "/mailbox" | The mailbox's page.
        MailDetail.subject | "Verify your email" | The subject.
        MailDetail.to | "nora@example.com" | The recipient.
        manifestErrors | | The manifest's errors, by line; empty for a valid one.
        manifestErrors.cause | "Unknown call logn" | What is wrong.
        manifestErrors.fix | "Did you mean login?" | How to fix it.
        manifestErrors.line | 42 | The line, from 1; null if unknown.
        manifestErrors.location | "launch.0.call" | The member, from the manifest's root.
        manifestPath | "screens/login/title" | The place in the manifest; null for a template.
        marks | | The contrast of icons and of the edges of controls.
        masked | "eyJhbG…W7hw" | The value, masked.
        message | "Invalid email or password" | The app's message; null without one.
        metadata | {"user_metadata": {"full_name": "Nora"}} | The JSON objects that the server stores about the account, by name.
        method | "POST" | The HTTP method.
        methods | ["totp", "password"] | The authentication methods, as the token lists them.
        name | "Atlas" | The name.
        nameLookup | 0.2 | Milliseconds of the name lookup; null without one.
        newRun | true | Whether to start another run although one is active.
        next | "1203" | The cursor of the next page, for `after`; null at the end.
        notBefore | "2026-11-21T14:35:15.120Z" | The token is not valid before; null without this claim.
        note | "Tokens follow the clock." | What else the change means.
        notice | "Invalid email or password" | The message that the screen shows; null without one.
        now | "2026-11-21T14:35:15.120Z" | The workspace's time.
        number | 3 | The number.
        occurrences | 1 | How many places have the same text.
        offset | 900 | Seconds that the workspace's clock is ahead of the system's.
        on | true | Whether it is on.
        openapi | {"openapi": "3.1.0", "paths": {}} | The OpenAPI document of the backend, as text or object.
        openLink.link | "atlas://settings" | The link.
        orientation | "portrait" | How the device is held.
        origin | "device" | Where the token comes from.
        originalRequest | | The request before it was edited; null if it was not.
        originalResponse | | The response before it was edited; null if it was not.
        origins | | Always empty; part of Playwright's `storageState`.
        outcome | "continued" | The result.
        outlier | "device" | The side that differs from the others.
        page | "/storyboard/atlas/login/default" | The page.
        parameter | "state" | A query parameter.
        part | "claims" | The token's part: header or claims.
        password | "correct horse battery" | The password.
        path | "/auth/login" | The path.
        paused | true | Whether recording is paused.
        pausedAt | "2026-11-21T14:35:15.120Z" | When it was paused.
        PausedExchange.phase | "request" | What is paused.
        pausedFor | 4.2 | Seconds that it was paused.
        percent | 0.3 | The share of pixels that differ; null if one picture is missing.
        phase | "before" | `before`: the request is not sent; `after`: the response is dropped or replaced.
        phone | "iPhone 15" | The display.
        phoneVerifiedAt | "2026-11-21T14:35:15.120Z" | When the phone number was verified; null if it is not.
        PictureDifference.appearance | "light" | The appearance.
        PictureDifference.name | "login-default" | The screen and its state.
        PictureDifference.status | "different" | How it differs.
        pictures | 46 | The number of pictures.
        PictureSet.apps | ["atlas"] | The apps of its pictures; empty for all.
        PictureSet.name | "before" | The name.
        PictureSet.sizes | ["iphone15"] | The sizes of its pictures.
        pixels | 4441 | The number of pixels that differ; null if one picture is missing.
        placeholder | "{{accessToken}}" | The text that stands for an encrypted value.
        placeholders | | The texts that stand for encrypted values.
        played | true | Whether the steps and the result are those of a run since the last change.
        pointer | "/email" | A JSON Pointer (RFC 6901) into the body.
        points | | The notes on single elements.
        port | 2525 | The port.
        position | 1 | The rule's place in the order, from 1.
        preset | "tokenTheft" | The preset's id; null without one.
        probeToken.token | 2 | The number of a stored token; the current one by default.
        problem | "app.json5:12: Unknown key" | The manifest's errors; null if it is valid.
        property | "color" | The property that uses the token.
        provider | "google" | The sign-in provider.
        purpose | "verify" | What the message is for.
        readAccessibility.states | | The measured states.
        reading | | What a screen reader reads, from the top, with its depth.
        readMap.run | | The run that the counts are of; null for the totals.
        real | "2026-11-21T14:35:15.120Z" | The system's time.
        reason | "The token expired." | The reason, in words.
        reasons | ["The session has ended."] | Why sessions could not be signed out.
        receivedAt | "2026-11-21T14:35:15.120Z" | When the device stored the token.
        refreshCount | 1 | How often the session was refreshed.
        refreshedAt | "2026-11-21T14:35:15.120Z" | The last refresh.
        refreshToken | | The refresh token; null without one.
        refreshTokens | | The refresh tokens that the server issued.
        remaining | 2 | How often it still applies; null if until it is turned off.
        remarks | ["No logout operation was found."] | What to check in the made manifest.
        remoteAddress | "127.0.0.1" | The address that responded; null without a connection.
        removeFactors | ["0b6c…"] | The ids of second factors to remove.
        removeIdentities | ["5f2e…"] | The ids of identities to remove.
        request | | The request.
        requestBytes | 61 | Size of the request's body.
        requests | | The requests, in the order of their responses.
        response | | The response; null without one.
        responseBytes | 512 | Size of the response's body.
        result | "reached" | Whether the state was reached; `notPlayed` before it is rendered.
        retryAfter | 30 | The value of Retry-After in seconds.
        reusedAt | "2026-11-21T14:35:15.120Z" | When it was used again; null if it was not.
        revocationReason | "reuse" | Why the server ended the session.
        revokedAt | "2026-11-21T14:35:15.120Z" | When the server ended the session; null if it did not.
        root | "http://127.0.0.1:7071" | The URL at the root, for the workspace main; null if there is none.
        rows | | The members of both tokens.
        rule | "rul_8J2K" | The rule's id.
        rules | | The rules that matched, in their order.
        run | 12 | The number of the test run.
        runRefreshTest.token | 2 | The number of a stored token.
        sameSite | "Strict" | The cookie's SameSite attribute.
        savedIn | ["app.css"] | The files that were written.
        scale | 2 | Pixels per point.
        screen | "map" | The screen's id.
        screens | | The screens.
        screens.id | "login" | The screen's id.
        screens.path | "/apps/atlas/login" | The screen's page.
        SearchResult.url | "/sessions/ses_8J2K" | The console's page.
        second | "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" | The token to compare with.
        secondFactor | "totp" | The kind of the second factor; null without one.
        secondsLeft | 3541 | Seconds until it expires; negative afterwards.
        sections | | The compared parts.
        secure | false | Whether the cookie requires https.
        seed | | The state to start from.
        selector | ".title" | The rule that uses the token.
        selectors | ["login.email"] | The test ids of the screen's elements.
        sensorLocked | false | Whether the app reads it only after the device's sensor matched.
        sentAt | "2026-11-21T14:35:15.120Z" | When the message was sent.
        server | "true" | The value on the server; null if unknown.
        serverGeneration | 3 | The generation as the server counts; null if it is the same.
        session | "ses_8J2K" | The session's id.
        Session.id | "ses_8J2K" | The session's id.
        sessions | 2 | How many sessions.
        settings | {"apiKey": "k1"} | The backend's settings by name.
        signature | "verified" | The result of the signature's verification.
        signedOut | 3 | How many sessions were signed out.
        signOut | true | Ends all sessions of the account.
        size | "iphone15" | The device's size.
        sizes | | The device sizes for the tile's `size`.
        skew | 120 | Seconds that the backend's clock is ahead.
        skipped | | The disabled controls, which are no tab stops.
        smtp | | The SMTP server; null if it is off.
        SMTPSettings.host | "127.0.0.1" | The host.
        SMTPSettings.tls | false | Always false: the connection is not encrypted.
        SMTPSettings.user | "ws_8J2K/shop" | The user name that selects the workspace and the app.
        snippets | | Code that points clients at this backend.
        source | "manifest" | Where the text is written: manifest or templates.
        sources | [".title (app.css:12)"] | The rules that use the pair.
        spec | "specs/atlas.md" | The document that the manifest follows; null without one.
        startedAt | "2026-11-21T14:35:15.120Z" | When it started.
        state | "active" | The state.
        states | ["initial", "failure"] | The ids of the screen's states in the storyboard.
        states.state | "login.default" | The screen and its state.
        states.title | "Login" | The title of the page.
        status | 200 | The HTTP status; null without a response.
        step | "login" | The walkthrough's step.
        steps | | The steps, in order.
        steps.detail | "login" | Where or by what: a screen, `workspace`, `fault`.
        steps.id | "login" | The step's id.
        steps.note | "Two fields and a link" | What to look at; null without a note.
        steps.title | "Log in" | The screen's title.
        stops | | The tab stops, in their order: name, role, states, description, id, box.
        storage | | The stored values.
        storageState | | Playwright's `storageState`: the cookies of the workspace and its device.
        stored | 12 | How many of them are stored.
        StoryboardState.kind | "default" | The kind of state.
        StoryboardState.note | "Two fields" | The walkthrough's note; null without one.
        StoryboardState.reason | "No way was found" | Why there is no screen; null if there is one.
        StoryboardState.state | "default" | The state's name.
        StoryboardState.steps | | The steps that reproduce the state; empty before it is rendered.
        StoryboardState.title | "Default" | The state's title.
        studio | "/studio/shop" | The app's page in the studio.
        subject | "exc_8J2K" | What it is about, by kind.
        summary | "2 different, 44 unchanged" | The numbers of pictures in words.
        switches | {"confirmEmail": false} | The server's settings by name.
        takenAt | "2026-11-21T14:35:15.120Z" | When the pictures were taken; null if unknown.
        takePictureSet.appearance | "light" | The appearance, of an app that has both.
        targets | | The touch targets with their sizes.
        testId | "login.email" | The test id of the element; null for the whole screen.
        text | "Your code is 482913." | The text.
        Text.kind | "label" | The kind of text.
        Text.screens | ["login"] | The screens that show the text.
        Text.text | "Log in" | The text.
        texts | | The texts with their contrast: ratio, needed, ink, background.
        textSize | "large" | The device's text size.
        textSizes | ["default"] | The text sizes of its pictures.
        tile | "/storyboard/atlas/login/default/frame" | The rendered screen, for a frame.
        timeout | 30 | Seconds after which it continues by itself.
        times | 3 | The number of requests; null until it is turned off.
        timings | | The durations in milliseconds.
        timings.total | 2.8 | Milliseconds until the response was complete.
        title | "Unknown device" | The title.
        tls | 3.2 | Milliseconds of the TLS handshake; null without one.
        to | "map" | The screen after.
        token | "nora@example.com" | The value in the token; null if absent.
        Token.kind | "jwt" | Whether it is a JWT or opaque.
        TokenComparison.rows.kind | "changed" | The kind of difference.
        tokens | | The design tokens, in the order of the style sheets.
        tokens.kind | "color" | The kind of value.
        tokens.name | "--page" | The custom property.
        tokens.value | "#fff" | The value, as written.
        total | 3 | The number of matches.
        totalIsExact | true | Whether `total` is exact; false if counting stopped there.
        transitions | | The transitions between screens.
        truncated | false | Whether only the beginning of the body is recorded.
        ttl | 600 | Seconds until the workspace is deleted.
        type | "/problems/unknown-device" | The kind of problem.
        unchanged | 4 | The number of equal values.
        unchecked | | What was not verified, and why.
        unreachable | "No step leads there." | Why the state was not reached; absent if it was.
        until | "2026-11-21T14:35:45.120Z" | When it continues by itself.
        url | "http://127.0.0.1:7071/main/atlas/auth/login" | The URL.
        useAccessToken | true | Whether to send the device's access token.
        usedAt | "2026-11-21T14:35:15.120Z" | When it was used; null if it was not.
        user | | The user.
        user.id | "42" | The user's id at the backend.
        uses | | The declarations that use the token.
        value | "application/json" | The value.
        values | {"--page": "#FFFFFF"} | The new values by token.
        verdict | | The result of the signature's verification.
        verified | true | Whether the email address is verified.
        verifiedAt | "2026-11-21T14:35:15.120Z" | When the email address was verified; null if it is not.
        version | "0.1.0" | Foyer's version.
        walkthrough | | The device's walkthrough; null before it has started.
        what | "A button has no name" | The problem.
        width | 320 | The width in points.
        with | "after" | The other set; without it the current screens.
        workspace | "main" | The workspace's id.
        workspaces | 4 | The number of workspaces.
        writtenAt | "2026-11-21T14:35:15.120Z" | When it was stored.
        x | 36 | The distance from the left in points.
        y | 210 | The distance from the top in points.
        """
}
