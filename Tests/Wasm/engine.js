// The module as a page uses it: bytes go in, JSON comes out.

import { existsSync, readFileSync, statSync } from "node:fs";

/** The module that the server has in it, or the one that GOALS_WASM_FILE names. */
export const file = process.env.GOALS_WASM_FILE ?? new URL("../../Sources/PageFiles/goals.wasm", import.meta.url);

if (!existsSync(file)) throw new Error(`${file} is not there: make wasm builds it`);

export const module = new WebAssembly.Module(readFileSync(file));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  #exports = new WebAssembly.Instance(module, {}).exports;

  /** Says bytes, and returns the answer's bytes. */
  say(bytes) {
    const { memory, goals_allocate: allocate, goals_answer: answer } = this.#exports;
    const address = allocate(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const place = answer(address, bytes.length) >>> 0;
    const length = new DataView(memory.buffer).getUint32(place, true);
    return new Uint8Array(memory.buffer, place + 4, length);
  }

  /** Says a message, and behind it bytes, and returns the answer. */
  tell(message, bytes = new Uint8Array()) {
    const line = encoder.encode(`${JSON.stringify(message)}\n`);
    const whole = new Uint8Array(line.length + bytes.length);
    whole.set(line);
    whole.set(bytes, line.length);
    return JSON.parse(decoder.decode(this.say(whole)));
  }

  /** How many bytes of memory it has. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }
}

const zones = "/usr/share/zoneinfo";

/** An engine with an account in some state, at some time, that has all time zones. */
export class Account {
  engine = new Engine();

  /** `snapshot` is what the question `kept` answers; null for a new device. */
  constructor(snapshot, now) {
    this.now = now;
    const bytes = snapshot === null ? "" : `${JSON.stringify(snapshot)}\n`;
    const answer = this.tell({ event: "loaded", changes: 0 }, bytes);
    if (answer.read.damage) throw new Error(`a snapshot that can't be read: ${answer.read.damage.detail}`);
  }

  /** Says an event, and finds the zones that the engine asks for. Returns the answer. */
  tell(message, bytes = "") {
    const answer = this.engine.tell({ now: this.now, ...message }, typeof bytes === "string" ? encoder.encode(bytes) : bytes);
    for (const { decision, name } of answer.decisions ?? []) {
      if (decision === "findZone") this.findZone(name);
    }
    return answer;
  }

  ask(question, members = {}) {
    return this.engine.tell({ now: this.now, ask: question, ...members });
  }

  /** Looks a zone up. A name that is none is nobody's file. */
  findZone(name) {
    const path = `${zones}/${name}`;
    const found = existsSync(path) && statSync(path).isFile();
    this.tell({ event: "zone", name, found }, found ? readFileSync(path) : "");
  }
}
