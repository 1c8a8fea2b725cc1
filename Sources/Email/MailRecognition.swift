import Web

/// What a mail of an unknown app is for, recognized by its words: its purpose, its one-time code
/// and its link.
package struct MailRecognition: Sendable, Equatable {
    /// `reset`, `verify`, `login`, `email change`, `invite` or `other`.
    package let purpose: String
    /// 4 to 8 digits near a word such as *code*, or letters and digits right after it.
    package let code: String?
    /// The URL that is most like one with a token.
    package let link: String?

    package init(subject: String, text: String, html: String) {
        let plain = text.nonEmpty ?? HTMLText.plainText(of: html)
        let lines = [subject] + plain.split(whereSeparator: \.isNewline).map(String.init)
        let link = LinkFinder.bestLink(HTMLText.links(in: html) + HTMLText.urls(in: plain))
        self.link = link
        code = CodeFinder.code(in: lines.prefix(400).map { HTMLText.withoutURLs($0) })
        purpose =
            Self.purpose(ofLink: link) ?? Self.purpose(of: subject)
            ?? Self.purpose(of: link ?? "")
            ?? Self.purpose(of: String(plain.prefix(2_000))) ?? "other"
    }

    private static let purposes: [(purpose: String, words: [String])] = [
        (
            "email change",
            ["change of email", "email change", "email_change", "new email", "change-email"]
        ),
        ("reset", ["reset", "forgot", "recover", "new password", "change your password"]),
        ("invite", ["invit"]),
        (
            "login",
            [
                "log in", "login", "sign in", "sign-in", "signin", "magic", "one-time", "otp",
                "passcode", "access code",
            ]
        ), ("verify", ["verif", "confirm", "activat", "complete your registration"]),
    ]

    private static func purpose(of text: String) -> String? {
        let text = text.lowercased()
        return purposes.first { $0.words.contains(where: text.contains) }?.purpose
    }

    /// GoTrue and Firebase name the purpose in the link.
    private static func purpose(ofLink link: String?) -> String? {
        guard let link, let query = link.firstIndex(of: "?") else { return nil }
        let purposes = [
            "type=signup": "verify", "type=email_change": "email change", "type=invite": "invite",
            "type=magiclink": "login", "type=recovery": "reset", "mode=resetpassword": "reset",
            "mode=verifyemail": "verify", "mode=signin": "login",
        ]
        let items = link[query...].dropFirst().lowercased().split(separator: "&")
        return items.lazy.compactMap { purposes[String($0)] }.first
    }
}

/// Finds the one-time code of a mail.
enum CodeFinder {
    private static let codeWords = [
        "code", "otp", "passcode", "pin", "one-time", "kode", "kod", "código", "codigo", "codice",
        "einmal", "token", "verification",
    ]

    /// The digits nearest to a code word, in the same line or one of the two before.
    static func code(in lines: [String]) -> String? {
        for index in lines.indices {
            if let code = labelledCode(lines[index...]) { return code }
        }
        var best: (distance: Int, code: String)?
        for (index, line) in lines.enumerated() {
            for candidate in candidates(in: line) {
                guard let distance = distance(candidate.offset, index, lines) else { continue }
                if best.map({ distance < $0.distance }) ?? true {
                    best = (distance, candidate.code)
                }
            }
        }
        return best?.code
    }

    /// The code after `Your code:` or `The code is`, in the same line or the next with text: groups
    /// of digits and capital letters, with a digit.
    private static func labelledCode(_ lines: ArraySlice<String>) -> String? {
        guard let line = lines.first, !otherCodes.contains(where: line.lowercased().contains) else {
            return nil
        }
        let lowercased = line.lowercased()
        for label in labels {
            guard let range = lowercased.firstRange(of: label) else { continue }
            let end = lowercased.distance(from: lowercased.startIndex, to: range.upperBound)
            var rest = line.dropFirst(end).drop { $0 == ":" }.trimmingBlanks
            if rest.isEmpty {
                let following = lines.dropFirst().prefix(2).map { Substring($0).trimmingBlanks }
                rest = following.first { !$0.isEmpty } ?? ""
            }
            let token = rest.prefix { $0 == "-" || $0.isASCII && ($0.isNumber || $0.isUppercase) }
            let next = rest.dropFirst(token.count)
            let symbols = token.filter { $0 != "-" }
            guard (4...16).contains(symbols.count), token.contains(where: \.isNumber),
                next.first.map({ $0.isWhitespace || ".,;!)".contains($0) }) ?? true,
                next.dropFirst().first?.isNumber != true,
                token.split(separator: "-").allSatisfy({ (2...8).contains($0.count) })
            else { continue }
            guard symbols.allSatisfy(\.isNumber) else { return String(token) }
            if symbols.count <= 8, token != symbols { return String(symbols) }
        }
        return nil
    }

    private static let labels = ["code", "otp", "pin", "password"].flatMap { word in
        [":", " is", " ist", " lautet"].map { word + $0 }
    }
    private static let otherCodes = [
        "promo", "discount", "coupon", "voucher", "gift", "order code", "zip", "postal", "postcode",
    ]

    private static func distance(_ offset: Int, _ index: Int, _ lines: [String]) -> Int? {
        if let near = nearestWord(to: offset, in: lines[index]) { return near }
        for back in 1...2 where index - back >= 0 {
            if nearestWord(to: 0, in: lines[index - back]) != nil { return 200 * back + offset }
        }
        return nil
    }

    /// The distance in characters from `offset` to the nearest code word.
    private static func nearestWord(to offset: Int, in line: String) -> Int? {
        let words = line.lowercased().split { !$0.isLetter && $0 != "-" && !$0.isNumber }
        var nearest: Int?
        for word in words
        where word.hasSuffix("code") || codeWords.contains(where: { word.hasPrefix($0) }) {
            let position = line.lowercased().distance(
                from: line.lowercased().startIndex, to: word.startIndex)
            nearest = min(nearest ?? .max, abs(position - offset))
        }
        return nearest
    }

    /// Runs of 4 to 8 digits, also as `482 913` and `482-913`, that are no amount, date, time or
    /// phone number.
    private static func candidates(in line: String) -> [(code: String, offset: Int)] {
        let characters = Array(line.prefix(2_000))
        var found: [(String, Int)] = []
        var index = 0
        while index < characters.count {
            guard isDigit(characters[index]) else {
                index += 1
                continue
            }
            let start = index
            var digits = ""
            while index < characters.count {
                if isDigit(characters[index]) {
                    digits.append(characters[index])
                } else if digits.count == 3, characters[index] == " " || characters[index] == "-",
                    characters[(index + 1)...].prefix(4).prefix(while: isDigit).count == 3
                {
                    // The separator of two groups of three.
                } else {
                    break
                }
                index += 1
            }
            let before = start > 0 ? characters[start - 1] : " "
            let after = index < characters.count ? characters[index] : " "
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            // A number in several groups, such as that of a phone.
            let isGrouped =
                before == " " && start > 1 && isDigit(characters[start - 2])
                || after == " " && isDigit(next)
            let isJoined =
                isGrouped || before.isLetter || "+#$€£/.-_@".contains(before) || after.isLetter
                || before == ":" && start > 1 && isDigit(characters[start - 2])
                || "/:-_@%".contains(after) || ".,".contains(after) && isDigit(next)
            let following = String(characters[min(index, characters.count)...].prefix(10))
                .lowercased().whitespaceCollapsed
            let isDuration = ["second", "minute", "hour", "day"].contains {
                following.hasPrefix($0)
            }
            let isYear =
                digits.count == 4 && (digits.hasPrefix("19") || digits.hasPrefix("20"))
                && characters.count > 6
            if (4...8).contains(digits.count), !isJoined, !isDuration, !isYear {
                found.append((digits, start))
            }
        }
        return found
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }
}

/// Finds the link of a mail that does what the mail is for.
enum LinkFinder {
    private static let words = [
        "token", "verif", "confirm", "activat", "reset", "password", "recover", "magic", "login",
        "signin", "sign-in", "sign_in", "auth", "otp", "invit", "accept", "unlock", "change-email",
        "oobcode", "key=", "code=", "uid",
    ]
    private static let otherWords = [
        "unsubscribe", "privacy", "/terms", "/help", "support", "facebook.", "twitter.",
        "instagram.", "linkedin.", "apps.apple.", "play.google.", ".png", ".jpg", ".gif", ".css",
        ".svg", "w3.org",
    ]

    /// The first of those with the highest score; nil if none has a token.
    static func bestLink(_ links: [String]) -> String? {
        var best: (score: Int, link: String)?
        for link in links.prefix(300) {
            let score = score(link)
            if score >= 3, best.map({ score > $0.score }) ?? true { best = (score, link) }
        }
        return best?.link
    }

    private static func score(_ link: String) -> Int {
        let lowercased = link.lowercased()
        guard let scheme = lowercased.firstRange(of: "://") else { return 0 }
        let path = lowercased[scheme.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" }
        var score = 0
        if words.contains(where: { path.contains($0) }) { score += 3 }
        let parts = path.split { "/?&=#;".contains($0) }
        if parts.contains(where: isTokenLike) { score += 3 }
        if otherWords.contains(where: { lowercased.contains($0) }) { score -= 5 }
        return score
    }

    /// 12 or more characters of a token's alphabet with a digit, or 24 of any.
    private static func isTokenLike(_ part: Substring) -> Bool {
        let isToken = part.utf8.allSatisfy {
            $0.isDigit || $0.isLetter || "-_.~%+:".utf8.contains($0)
        }
        return isToken
            && (part.utf8.count >= 12 && part.contains(where: \.isNumber) || part.utf8.count >= 24)
    }
}
