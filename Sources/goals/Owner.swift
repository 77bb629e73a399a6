import Glibc
import GoalsStore
import Terminal

/// The user to whom a database belongs.
enum Owner {
  /// Run by root, takes on the database's owner, so that no file beside it comes to belong to root
  /// and locks the server out. A database that does not exist yet leaves everything as it is.
  static func become(ofDatabase path: String) throws {
    guard geteuid() == 0 else { return }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != 0 else { return }
    guard setgroups(0, nil) == 0, setgid(status.st_gid) == 0, setuid(status.st_uid) == 0 else {
      throw CommandFailure(
        "Root can't take on user id \(status.st_uid), to whom \(path) belongs.")
    }
  }
}
