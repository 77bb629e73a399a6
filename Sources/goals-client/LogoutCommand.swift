import ArgumentParser
import Foundation
import GoalsClient
import Terminal

/// `goals logout`.
struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget the token, and what this machine keeps of the account.")

  @Flag(help: "Also forget edits that were not sent: they are lost.") var discard = false

  func run() async throws {
    let signIn = try SignIn.read()
    let session = try Session(signIn)
    session.signIn()
    await session.meet()
    let count = session.client.status.current.unsent.count
    let isRefused =
      session.client.status.current.standing == .stopped(.signedOut)
      && session.client.status.current.leads
    // What was rejected is told, and keeps nobody.
    try? session.close()
    if count > 0, !discard {
      let remedy =
        isRefused || session.mayOnlyRead
        ? "The server does not take them with this token. Use `goals login` with a token that may write, or `goals logout --discard`."
        : "Try again with the server in reach, or say --discard."
      throw CommandFailure(
        "You are still signed in: \(count) edit\(count == 1 ? " was" : "s were") not sent, and "
          + "would be lost. \(remedy)")
    }
    try SignIn.forget()
    do {
      try FileManager.default.removeItem(atPath: signIn.folder)
    } catch {
      throw CommandFailure("You are signed out, but \(signIn.folder) could not be removed.")
    }
    try StandardOutput.write(
      isRefused
        ? "Signed out. The server does not take the token any more.\n"
        : "Signed out. The token is still valid: `goals token revoke` on the server ends it.\n")
  }
}
