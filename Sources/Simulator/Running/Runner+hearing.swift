import Apps
import Surroundings
import Traffic
import Web

extension Runner {
    /// Notes what an answer says of the session whose token the call carried.
    func hear(
        _ reading: Call.Reading, _ bearer: Bearer, _ name: String, _ sent: Recorder.Sent,
        _ place: Place, _ facts: Facts
    ) {
        guard let session = facts.kept.session, bearer.name == App.accessToken,
            let masked = session.accessToken?.masked
        else { return }
        let isNew = answers.note(
            answered(
                reading, name, sent, masked: masked, isProbe: false, place: place, app: facts.app),
            of: session.id, isCurrent: true)
        if isNew { cupboard.checks.note(place) }
    }

    func answered(
        _ reading: Call.Reading?, _ name: String, _ sent: Recorder.Sent, masked: String,
        isProbe: Bool, place: Place, app: App
    ) -> Answered {
        var answered = Answered(
            at: cupboard.now(in: place), heardAt: world.now(), exchange: sent.id, call: name,
            status: nil, isAccepted: nil, facts: [:], total: sent.delivery.timings.total,
            masked: masked, isProbe: isProbe)
        if case .answered(let answer) = sent.delivery.outcome { answered.status = answer.status }
        switch reading {
        case .success(let captured):
            answered.isAccepted = true
            answered.facts = captured.filter { !app.isToken($0.key) }
        case .failure(let failure, _, let status):
            if failure?.session != nil || status == 401 || status == 403 {
                answered.isAccepted = false
            }
        case .invalid, nil: break
        }
        return answered
    }
}
