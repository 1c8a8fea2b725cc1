package import Web

extension Call {
    /// What an answer means to this call.
    ///
    /// Nothing a backend sends can do more than make the answer a failure or
    /// invalid: text that is no JSON, values too deep, the wrong shape.
    package func interpret(_ response: UpstreamResponse) -> Interpretation {
        let isSuccess =
            success.status.isEmpty
            ? (200..<300).contains(response.status) : success.status.contains(response.status)
        guard isSuccess else {
            return interpretFailure(response.status, try? Self.parseJSON(response))
        }
        let document: JSON
        switch success.body {
        case .empty: document = .null
        case .text:
            guard let text = String(validating: response.body, as: UTF8.self) else {
                return .invalid(detail: "The answer's text is not UTF-8.")
            }
            document = .string(text)
        case .any: document = (try? Self.parseJSON(response)) ?? .null
        case .json:
            do throws(JSONReader.Failure) { document = try Self.parseJSON(response) } catch {
                return .invalid(
                    detail: response.body.isEmpty
                        ? "The answer has no body; JSON was expected."
                        : "The answer is no JSON: \(error.detail).")
            }
        }
        guard Self.matches(success.expectedValues, document) else {
            return interpretFailure(response.status, document)
        }
        return interpretCaptures(document)
    }

    /// What an answer means.
    package enum Interpretation: Sendable, Equatable {
        case success(captured: [String: JSON])
        /// One of `failures` or none of them, and the backend's own message
        /// (nil if it told none).
        case failure(Failure?, message: String?, status: Int)
        /// A success that cannot be read, or lacks what is required.
        case invalid(detail: String)
    }

    /// A captured text may be stored on the device, where none is longer.
    private static let maxTextBytes = 64 << 10

    /// A captured object, such as a user with a picture inside.
    private static let maxCaptureBytes = 1 << 20

    // MARK: Parts

    private static func parseJSON(_ response: UpstreamResponse) throws(JSONReader.Failure) -> JSON {
        try JSONReader.read(
            response.body, maxDepth: JSONReader.upstreamDepth, maxValues: maxJSONValues)
    }

    /// Of an answer; some 20 MB.
    private static let maxJSONValues = 500_000

    private func interpretCaptures(_ document: JSON) -> Interpretation {
        var captured: [String: JSON] = [:]
        for (name, pointers) in success.capturePointers {
            guard let value = document.value(atFirstOf: pointers) else { continue }
            let longest = value.string == nil ? Self.maxCaptureBytes : Self.maxTextBytes
            guard value.fits(maxBytes: longest) else {
                return .invalid(
                    detail: "The answer's \(name) is longer than \(longest) bytes.")
            }
            captured[name] = value
        }
        for name in success.requiredNames where captured[name] == nil {
            let places = (success.capturePointers[name] ?? []).joined(separator: ", ")
            return .invalid(detail: "The answer has no \(name) at \(places).")
        }
        return .success(captured: captured)
    }

    private func interpretFailure(_ status: Int, _ document: JSON?) -> Interpretation {
        let failure = failures.first {
            ($0.status.isEmpty || $0.status.contains(status))
                && Self.matches($0.expectedValues, document)
        }
        if failure?.treatAsSuccess == true { return .success(captured: [:]) }
        return .failure(
            failure, message: Self.message(at: messagePointers, in: document), status: status)
    }

    /// What an answer that says no says of single fields.
    package func fieldMessages(in response: UpstreamResponse) -> [String: String] {
        guard !fieldMessagePointers.isEmpty else { return [:] }
        let document = try? Self.parseJSON(response)
        return fieldMessagePointers.compactMapValues { Self.message(at: $0, in: document) }
    }

    /// The first of `pointers` that leads to a text somebody can read; a list
    /// of texts is one, a line each.
    private static func message(at pointers: [String], in document: JSON?) -> String? {
        guard let document else { return nil }
        for pointer in pointers {
            guard let text = document.value(at: pointer)?.joinedLines, !text.isEmpty else {
                continue
            }
            return String(text.unicodeScalars.prefix(maxMessageScalars))
        }
        return nil
    }

    /// A message is a sentence or two; a page of stack trace is cut here.
    private static let maxMessageScalars = 500

    /// Whether every pointer leads to the text expected there; `*` at its end
    /// stands for anything.
    private static func matches(_ expected: [String: String], _ document: JSON?) -> Bool {
        expected.allSatisfy { pointer, text in
            guard let found = document?.value(at: pointer)?.scalarText else { return false }
            return text.utf8.last == UInt8(ascii: "*")
                ? found.utf8.starts(with: text.utf8.dropLast()) : found == text
        }
    }
}

extension JSON {
    /// The text of a string, or of a list of strings, one below the other.
    fileprivate var joinedLines: String? {
        guard case .array(let elements) = self else { return string }
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count ? texts.joined(separator: "\n") : nil
    }

    /// Whether all its names and texts together are at most `bytes` long.
    fileprivate func fits(maxBytes bytes: Int) -> Bool {
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
