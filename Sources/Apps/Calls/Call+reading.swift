package import Web

extension Call {
    /// What an answer means to this call.
    ///
    /// Nothing a backend sends can do more than make the answer a failure or
    /// invalid: text that is no JSON, values too deep, the wrong shape.
    package func read(_ answer: Answer) -> Reading {
        let isSuccess =
            success.status.isEmpty
            ? (200..<300).contains(answer.status) : success.status.contains(answer.status)
        guard isSuccess else { return failure(answer.status, try? Self.json(answer)) }
        let document: JSON
        switch success.body {
        case .empty: document = .null
        case .text:
            guard let text = String(validating: answer.body, as: UTF8.self) else {
                return .invalid(detail: "The answer's text is not UTF-8.")
            }
            document = .string(text)
        case .any: document = (try? Self.json(answer)) ?? .null
        case .json:
            do throws(JSONReader.Failure) { document = try Self.json(answer) } catch {
                return .invalid(
                    detail: answer.body.isEmpty
                        ? "The answer has no body; JSON was expected."
                        : "The answer is no JSON: \(error.detail).")
            }
        }
        guard Self.fits(success.where, document) else { return failure(answer.status, document) }
        return captured(document)
    }

    /// What an answer means.
    package enum Reading: Sendable, Equatable {
        case success(captured: [String: JSON])
        /// One of `failures` or none of them, and the backend's own message
        /// (nil if it told none).
        case failure(Failure?, message: String?, status: Int)
        /// A success that cannot be read, or lacks what is required.
        case invalid(detail: String)
    }

    /// A captured text may be stored on the device, where none is longer.
    private static let longestText = 64 << 10

    /// A captured object, such as a user with a picture inside.
    private static let largestCapture = 1 << 20

    // MARK: Parts

    private static func json(_ answer: Answer) throws(JSONReader.Failure) -> JSON {
        try JSONReader.read(answer.body, depth: JSONReader.foreignDepth, most: mostValues)
    }

    /// Of an answer; some 20 MB.
    private static let mostValues = 500_000

    private func captured(_ document: JSON) -> Reading {
        var captured: [String: JSON] = [:]
        for (name, pointers) in success.capture {
            guard let value = document.at(firstOf: pointers) else { continue }
            let longest = value.string == nil ? Self.largestCapture : Self.longestText
            guard value.fits(longest) else {
                return .invalid(
                    detail: "The answer's \(name) is longer than \(longest) bytes.")
            }
            captured[name] = value
        }
        for name in success.require where captured[name] == nil {
            let places = (success.capture[name] ?? []).joined(separator: ", ")
            return .invalid(detail: "The answer has no \(name) at \(places).")
        }
        return .success(captured: captured)
    }

    private func failure(_ status: Int, _ document: JSON?) -> Reading {
        let failure = failures.first {
            ($0.status.isEmpty || $0.status.contains(status)) && Self.fits($0.where, document)
        }
        if failure?.passes == true { return .success(captured: [:]) }
        return .failure(failure, message: Self.message(at: messageAt, in: document), status: status)
    }

    /// What an answer that says no says of single fields.
    package func fieldMessages(in answer: Answer) -> [String: String] {
        guard !fieldMessageAt.isEmpty else { return [:] }
        let document = try? Self.json(answer)
        return fieldMessageAt.compactMapValues { Self.message(at: $0, in: document) }
    }

    /// The first of `pointers` that leads to a text somebody can read; a list
    /// of texts is one, a line each.
    private static func message(at pointers: [String], in document: JSON?) -> String? {
        guard let document else { return nil }
        for pointer in pointers {
            guard let text = document.at(pointer)?.lines, !text.isEmpty else { continue }
            return String(text.unicodeScalars.prefix(longestMessage))
        }
        return nil
    }

    /// A message is a sentence or two; a page of stack trace is cut here.
    private static let longestMessage = 500

    /// Whether every pointer leads to the text expected there; `*` at its end
    /// stands for anything.
    private static func fits(_ expected: [String: String], _ document: JSON?) -> Bool {
        expected.allSatisfy { pointer, text in
            guard let found = document?.at(pointer)?.text else { return false }
            return text.utf8.last == UInt8(ascii: "*")
                ? found.utf8.starts(with: text.utf8.dropLast()) : found == text
        }
    }
}

extension JSON {
    /// The text of a string, or of a list of strings, one below the other.
    fileprivate var lines: String? {
        guard case .array(let elements) = self else { return string }
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count ? texts.joined(separator: "\n") : nil
    }

    /// Whether all its names and texts together are at most `bytes` long.
    fileprivate func fits(_ bytes: Int) -> Bool {
        var left = bytes
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .string(let text): left -= text.utf8.count
            case .array(let elements):
                left -= elements.count
                if left >= 0 { open += elements }
            case .object(let members):
                left -= members.count
                if left >= 0 {
                    for member in members {
                        left -= member.name.utf8.count
                        open.append(member.value)
                    }
                }
            default: break
            }
            if left < 0 { return false }
        }
        return true
    }
}
