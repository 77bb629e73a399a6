// QR codes (ISO/IEC 18004) of a text: bytes, with error correction M, of up to 666 bytes (version 20).
// It is written here because a token must not leave the page, and the smallest library that makes
// them is longer than what this page needs of it.

// Of each version from 1: the error correction codewords of a block, and the blocks (table 9, level M).
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** @typedef {boolean[][]} Rows */
/** @typedef {(x: number, y: number, isDark: unknown) => void} Put */

/** @type {((x: number, y: number) => number)[]} */
const masks = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * The rows of the code, true where it is dark; null for a text that is too long.
 *
 * @param {string} text
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const index = corrections.findIndex((_, place) => bytes.length + (place < 9 ? 2 : 3) <= room(place + 1));
  if (index < 0) return null;
  const version = index + 1;
  const codewords = interleaved(version, payload(bytes, version));
  const codes = masks.map((mask, number) => drawn(version, codewords, mask, number));
  const penalties = codes.map(penalty);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

/**
 * All codewords of a version: what is left of the field beside its patterns (annex D, table 1).
 *
 * @param {number} version
 */
function codewordsOf(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const count = Math.floor(version / 7) + 2;
    modules -= (25 * count - 10) * count - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

/** @param {number} version */
const room = (version) => codewordsOf(version) - corrections[version - 1] * blockCounts[version - 1];

/**
 * The mode (bytes), the length, the bytes, the end, and padding (section 7.4).
 *
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function payload(bytes, version) {
  /** @type {number[]} */
  const bits = [];
  /** @param {number} value @param {number} length */
  const put = (value, length) => { for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1); };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * room(version) - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0; bits.length < 8 * room(version); pad += 1) put(pad % 2 ? 0x11 : 0xec, 8);
  return Array.from({ length: bits.length / 8 }, (_, place) => parseInt(bits.slice(8 * place, 8 * place + 8).join(""), 2));
}

/**
 * The codewords of all blocks in turn, then their error corrections (section 7.6).
 *
 * @param {number} version
 * @param {number[]} data
 */
function interleaved(version, data) {
  const count = blockCounts[version - 1];
  const length = corrections[version - 1];
  const short = count - (codewordsOf(version) % count);
  const size = Math.floor(codewordsOf(version) / count) - length;
  const generator = polynomial(length);
  let place = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const own = data.slice(place, (place += size + (index < short ? 0 : 1)));
    return { own, correction: remainder(own, generator) };
  });
  const turns = Array.from({ length: size + 1 }, (_, turn) => blocks.map(({ own }) => own[turn]));
  const rest = Array.from({ length }, (_, turn) => blocks.map(({ correction }) => correction[turn]));
  return [...turns, ...rest].flat().filter((one) => one !== undefined);
}

/**
 * The product in the field of 256 elements by 0x11d.
 *
 * @param {number} one
 * @param {number} other
 */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** @param {number} degree @returns {number[]} */
function polynomial(degree) {
  const result = Array(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let place = 0; place < degree; place += 1) result[place] = times(result[place], root) ^ (result[place + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

/** @param {number[]} data @param {number[]} generator */
function remainder(data, generator) {
  const result = generator.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ Number(result.shift());
    result.push(0);
    generator.forEach((one, place) => { result[place] ^= times(one, factor); });
  }
  return result;
}

/** @param {number} version @param {number[]} codewords @param {(x: number, y: number) => number} mask @param {number} number @returns {Rows} */
function drawn(version, codewords, mask, number) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => Array(size).fill(null));
  /** @type {Put} */
  const put = (x, y, isDark) => { if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = Boolean(isDark); };
  drawPatterns(version, size, rows, put);
  drawFormat(size, number, put);
  if (version >= 7) drawVersion(version, size, put);
  const bits = codewords.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1));
  let place = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] === null) rows[y][x] = Boolean((bits[place++] ?? 0) ^ (mask(x, y) === 0 ? 1 : 0));
      }
    }
  }
  return rows;
}

/** @param {number} version @param {number} size @param {Rows} rows @param {Put} put */
function drawPatterns(version, size, rows, put) {
  for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = -4; y <= 4; y += 1) {
      for (let x = -4; x <= 4; x += 1) put(left + x, top + y, ![2, 4].includes(Math.max(Math.abs(x), Math.abs(y))));
    }
  }
  const places = alignments(version, size);
  for (const top of places) {
    for (const left of places) {
      if (rows[top][left] !== null) continue;
      for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) put(left + x, top + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
      }
    }
  }
  for (let step = 8; step < size - 8; step += 1) {
    put(6, step, step % 2 === 0);
    put(step, 6, step % 2 === 0);
  }
}

/** @param {number} version @param {number} size */
function alignments(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((4 * version + 4) / (2 * count - 2));
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - step * (count - 2 - index))];
}

/** @param {number} size @param {number} number @param {Put} put */
function drawFormat(size, number, put) {
  let rest = number;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((number << 10) | rest) ^ 0x5412;
  /** @param {number} place */
  const bit = (place) => (bits >> place) & 1;
  for (let place = 0; place < 15; place += 1) {
    const near = place < 6 ? place : place < 8 ? place + 1 : 14 - place;
    if (place < 8) put(8, near, bit(place));
    else put(place === 8 ? 7 : near, 8, bit(place));
    if (place < 8) put(size - 1 - place, 8, bit(place));
    else put(8, size - 15 + place, bit(place));
  }
  put(8, size - 8, true);
}

/** @param {number} version @param {number} size @param {Put} put */
function drawVersion(version, size, put) {
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let place = 0; place < 18; place += 1) {
    const [far, near] = [size - 11 + (place % 3), Math.floor(place / 3)];
    put(far, near, (bits >> place) & 1);
    put(near, far, (bits >> place) & 1);
  }
}

/**
 * How hard a code is to read: runs, blocks, what looks like a corner, and too much of one shade (section 7.8.3).
 *
 * @param {Rows} rows
 */
function penalty(rows) {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (text.match(/(?=00001011101|10111010000)/g)?.length ?? 0);
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const shade = rows[y][x];
      if (rows[y - 1][x] === shade && rows[y][x - 1] === shade && rows[y - 1][x - 1] === shade) sum += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
