import GoalsCore

extension Reading {
  /// Everything that is wrong with the storage, and the first thing with each account.
  func faults() throws(StoreError) -> [String] {
    try storageFaults() + accountFaults()
  }

  /// The first thing that is wrong with each account.
  func accountFaults() throws(StoreError) -> [String] {
    try accountFaults { account throws(StoreError) in try firstFault(of: account) }
  }

  func accountFaults(
    _ firstFault: (Account.ID) throws(StoreError) -> String?
  ) throws(StoreError) -> [String] {
    var faults: [String] = []
    do throws(StoreError) {
      for account in try accounts() {
        if let fault = try firstFault(account.id) { faults.append(fault) }
      }
    } catch .corrupt(let fault) {
      faults.append(fault)
    }
    return faults
  }
}
