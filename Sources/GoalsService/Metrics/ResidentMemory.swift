import Glibc

/// How much of this process is in memory, in bytes; nil where the system does not tell (proc(5),
/// `/proc/self/statm`).
func residentMemory() -> Int? {
  let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = read(descriptor, &text, text.count)
  let pages = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    .dropFirst().first.flatMap { Int($0) }
  return pages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
}
