#if !canImport(Darwin)
import CCurl
import Foundation
import GoalsEngine

/// One request that libcurl carries. Only the thread of its transport touches it.
final class CurlTransfer {
  /// The longest head of an answer, with those that came before it (1xx), in bytes.
  static let longestHead = 256 << 10

  let id: Int
  let handle: UnsafeMutableRawPointer
  private let exchanges: Exchanges
  /// Whether the head of the answer has come to its end. NB: libcurl takes one that was cut off for
  /// an answer.
  private var hasHead = false
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var headCount = 0
  /// How many bytes have come, and how many bytes had come or gone at the last look.
  private var heardCount = 0
  private var seenCount = 0
  private var silence = 0

  /// Nil where libcurl has no room for it, or can't be told so.
  init?(_ id: Int, _ request: TransportRequest, telling exchanges: Exchanges) {
    guard let handle = curl_easy_init() else { return nil }
    self.id = id
    self.handle = handle
    self.exchanges = exchanges
    guard setSafety(), set(request), setHearing() else { return nil }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fields)
  }

  func join(_ multi: UnsafeMutableRawPointer) -> Bool {
    curl_multi_add_handle(multi, handle) == CURLM_OK
  }

  func leave(_ multi: UnsafeMutableRawPointer) { curl_multi_remove_handle(multi, handle) }

  /// In how many looks nothing had come or gone, with this one.
  func silentLooks() -> Int {
    let count = heardCount + Int(ccurl_size(handle, CURLINFO_SIZE_UPLOAD_T))
    silence = count == seenCount ? silence + 1 : 0
    seenCount = count
    return silence
  }

  // MARK: Options

  /// libcurl follows no redirection, keeps no cookies and reads no passwords unless it is told to.
  private func setSafety() -> Bool {
    let isSet =
      ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
      // One protocol with and without TLS. In HTTP/2 a stream would share the connection.
      && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      && set(CURLOPT_NOSIGNAL, 1)
      // The answer of a proxy to CONNECT is none of the server.
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // Cancelling a request does not wait for a name server.
      && set(CURLOPT_QUICK_EXIT, 1)
      // Every coding that libcurl knows. What it decodes counts, so that a bomb is cut off.
      && ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK
    // OpenSSL's variable, for a server whose certificate is signed by nobody the system knows.
    guard isSet, let file = getenv("SSL_CERT_FILE") else { return isSet }
    return ccurl_set_text(handle, CURLOPT_CAINFO, file) == CURLE_OK
  }

  private func set(_ request: TransportRequest) -> Bool {
    guard ccurl_set_text(handle, CURLOPT_URL, request.url) == CURLE_OK else { return false }
    if let body = request.body {
      let isCopied =
        set(CURLOPT_POST, 1)
        && ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
        && body.withUnsafeBytes {
          ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) == CURLE_OK
        }
      guard isCopied else { return false }
    }
    // A long body does not wait until the server has said that it wants it.
    let lines = request.fields.map { "\($0.name): \($0.value)" } + ["Expect:"]
    for line in lines {
      // A value with the end of a line in it would be further fields (RFC 9110 §5.5).
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return false }
      guard let longer = curl_slist_append(fields, line) else { return false }
      fields = longer
    }
    return ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
      && ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    ccurl_set_long(handle, option, value) == CURLE_OK
  }

  // MARK: Hearing

  private func setHearing() -> Bool {
    // It outlives the handle, so nobody has to keep it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    return ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context) == CURLE_OK
      && ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context) == CURLE_OK
      && ccurl_set_hearing(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        CurlTransfer.hear(bytes, size * count, context) { $0.hear(line: $1) }
      } == CURLE_OK
      && ccurl_set_hearing(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfer.hear(bytes, size * count, context) { $0.hear(body: $1) }
      } == CURLE_OK
  }

  /// How many of the bytes were taken: all, or none where no more are wanted.
  private static func hear(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.heardCount += count
    if count == 0 { return 0 }
    return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count - 1
  }

  private func hear(line: UnsafeRawBufferPointer) -> Bool {
    headCount += line.count
    guard headCount <= Self.longestHead else { return false }
    // The empty line ends a head. After it come the fields behind a body, which say nothing here.
    guard !hasHead, line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) else { return true }
    let status = ccurl_long(handle, CURLINFO_RESPONSE_CODE)
    // The answer is still to come after one of these.
    guard status >= 200 else { return true }
    hasHead = true
    let fields = AnswerFields(date: field("Date"), retryAfter: field("Retry-After"))
    exchanges.heard(
      Exchanges.Head(status: status, contentType: field("Content-Type"), fields: fields), of: id)
    return true
  }

  private func field(_ name: String) -> String? {
    var field: UnsafeMutablePointer<curl_header>?
    guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK
    else { return nil }
    return (field?.pointee.value).map { String(cString: $0) }
  }

  private func hear(body: UnsafeRawBufferPointer) -> Bool {
    hasHead && exchanges.heard(body, of: id)
  }
}
#endif
