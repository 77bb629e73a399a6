import GoalsCore

extension Replica {
  /// An output of the replica: an order to the shell.
  public enum Decision: Hashable, Sendable {
    /// Make the change durable, and say `kept` or `notKept` with the number. Changes are kept in
    /// the order of their numbers. A change that was not kept is kept with the next one, both or
    /// neither.
    case keep(Delta, Int)
    /// Send a request, and say with its ticket what became of it.
    case send(Request, Ticket)
    /// Follow the log from this position on, in place of what was followed before.
    case follow(after: Cursor?, Following)
    /// Follow the log no more.
    case unfollow
    /// Look a time zone up: on the device, else at the server.
    case findZone(ZoneName)
    /// Say `timePassed` at this time, and at no earlier one. Nil: at none.
    case wait(until: Instant?)
    /// What a person sees has changed. Where a goal is named, no other goal looks otherwise than at
    /// the last `show`.
    case show(of: Goal.ID? = nil)
    /// Tell the person, or the app.
    case tell(Notice)
  }

  /// How the log is followed.
  public enum Following: Hashable, Sendable {
    /// `GET /v1/changes`.
    case stream
    /// `GET /v1/edits?wait=`, once.
    case longPoll
  }

  /// Something that a person should know.
  public enum Notice: Hashable, Sendable {
    /// The server did not record an edit, or would not. `wasKept` says whether it waited in the
    /// queue before; it is then among the own edits until it is dismissed.
    case rejected(ProposedEdit, Rejection, wasKept: Bool)
    /// These edits change nothing.
    case unchanged([Edit.ID])
    /// The device could not keep these edits. They are gone.
    case notKept([Edit.ID])
    /// The server was restored from a backup. So many edits are sent again.
    case restored(edits: Int)
    /// The token is not valid any more, or there is none.
    case signInNeeded
    /// The token is of another account. Nothing is sent with it.
    case otherAccount(Account.ID)
    /// The token may not write. The edits wait.
    case readOnly
    /// The account's log has its largest size. The edits wait.
    case accountFull
    /// The device's clock is wrong by so many milliseconds; new edits are corrected.
    case clockIsOff(by: Int64)
    /// The log has edits that only a newer version of the app understands.
    case newerServer
    /// The server does not understand a request: a mistake of the app or of the server.
    case notUnderstood(String)
  }

  /// How the replica stands to the server.
  public enum Standing: Hashable, Sendable {
    /// Nothing was loaded yet.
    case loading
    /// All edits are sent and all of the log is read, as far as is known.
    case inStep
    /// A request is under way.
    case asking
    /// It is tried again then.
    case waiting(until: Instant, Cause)
    /// Nothing is sent until a person does something.
    case stopped(Stop)
  }

  /// Why a request has to be made again.
  public enum Cause: Hashable, Sendable {
    /// There was no answer.
    case unreachable
    /// The server, or a proxy before it, asked for time.
    case asked
    /// The answer had this status, and was no success.
    case status(Int)
    /// It was refused with 401 or 403, and not by the server, which gives a code: by a proxy, or by
    /// a network that wants a sign-in of its own. It says nothing of the token.
    case refusedBetween(Int)
    /// What was answered makes no sense.
    case nonsense
  }

  /// Why nothing is sent until a person does something.
  public enum Stop: Hashable, Sendable {
    /// There is no token, or the server does not take it.
    case signedOut
    /// The token is of this account, and the device keeps another.
    case otherAccount(Account.ID)
  }
}
