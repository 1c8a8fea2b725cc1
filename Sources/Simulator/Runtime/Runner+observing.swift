import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Records what a response reveals about the session whose token the call carried.
    func recordObservation(
        _ interpretation: Call.Interpretation, _ bearer: BearerToken, _ name: String,
        _ sent: Recorder.RecordedExchange, _ instance: AppInstance, _ context: ActionContext
    ) {
        guard let session = context.persisted.session, bearer.name == App.accessTokenName,
            let masked = session.accessToken?.maskedValue
        else { return }
        let isNew = observedStatus.record(
            makeObservation(
                interpretation, name, sent, masked: masked, isProbe: false, instance: instance,
                app: context.app), of: session.id, isCurrent: true)
        if isNew { stateStore.sessionChecks.enqueue(instance) }
    }

    func makeObservation(
        _ interpretation: Call.Interpretation?, _ name: String, _ sent: Recorder.RecordedExchange,
        masked: String, isProbe: Bool, instance: AppInstance, app: App
    ) -> SessionObservation {
        var observation = SessionObservation(
            at: stateStore.now(in: instance), observedAt: world.now(), exchange: sent.id,
            call: name, status: nil, isAccepted: nil, capturedValues: [:],
            totalMilliseconds: sent.result.timings.total, maskedToken: masked, isProbe: isProbe)
        if case .responded(let response) = sent.result.outcome {
            observation.status = response.status
        }
        switch interpretation {
        case .success(let captured):
            observation.isAccepted = true
            observation.capturedValues = captured.filter { !app.isToken($0.key) }
        case .failure(let failure, _, let status):
            if failure?.sessionEffect != nil || status == 401 || status == 403 {
                observation.isAccepted = false
            }
        case .invalid, nil: break
        }
        return observation
    }
}
