import Apps
import Secrets
import Surroundings
import Synchronization
import Traffic
package import Web

extension Simulator {
    /// Hands a real app's request on to the backend chosen on its device, and
    /// the answer back; what they mean to the device's session is kept before
    /// the answer is whole.
    package func pass(_ passage: Passage) async throws -> Response {
        guard hasWorkspace(passage.workspace) else {
            throw Problem.unknownWorkspace(passage.workspace)
        }
        try passage.check()
        let app = try catalogueApp(passage.app)
        let place = Place(
            workspace: passage.workspace, device: try await device(for: passage), app: app.id)
        if passage.device == nil, let like = passage.like {
            try await begin(place, app, like: like)
        }
        let facts = try await runner.facts(place, app)
        let book = books.book(facts)
        let own = book.base(passage.request.method, path: passage.path)
        let forwarding = Forwarding(passage, to: own ?? facts.base)
        let request = forwarding.request
        let recorder = runner.recorder
        let context =
            recorder.isTroubled
            ? Finding(request, isWhole: passage.request.upload == nil, passage, nil, facts, book)
                .context(place, facts) : nil
        let relay = await recorder.open(request, upload: passage.request.upload, as: context)
        let crossing = Crossing(
            passage: passage, place: place, app: app, book: book, relay: relay, runner: runner)
        guard case .answered(let answer) = relay.opened.delivery.outcome else {
            await crossing.end(nil)
            return crossing.failure
        }
        var response = forwarding.response(answer, exchange: relay.id)
        if let objection = forwarding.objection(to: response) {
            return await crossing.refuse(objection)
        }
        guard let rest = relay.opened.rest else {
            await crossing.end(nil)
            response.body = Self.body(answer, passage.request.method)
            return response
        }
        response.body = .flow(crossing.following(rest, length: answer.length))
        return response
    }

    private static func body(_ answer: Answer, _ method: Method) -> Response.Body {
        if method == .head || answer.status == 304 { return .withheld(length: answer.length) }
        return answer.body.isEmpty ? .empty : .bytes(answer.body)
    }

    private func catalogueApp(_ id: String) throws(Problem) -> App {
        guard let app = catalogue.app(id) else { throw .unknownApp(id) }
        return app
    }

    /// Has an app that was never used speak to the backend that is chosen on
    /// the device `like`.
    private func begin(_ place: Place, _ app: App, like: String) async throws {
        guard try await cupboard.look(place, app).kept.row == nil else { return }
        let model = Place(workspace: place.workspace, device: like, app: place.app)
        let chosen = try await cupboard.look(model, app).kept
        try await cupboard.change(place, app) { kept, _ in
            guard kept.row == nil else { return }
            (kept.backend, kept.own) = (chosen.backend, chosen.own)
        }
    }

    /// The device named, or the client's own: the same whenever it comes
    /// again.
    private func device(for passage: Passage) async throws -> String {
        if let named = passage.device {
            guard try await device(named, in: passage.workspace) != nil else {
                throw Problem.unknownDevice(named)
            }
            return named
        }
        let client = guests.admit(passage.client, "\(passage.workspace)/\(passage.app)")
        let text = "through/\(passage.workspace)/\(passage.app)/\(client)"
        let id = guests.id(text) {
            let digest = Array(Digest.sha256(text).utf8.prefix(16))
            return Identifier.make(prefix: "dev_through", bytes: digest)
        }
        let device = try await device(
            promised: id, in: passage.workspace,
            label: client.isEmpty ? "Through" : "Through \(client)")
        return device.id
    }
}

extension Answer {
    /// Bytes of its body as it tells them itself.
    fileprivate var length: Int? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
