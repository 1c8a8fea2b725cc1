import Backend
import DomainMocks
import FoundationEssentials
import Testing

@testable import Console
@testable import Inspection
@testable import Simulator

/// Refresh families and their drawings.
@Suite(.timeLimit(.minutes(10))) struct FamilyTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func entry(_ kind: String, _ generation: Int, after seconds: Double = 0)
        -> SessionHistoryEntry
    {
        SessionHistoryEntry(
            at: now.addingTimeInterval(seconds), kind: kind, title: kind, generation: generation,
            exchange: "exc_1")
    }

    private func family(
        _ history: [SessionHistoryEntry], refreshes: Int, ended: Bool = false,
        because: String? = nil,
        tokens: [(ArchivedToken?, String)] = [], requested: [Int] = []
    ) -> Family {
        var session = Session.mock(ended ? .signedOut : .active, at: now, ended: ended)
        session.refreshCount = refreshes
        var sessionState: ServerSessionState?
        if let because {
            sessionState = .mock(at: now)
            sessionState?.session?.revokedAt = Timestamp(now.addingTimeInterval(9))
            sessionState?.session?.revocationReason = because
            sessionState?.requestedTokens = []
        }
        if !requested.isEmpty {
            sessionState = sessionState ?? .mock(at: now)
            sessionState?.requestedTokens = requested.map { number in
                var token = EmbeddedBackend.RefreshTokenInfo.mock(at: now)
                token.generation = number
                return token
            }
        }
        return Family(
            session, history: history, generations: .mock(session, tokens),
            sessionState: sessionState)
    }

    @Test func `each refresh is a generation and a manual edit is not`() {
        let family = family(
            [
                entry("signedIn", 1), entry("refreshed", 2), entry("expiredManually", 3),
                entry("refreshed", 4),
            ], refreshes: 2)
        #expect(family.nodes.map(\.generation) == [1, 2, 3])
        #expect(family.nodes.map(\.kind) == [.used, .used, .current])
        #expect(family.end == nil)
    }

    @Test func `generations undone by a restore are not drawn`() {
        var history = [
            entry("signedIn", 1), entry("refreshed", 2),
            entry("refreshed", 3), entry("replay.rejected", 3),
            entry("refreshed", 4), entry("restored", 2),
        ]
        var family = family(history, refreshes: 1)
        #expect(family.nodes.map(\.generation) == [1, 2])
        #expect(family.nodes.map(\.serverGeneration) == [nil, nil])
        #expect(family.nodes.map(\.kind) == [.used, .current])
        #expect(family.branches.isEmpty)
        history.append(entry("refreshed", 3, after: 9))
        family = self.family(history, refreshes: 2)
        #expect(family.nodes.map(\.generation) == [1, 2, 3])
        #expect(family.nodes.last?.at == now.addingTimeInterval(9))
    }

    @Test func `generation numbers survive an incomplete history`() {
        let family = family([entry("signedIn", 1), entry("refreshed", 700)], refreshes: 699)
        #expect(family.nodes.last?.generation == 700)
    }

    @Test func `the reuse that revoked a family is shown with what it ended`() {
        let family = family(
            [
                entry("signedIn", 1), entry("refreshed", 2), entry("refreshed", 3),
                entry("replay.rejected", 2, after: 9),
            ], refreshes: 2, because: EmbeddedBackend.refreshTokenReusedReason)
        #expect(family.branches.map(\.endsFamily) == [true])
        #expect(family.nodes.map(\.kind) == [.used, .used, .ended])
        #expect(family.end?.title == "Family revoked")
        #expect(family.sentences.contains { $0.contains("it revoked the family") })
        #expect(family.sentences.last?.contains("refresh token reused") == true)
    }

    @Test func `signing out is not shown as a reuse`() {
        let family = family(
            [entry("signedIn", 1), entry("replay.rejected", 1, after: 9)], refreshes: 0,
            because: "signed out")
        #expect(family.branches.map(\.endsFamily) == [false])
    }

    @Test func `of concurrent refreshes only the discarded one is a branch`() {
        let family = family(
            [
                entry("signedIn", 1), entry("refreshed", 2), entry("concurrent.stored", 1),
                entry("concurrent.accepted", 1),
            ], refreshes: 1)
        #expect(family.branches.count == 1)
        #expect(family.branches[0].isAccepted)
    }

    @Test func `only the newest generations are drawn, all are listed as text`() {
        let history = (1...9).map { number in entry(number == 1 ? "signedIn" : "refreshed", number)
        }
        let family = family(history, refreshes: 8)
        let drawing = FamilyLayout(family: family).makeWideDrawing()
        #expect(drawing.circles.map(\.number) == ["6", "7", "8", "9"])
        #expect(drawing.labels.contains { $0.text == "+5" })
        #expect(family.sentences.count == 9)
    }

    @Test func `a reused generation is drawn although its neighbors are omitted`() {
        let family = family(
            (1...15).map { entry($0 == 1 ? "signedIn" : "refreshed", $0) } + [
                entry("replay.rejected", 3, after: 9)
            ], refreshes: 14, because: EmbeddedBackend.refreshTokenReusedReason)
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number) == ["3", "13", "14", "15"])
            #expect(picture.boxes.map(\.tone) == ["bad"])
            #expect(picture.lines.contains { $0.kind == "reuse" })
        }
        let labels = drawing.makeWideDrawing().labels.map(\.text)
        #expect(labels.contains("+2") && labels.contains("+9"))
    }

    @Test func `the number of omitted generations is placed above its line`() {
        let family = family(
            (1...15).map { entry($0 == 1 ? "signedIn" : "refreshed", $0) }, refreshes: 14)
        let drawing = FamilyLayout(family: family).makeWideDrawing()
        let fold = drawing.labels.first { $0.text == "+11" }
        let line = drawing.lines.first { $0.kind == "earlier" }
        #expect(line?.d == "M 4 62 H 55")
        // The line is at y = 62, and the text is 11 high.
        #expect(fold.map { $0.y < 60 } == true)
    }

    @Test func `two rejected clients have separate branches`() {
        var lostResponse = entry("dropResponse.accepted", 2)
        lostResponse.exchange = "exc_4"
        var one = entry("concurrent.rejected", 2, after: 9)
        one.title = "First client was rejected with 401"
        var other = entry("concurrent.rejected", 2, after: 9)
        other.title = "Second client was rejected with 401"
        let family = family(
            [entry("signedIn", 1), entry("refreshed", 2), lostResponse, one, other], refreshes: 1,
            because: EmbeddedBackend.refreshTokenReusedReason,
            tokens: [(.mock(4, generation: 3, .responseLost, at: now), "three")])
        #expect(
            family.branches.map(\.title) == [
                "Response lost for #2", "First client used #2", "Second client reused #2",
            ])
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number).contains("3b"))
        }
        // The arrow of the reuse ends below the label of the family's end.
        let wide = drawing.makeWideDrawing()
        let end = wide.labels.first { $0.text == "Family revoked" }
        let arrow = wide.lines.last { $0.kind == "reuse" && $0.hasArrowhead }
        let x = arrow?.d.split(separator: " ")[1]
        #expect(x.flatMap { Int($0) } == end.map { $0.x + 16 })
    }

    @Test func `generations that the server numbers differently show both numbers`() {
        var race = entry("concurrent.accepted", 1, after: 9)
        race.title = "Second client was accepted"
        race.exchange = "exc_4"
        var replay = entry("replay.accepted", 2, after: 19)
        replay.title = "Generation 2b, second client, used elsewhere"
        replay.exchange = "exc_6"
        replay.tokenNumber = 4
        let family = family(
            [entry("signedIn", 1), entry("refreshed", 2), race, replay], refreshes: 1,
            tokens: [
                (.mock(2, generation: 1, at: now), "one"),
                (.mock(4, generation: 2, .otherClient, at: now), "rival"),
                (.mock(6, generation: 3, .reuse, at: now), "again"), (nil, "two"),
            ], requested: [1, 2, 4, 3])
        #expect(family.nodes.map(\.serverLabel) == [nil, "server #3"])
        // The second branch starts at the same generation as the second client's.
        #expect(family.branches.map(\.generation) == [1, 1])
        #expect(
            family.branches.map(\.title) == [
                "Second client reused #1", "Generation 2b used elsewhere",
            ])
        #expect(family.branches[0].note.hasSuffix("accepted: server #2"))
        #expect(family.branches[1].note.hasSuffix("accepted: server #4"))
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number).sorted() == ["1", "2", "2b", "3b"])
            #expect(picture.labels.contains { $0.text.hasSuffix("server #3") })
        }
    }

    @Test func `a token issued to two clients is drawn once`() {
        var race = entry("concurrent.accepted", 1)
        race.exchange = "exc_4"
        let family = family(
            [entry("signedIn", 1), entry("refreshed", 2), race], refreshes: 1,
            tokens: [
                (.mock(2, generation: 1, at: now), "one"),
                (.mock(4, generation: 2, .otherClient, at: now), "two"), (nil, "two"),
            ], requested: [1, 2, 2])
        #expect(family.branches[0].note.hasSuffix("accepted: also issued #2"))
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number) == ["1", "2"])
        }
    }

    @Test(arguments: 1...6, 0...4) func `nothing is drawn outside the bounds of the drawing`(
        nodes: Int, reuses: Int
    ) {
        let history =
            (1...nodes).map { number in entry(number == 1 ? "signedIn" : "refreshed", number) }
            + (0..<reuses).map { entry("replay.rejected", min($0 + 1, nodes)) }
        let family = family(
            history, refreshes: nodes - 1, because: EmbeddedBackend.refreshTokenReusedReason)
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            for circle in picture.circles {
                #expect(circle.cx >= 16 && circle.cx + 16 <= picture.width)
                #expect(circle.cy >= 16 && circle.cy + 16 <= picture.height)
            }
            for box in picture.boxes {
                #expect(box.x + box.width <= picture.width)
                #expect(box.y + box.height <= picture.height)
            }
        }
    }
}
