// The engine: what decides, compiled to WebAssembly. Bytes go in, JSON comes out. A message is a line
// of JSON, then bytes that belong to it as they are.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const nothing = new Uint8Array();

const compile = () => WebAssembly.compileStreaming(fetch(new URL("goals.wasm", import.meta.url)));

/** Begun before anything is drawn: the engine is most of what has to be sent. */
let compiled = compile();
compiled.catch(() => {});

/** Loads the engine. It holds one account; a second one needs another engine. */
export async function loadEngine() {
  const module = await compiled.catch(() => (compiled = compile()));
  return new Engine((await WebAssembly.instantiate(module, {})).exports);
}

class Engine {
  #exports;

  /** @param {any} exports as in Sources/GoalsWasm */
  constructor(exports) {
    this.#exports = exports;
  }

  /**
   * The answer to a message. Throws what the engine did not understand: a mistake of the page.
   *
   * @param {Record<string, unknown>} message
   * @param {Uint8Array} bytes
   * @returns {any}
   */
  answer(message, bytes = nothing) {
    const { memory, goals_allocate: allocate, goals_answer: answer } = this.#exports;
    const line = encoder.encode(`${JSON.stringify(message)}\n`);
    const length = line.length + bytes.length;
    const address = allocate(length) >>> 0;
    const room = new Uint8Array(memory.buffer, address, length);
    room.set(line);
    room.set(bytes, line.length);
    const place = answer(address, length) >>> 0;
    // The memory may have grown, and is then another buffer.
    const size = new DataView(memory.buffer).getUint32(place, true);
    const text = decoder.decode(new Uint8Array(memory.buffer, place + 4, size));
    const result = JSON.parse(text);
    if (result.error) throw new EngineError(message, result.error);
    return result;
  }
}

/** @typedef {{ detail: string, errors?: { pointer: string, detail: string }[] }} Fault */

export class EngineError extends Error {
  /** @param {Record<string, unknown>} message @param {Fault} fault */
  constructor(message, { detail, errors }) {
    super((errors ?? []).map((fault) => fault.detail).join(" ") || detail);
    this.name = "EngineError";
    this.errors = errors ?? [];
    this.place = `${message.event ?? message.ask} ${(errors ?? []).map((fault) => fault.pointer).join(" ")}`;
  }
}
