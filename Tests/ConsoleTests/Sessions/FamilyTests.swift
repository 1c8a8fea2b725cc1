import Backend
import FoundationEssentials
import Testing

@testable import Console
@testable import Simulator

/// What descends from a sign-in, and how it is drawn.
@Suite(.timeLimit(.minutes(10))) struct FamilyTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func moment(_ kind: String, _ generation: Int, after seconds: Double = 0)
        -> SessionHistoryEntry
    {
        SessionHistoryEntry(
            at: now.addingTimeInterval(seconds), kind: kind, title: kind, generation: generation,
            exchange: "exc_1")
    }

    private func family(
        _ moments: [SessionHistoryEntry], refreshes: Int, ended: Bool = false,
        because: String? = nil,
        tokens: [(ArchivedToken?, String)] = [], asked: [Int] = []
    ) -> Family {
        var session = Session.mock(ended ? .signedOut : .active, at: now, ended: ended)
        session.refreshCount = refreshes
        var sessionState: ServerSessionState?
        if let because {
            sessionState = .mock(at: now)
            sessionState?.session?.revokedAt = now.addingTimeInterval(9)
            sessionState?.session?.revocationReason = because
            sessionState?.requestedTokens = []
        }
        if !asked.isEmpty {
            sessionState = sessionState ?? .mock(at: now)
            sessionState?.requestedTokens = asked.map { number in
                var token = EmbeddedBackend.RefreshTokenInfo.mock(at: now)
                token.generation = number
                return token
            }
        }
        return Family(
            session, history: moments, generations: .mock(session, tokens),
            sessionState: sessionState)
    }

    @Test func `each refresh is a generation, a token edited by hand is none`() {
        let family = family(
            [
                moment("signedIn", 1), moment("refreshed", 2), moment("expiredByHand", 3),
                moment("refreshed", 4),
            ], refreshes: 2)
        #expect(family.nodes.map(\.generation) == [1, 2, 3])
        #expect(family.nodes.map(\.kind) == [.used, .used, .current])
        #expect(family.end == nil)
    }

    @Test func `what an earlier state that came back undid is not drawn`() {
        var moments = [
            moment("signedIn", 1), moment("refreshed", 2),
            moment("refreshed", 3), moment("replay.refused", 3),
            moment("refreshed", 4), moment("restored", 2),
        ]
        var family = family(moments, refreshes: 1)
        #expect(family.nodes.map(\.generation) == [1, 2])
        #expect(family.nodes.map(\.serverGeneration) == [nil, nil])
        #expect(family.nodes.map(\.kind) == [.used, .current])
        #expect(family.branches.isEmpty)
        moments.append(moment("refreshed", 3, after: 9))
        family = self.family(moments, refreshes: 2)
        #expect(family.nodes.map(\.generation) == [1, 2, 3])
        #expect(family.nodes.last?.at == now.addingTimeInterval(9))
    }

    @Test func `a long life keeps its numbers though its middle is forgotten`() {
        let family = family([moment("signedIn", 1), moment("refreshed", 700)], refreshes: 699)
        #expect(family.nodes.last?.generation == 700)
    }

    @Test func `the reuse that ended it is told, and what died with it`() {
        let family = family(
            [
                moment("signedIn", 1), moment("refreshed", 2), moment("refreshed", 3),
                moment("replay.refused", 2, after: 9),
            ], refreshes: 2, because: EmbeddedBackend.refreshTokenReusedReason)
        #expect(family.branches.map(\.endsFamily) == [true])
        #expect(family.nodes.map(\.kind) == [.used, .used, .ended])
        #expect(family.end?.title == "all revoked")
        let said = FamilyModel(
            family, of: .mock(at: now), id: nil, generations: .mock, canRefresh: false,
            hasRefreshCall: true
        ).accessibleSteps.map(\.sentence)
        #expect(said.contains { $0.contains("it ended the family") })
        #expect(said.last?.contains("refresh token reused") == true)
    }

    @Test func `an end by signing out is nobody's reuse`() {
        let family = family(
            [moment("signedIn", 1), moment("replay.refused", 1, after: 9)], refreshes: 0,
            because: "signed out")
        #expect(family.branches.map(\.endsFamily) == [false])
    }

    @Test func `of a race only what was not kept is a branch`() {
        let family = family(
            [
                moment("signedIn", 1), moment("refreshed", 2), moment("race.kept", 1),
                moment("race.taken", 1),
            ], refreshes: 1)
        #expect(family.branches.count == 1)
        #expect(family.branches[0].isAccepted)
    }

    @Test func `only the newest generations are drawn, all are said`() {
        let moments = (1...9).map { number in moment(number == 1 ? "signedIn" : "refreshed", number)
        }
        let family = family(moments, refreshes: 8)
        let drawing = FamilyLayout(family: family).makeWideDrawing()
        #expect(drawing.circles.map(\.number) == ["6", "7", "8", "9"])
        #expect(drawing.labels.contains { $0.text == "+5" })
        let model = FamilyModel(
            family, of: .mock(at: now), id: nil, generations: .mock, canRefresh: true,
            hasRefreshCall: true
        )
        #expect(model.accessibleSteps.count == 9)
    }

    @Test func `a reuse of what is folded away is drawn where it began`() {
        let family = family(
            (1...15).map { moment($0 == 1 ? "signedIn" : "refreshed", $0) } + [
                moment("replay.refused", 3, after: 9)
            ], refreshes: 14, because: EmbeddedBackend.refreshTokenReusedReason)
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number) == ["3", "13", "14", "15"])
            #expect(picture.boxes.map(\.tone) == ["bad"])
            #expect(picture.lines.contains { $0.kind == "reuse" })
        }
        let words = drawing.makeWideDrawing().labels.map(\.text)
        #expect(words.contains("+2") && words.contains("+9"))
    }

    @Test func `what is folded is told beside its line`() {
        let family = family(
            (1...15).map { moment($0 == 1 ? "signedIn" : "refreshed", $0) }, refreshes: 14)
        let drawing = FamilyLayout(family: family).makeWideDrawing()
        let fold = drawing.labels.first { $0.text == "+11" }
        let line = drawing.lines.first { $0.kind == "earlier" }
        #expect(line?.d == "M 4 62 H 55")
        // The line is at 62, the letters are eleven high.
        #expect(fold.map { $0.y < 60 } == true)
    }

    @Test func `two tabs that were refused are told apart`() {
        var lost = moment("lostAnswer.taken", 2)
        lost.exchange = "exc_4"
        var one = moment("race.refused", 2, after: 9)
        one.title = "One tab was refused with 401"
        var other = moment("race.refused", 2, after: 9)
        other.title = "The other tab was refused with 401"
        let family = family(
            [moment("signedIn", 1), moment("refreshed", 2), lost, one, other], refreshes: 1,
            because: EmbeddedBackend.refreshTokenReusedReason,
            tokens: [(.mock(4, generation: 3, .responseLost, at: now), "three")])
        #expect(
            family.branches.map(\.title) == [
                "Answer to 2 lost", "One tab used 2", "The other tab used 2 too",
            ])
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number).contains("3b"))
        }
        // The arrow of the reuse ends below the words of the end.
        let wide = drawing.makeWideDrawing()
        let end = wide.labels.first { $0.text == "all revoked" }
        let arrow = wide.lines.last { $0.kind == "reuse" && $0.hasArrowhead }
        let x = arrow?.d.split(separator: " ")[1]
        #expect(x.flatMap { Int($0) } == end.map { $0.x + 16 })
    }

    @Test func `what the server numbers otherwise says so in the drawing`() {
        var race = moment("race.taken", 1, after: 9)
        race.title = "The other tab was taken"
        race.exchange = "exc_4"
        var replay = moment("replay.taken", 2, after: 19)
        replay.title = "Generation 2b, the other tab's, used elsewhere"
        replay.exchange = "exc_6"
        replay.tokenNumber = 4
        let family = family(
            [moment("signedIn", 1), moment("refreshed", 2), race, replay], refreshes: 1,
            tokens: [
                (.mock(2, generation: 1, at: now), "one"),
                (.mock(4, generation: 2, .otherClient, at: now), "rival"),
                (.mock(6, generation: 3, .reuse, at: now), "again"), (nil, "two"),
            ], asked: [1, 2, 4, 3])
        #expect(family.nodes.map(\.serverLabel) == [nil, "the server's 3"])
        // It descends from where the other tab left.
        #expect(family.branches.map(\.generation) == [1, 1])
        #expect(
            family.branches.map(\.title) == [
                "The other tab used 1 too", "Generation 2b used elsewhere",
            ])
        #expect(family.branches[0].note.hasSuffix("taken: the server's 2"))
        #expect(family.branches[1].note.hasSuffix("taken: the server's 4"))
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number).sorted() == ["1", "2", "2b", "3b"])
            #expect(picture.labels.contains { $0.text.hasSuffix("the server's 3") })
        }
    }

    @Test func `two tabs that were given the same token make no branch of it`() {
        var race = moment("race.taken", 1)
        race.exchange = "exc_4"
        let family = family(
            [moment("signedIn", 1), moment("refreshed", 2), race], refreshes: 1,
            tokens: [
                (.mock(2, generation: 1, at: now), "one"),
                (.mock(4, generation: 2, .otherClient, at: now), "two"), (nil, "two"),
            ], asked: [1, 2, 2])
        #expect(family.branches[0].note.hasSuffix("taken: given 2 too"))
        let drawing = FamilyLayout(family: family)
        for picture in [drawing.makeWideDrawing(), drawing.makeCompactDrawing()] {
            #expect(picture.circles.map(\.number) == ["1", "2"])
        }
    }

    @Test(arguments: 1...6, 0...4) func `nothing is drawn outside the picture`(
        nodes: Int, trials: Int
    ) {
        let moments =
            (1...nodes).map { number in moment(number == 1 ? "signedIn" : "refreshed", number) }
            + (0..<trials).map { moment("replay.refused", min($0 + 1, nodes)) }
        let family = family(
            moments, refreshes: nodes - 1, because: EmbeddedBackend.refreshTokenReusedReason)
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
