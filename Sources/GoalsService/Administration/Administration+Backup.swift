import GoalsStore

extension Administration {
  /// Writes a verified copy of the database into a new file.
  ///
  /// - Parameter path: absolute: whoever asks may work in another folder than whoever does it.
  func backUp(to path: String) throws(AdminError) -> AdminReply.Backup {
    guard path.hasPrefix("/") else { throw AdminError("The path has to be an absolute one.") }
    do throws(BackupError) {
      let report = try store.upkeep.backUp(path)
      return AdminReply.Backup(
        path: report.path, bytes: report.bytes, accounts: report.accounts)
    } catch {
      throw AdminError(error.description)
    }
  }
}
