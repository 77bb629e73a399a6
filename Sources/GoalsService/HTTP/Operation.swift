/// The operations of the HTTP interface, by their names in openapi.yaml: the one list of them.
package enum Operation: String, CaseIterable, Sendable {
  case listGoals, addGoal, readGoal, putGoal, patchGoal, deleteGoal
  case bumpGoal, skipGoal, moveGoal, readHistory, drawHistory, setActivity
  case readHistories
  case submitEdits, listEdits, readEdit, undoEdit, sync, followChanges
  case readAccount, configureAccount, readZone
  case readToken, listTokens, addToken, revokeToken
  case exportLog, importLog, exportCounts
  case addAccount, beginSession, endSession
  case readPage, readClient, readDocs, readOpenAPI, health, readiness

  package var endpoint: Endpoint {
    switch self {
    case .listGoals: .listGoals
    case .addGoal: .addGoal
    case .readGoal: .readGoal
    case .putGoal: .putGoal
    case .patchGoal: .patchGoal
    case .deleteGoal: .deleteGoal
    case .bumpGoal: .bumpGoal
    case .skipGoal: .skipGoal
    case .moveGoal: .moveGoal
    case .readHistory: .readHistory
    case .drawHistory: .drawHistory
    case .readHistories: .readHistories
    case .setActivity: .setActivity
    case .submitEdits: .submitEdits
    case .listEdits: .listEdits
    case .readEdit: .readEdit
    case .undoEdit: .undoEdit
    case .sync: .sync
    case .followChanges: .followChanges
    case .readAccount: .readAccount
    case .configureAccount: .configureAccount
    case .readToken: .readToken
    case .readZone: .readZone
    case .listTokens: .listTokens
    case .addToken: .addToken
    case .revokeToken: .revokeToken
    case .exportLog: .exportLog
    case .importLog: .importLog
    case .exportCounts: .exportCounts
    case .addAccount: .addAccount
    case .beginSession: .beginSession
    case .endSession: .endSession
    case .readPage: .readPage
    case .readClient: .readClient
    case .readDocs: .readDocs
    case .readOpenAPI: .readOpenAPI
    case .health: .health
    case .readiness: .readiness
    }
  }
}
