/// Handles a request; never throws, since every client gets a response.
package typealias Responder = @Sendable (Request) async -> Response
