#if !canImport(Darwin)
import CCurl
import Foundation
import Synchronization

/// Carries requests by libcurl, on a thread that sleeps while nothing comes.
///
/// The thread begins with the first request, and keeps the transport until it is closed.
final class CurlTransport: Transport {
  private enum Order: Sendable {
    case begin(Int, TransportRequest)
    case cancel(Int)
    /// Looks whether something came of a request meanwhile.
    case look(Int)
  }

  /// libcurl's handle of all transfers. Only the transport's thread uses it, but every thread may
  /// wake it.
  private struct Multi: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// False where the thread can't be woken.
    @discardableResult func wake() -> Bool { curl_multi_wakeup(pointer) == CURLM_OK }
  }

  private struct State: Sendable {
    /// What the thread has not followed yet.
    var orders: [Order] = []
    var isClosed = false
    var hasThread = false
    /// What wakes the thread; nil before it waits and once it does no longer.
    var multi: Multi?
  }

  private let exchanges: Exchanges
  /// A server that sent nothing by so many looks sends nothing for now.
  private let looks = 4
  private let pause: Duration
  private let after: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  private let state = Mutex(State())

  init(telling exchanges: Exchanges, patience: Duration, world: ClientWorld) {
    self.exchanges = exchanges
    pause = patience / looks
    after = world.after
    CurlThread.prepare()
  }

  func begin(_ id: Int, _ request: TransportRequest) { give([.begin(id, request)]) }

  func cancel(_ ids: [Int]) { give(ids.map(Order.cancel)) }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.orders = []
      state.multi?.wake()
    }
  }

  private func give(_ orders: [Order]) {
    guard !orders.isEmpty else { return }
    let needsThread = state.withLock { state in
      guard !state.isClosed else { return false }
      state.orders += orders
      state.multi?.wake()
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard needsThread else { return }
    let isRunning = CurlThread.begin { [self] in
      run()
    } endingBy: { [weak self] in
      self?.close()
    }
    if !isRunning { giveUp([:]) }
  }

  // MARK: The thread

  private func run() {
    var transfers: [Int: CurlTransfer] = [:]
    if let pointer = curl_multi_init() {
      let multi = Multi(pointer: pointer)
      // NB: `curl_multi_init` succeeds also without a descriptor to be woken by; `wake` fails then.
      if multi.wake() { work(multi, &transfers) }
      for transfer in transfers.values { transfer.leave(pointer) }
      curl_multi_cleanup(pointer)
    }
    giveUp(transfers)
  }

  /// Ends the requests that libcurl can't carry, without an answer. The next request has a new
  /// thread.
  private func giveUp(_ transfers: [Int: CurlTransfer]) {
    let left = state.withLock { state in
      defer { state.orders = [] }
      state.hasThread = false
      return state.orders
    }
    for id in transfers.keys { exchanges.end(id, isWhole: false) }
    for case .begin(let id, _) in left { exchanges.end(id, isWhole: false) }
  }

  /// Carries requests until the link is closed, or libcurl fails.
  private func work(_ multi: Multi, _ transfers: inout [Int: CurlTransfer]) {
    state.withLock { $0.multi = multi }
    defer { state.withLock { $0.multi = nil } }
    while let orders = nextOrders() {
      for order in orders { follow(order, multi, &transfers) }
      var running: Int32 = 0
      guard curl_multi_perform(multi.pointer, &running) == CURLM_OK else { return }
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi.pointer, &left)?.pointee {
        guard let transfer = transfers.values.first(where: { $0.handle == message.easy_handle })
        else { continue }
        transfers[transfer.id] = nil
        transfer.leave(multi.pointer)
        let result = message.data.result
        if result != CURLE_OK { exchanges.failed(by: LinkFault(result)) }
        exchanges.end(transfer.id, isWhole: result == CURLE_OK)
      }
      guard curl_multi_poll(multi.pointer, nil, 0, .max, nil) == CURLM_OK else { return }
    }
  }

  /// Nil where the link is closed.
  private func nextOrders() -> [Order]? {
    state.withLock { state in
      defer { state.orders = [] }
      return state.isClosed ? nil : state.orders
    }
  }

  private func follow(_ order: Order, _ multi: Multi, _ transfers: inout [Int: CurlTransfer]) {
    switch order {
    case .begin(let id, let request):
      let transfer = CurlTransfer(id, request, telling: exchanges)
      guard let transfer, transfer.join(multi.pointer) else {
        exchanges.end(id, isWhole: false)
        return
      }
      transfers[id] = transfer
      lookLater(id)
    case .cancel(let id):
      transfers.removeValue(forKey: id)?.leave(multi.pointer)
    case .look(let id):
      guard let transfer = transfers[id] else { return }
      guard transfer.silentLooks() == looks else { return lookLater(id) }
      transfers[id] = nil
      transfer.leave(multi.pointer)
      exchanges.end(id, isWhole: false)
    }
  }

  private func lookLater(_ id: Int) {
    after(pause, .global()) { [weak self] in self?.give([.look(id)]) }
  }
}

extension LinkFault {
  fileprivate init?(_ result: CURLcode) {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost
    case CURLE_COULDNT_CONNECT: self = .refused
    case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted
    case CURLE_SSL_CACERT_BADFILE: self = .noAuthorities
    // NB: open: libcurl's numbers.
    default: return nil
    }
  }
}
#endif
