/// Answers a request; never throws, for a client always gets an answer.
package typealias Responder = @Sendable (Request) async -> Response
