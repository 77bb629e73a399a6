import CWasmRuntime
import GoalsEngine

/// The engine of this instance of the module. A page has one for each account that it shows.
nonisolated(unsafe) private var engine = Engine()  // A module without threads has one caller.

/// The last answer, until the next message.
nonisolated(unsafe) private var lastAnswer: UnsafeMutableRawPointer?  // As above.

/// Room for a message of `length` bytes, which `goals_answer` takes; 0 where there is no memory.
@_expose(wasm, "goals_allocate")
@_cdecl("goals_allocate")
func allocate(length: Int) -> UnsafeMutableRawPointer? {
  malloc(length)
}

/// Answers the message in a room that `goals_allocate` made, and frees the room.
///
/// Returns the address of the answer, which is there until the next message: four bytes of length,
/// little-endian, then as many bytes of JSON.
@_expose(wasm, "goals_answer")
@_cdecl("goals_answer")
func answer(address: UnsafeMutableRawPointer, length: Int) -> UnsafeMutableRawPointer? {
  let message = [UInt8](UnsafeRawBufferPointer(start: address, count: length))
  free(address)
  free(lastAnswer)
  lastAnswer = nil
  let answer = engine.answer(message)
  guard let room = malloc(answer.count + 4) else { return nil }
  room.storeBytes(of: UInt32(answer.count).littleEndian, as: UInt32.self)
  answer.withUnsafeBytes { bytes in
    (room + 4).copyMemory(from: bytes.baseAddress ?? UnsafeRawPointer(room), byteCount: bytes.count)
  }
  lastAnswer = room
  return room
}
