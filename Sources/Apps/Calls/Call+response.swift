package import Web

extension Call {
    /// Classifies a response to this call.
    ///
    /// A malformed response (no JSON, values nested too deep, the wrong shape) is a failure or
    /// invalid and has no other effect.
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
                return .invalid(detail: "The response is not valid UTF-8.")
            }
            document = .string(text)
        case .any: document = (try? Self.parseJSON(response)) ?? .null
        case .json:
            do throws(JSONReader.Failure) { document = try Self.parseJSON(response) } catch {
                return .invalid(
                    detail: response.body.isEmpty
                        ? "The response has no body; expected JSON."
                        : "The response is not JSON: \(error.detail).")
            }
        }
        guard Self.matches(success.expectedValues, document) else {
            return interpretFailure(response.status, document)
        }
        return interpretCaptures(document)
    }

    /// The call in these circumstances: rows that need others are removed, and those that need
    /// these apply to any response.
    package func applying(_ circumstances: Set<Failure.Circumstance>, _ variables: Variables)
        -> Call
    {
        guard failures.contains(where: \.isConditional) else { return self }
        var call = self
        call.failures = failures.compactMap { failure in
            guard failure.circumstance.map(circumstances.contains) ?? true,
                variables.hasValues(for: failure.requiredNames)
            else { return nil }
            var failure = failure
            failure.circumstance = nil
            failure.requiredNames = []
            return failure
        }
        return call
    }

    /// The classification of a response.
    package enum Interpretation: Sendable, Equatable {
        case success(captured: [String: JSON])
        /// A row of `failures` or nil if none matches, and the backend's own message (nil if it
        /// sent none).
        case failure(Failure?, message: String?, status: Int)
        /// A success status whose body cannot be read or lacks a required value.
        case invalid(detail: String)
    }

    /// Limit for a captured string: device storage accepts no longer value.
    private static let maxTextBytes = 64 << 10

    /// Limit for a captured object, such as a user with an embedded picture.
    fileprivate static let maxCaptureBytes = 1 << 20

    // MARK: Interpretation

    private static func parseJSON(_ response: UpstreamResponse) throws(JSONReader.Failure) -> JSON {
        try JSONReader.read(
            response.body, maxDepth: JSONReader.upstreamDepth, maxValues: maxJSONValues)
    }

    /// Limit for one response; about 20 MB.
    private static let maxJSONValues = 500_000

    private func interpretCaptures(_ document: JSON) -> Interpretation {
        var captured: [String: JSON] = [:]
        for (name, pointers) in success.capturePointers {
            guard let value = document.value(atFirstOf: pointers) else { continue }
            let maxBytes = value.string == nil ? Self.maxCaptureBytes : Self.maxTextBytes
            guard value.textSize <= maxBytes else {
                return .invalid(detail: "\(name) in the response is longer than \(maxBytes) bytes.")
            }
            captured[name] = value
        }
        for (name, pointers) in success.lastPagePointers {
            let last = document.value(atFirstOf: pointers)?.wholeNumber
            let page = captured[name]?.wholeNumber
            captured[name] = .null
            if let page, let last, page < last { captured[name] = .int(page + 1) }
        }
        for (name, words) in success.capturedWords {
            captured[name] = captured[name].map { JSON($0.string?.words(words)) }
        }
        for name in success.requiredNames where captured[name] == nil {
            let pointerList = (success.capturePointers[name] ?? []).joined(separator: ", ")
            return .invalid(detail: "The response has no \(name) at \(pointerList).")
        }
        return .success(captured: captured)
    }

    private func interpretFailure(_ status: Int, _ document: JSON?) -> Interpretation {
        let failure = failures.first {
            !$0.isConditional && ($0.status.isEmpty || $0.status.contains(status))
                && Self.matches($0.expectedValues, document)
        }
        if failure?.treatAsSuccess == true { return .success(captured: [:]) }
        return .failure(
            failure, message: Self.message(at: messagePointers, in: document), status: status)
    }

    /// The backend's messages for single fields in a failed response.
    package func fieldMessages(in response: UpstreamResponse) -> [String: String] {
        guard !fieldMessagePointers.isEmpty else { return [:] }
        let document = try? Self.parseJSON(response)
        return fieldMessagePointers.compactMapValues { Self.message(at: $0, in: document) }
    }

    /// The first readable text `pointers` lead to; a list of strings becomes one text, a line each.
    private static func message(at pointers: [String], in document: JSON?) -> String? {
        let texts = pointers.lazy.compactMap { document?.value(at: $0)?.joinedLines }
        return texts.first { !$0.isEmpty && !$0.isServerOutput }.map {
            String($0.unicodeScalars.prefix(maxMessageScalars))
        }
    }

    /// A message is a sentence or two.
    private static let maxMessageScalars = 500

    /// Whether every pointer leads to the expected text; a trailing `*` matches any suffix.
    private static func matches(_ expected: [String: String], _ document: JSON?) -> Bool {
        expected.allSatisfy { pointer, text in
            guard let value = document?.value(at: pointer)?.scalarText else { return false }
            return text.utf8.last == UInt8(ascii: "*")
                ? value.utf8.starts(with: text.utf8.dropLast()) : value == text
        }
    }
}

extension Call.Success {
    /// `captured` with the elements of appended lists after those of `held`. An element that is
    /// held already, because the pages have moved, is left out, as are those beyond 1 MiB.
    package func appending(_ captured: [String: JSON], to held: [String: JSON]) -> [String: JSON] {
        var captured = captured
        for name in appendedNames {
            guard case .array(let new)? = captured[name], case .array(var elements)? = held[name]
            else { continue }
            var keys = Set(elements.map(\.elementKey))
            var size = elements.reduce(0) { $0 + $1.textSize + 1 }
            for element in new where keys.insert(element.elementKey).inserted {
                size += element.textSize + 1
                guard size <= Call.maxCaptureBytes else { break }
                elements.append(element)
            }
            captured[name] = .array(elements)
        }
        return captured
    }
}

extension String {
    /// Nil if there are none.
    fileprivate func words(_ words: Call.Success.Words) -> String? {
        let all = split(whereSeparator: \.isWhitespace)
        let kept = words == .first ? all.prefix(1) : all.dropFirst()
        return kept.isEmpty ? nil : kept.joined(separator: " ")
    }
}

extension JSON {
    /// The number if it is whole, or a text that is one.
    fileprivate var wholeNumber: Int64? { int ?? string.flatMap { Int64($0) } }

    /// What distinguishes elements of a list: the `id`, or the full value.
    fileprivate var elementKey: String { (self["id"] ?? self).description }

    /// A string, or a list of strings joined by line breaks.
    fileprivate var joinedLines: String? {
        guard case .array(let elements) = self else { return string }
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count ? texts.joined(separator: "\n") : nil
    }

    /// The bytes of the names and strings in the value, and one for each member and element.
    fileprivate var textSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(elements.count) { $0 + $1.textSize }
        case .object(let members):
            members.reduce(members.count) { $0 + $1.name.utf8.count + $1.value.textSize }
        default: 0
        }
    }
}
