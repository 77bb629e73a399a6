// Dates and numbers as the person's language writes them. Days are `YYYY-MM-DD`, without a zone.

import { language, text } from "./texts.js";

/** @param {string} date */
const day = (date) => new Date(`${date}T00:00:00Z`);
const made = new Map();

/** The largest amount of the contract. */
export const largest = 1_000_000;

/** @type {(kind: "NumberFormat" | "DateTimeFormat", options: object) => { format(value: number | Date): string }} */
function formatter(kind, options) {
  const name = `${kind} ${JSON.stringify(options)}`;
  if (!made.has(name)) made.set(name, new Intl[kind](locale(), options));
  return made.get(name);
}

/** The first of the person's languages in which the page is written, with their region. */
const locale = () => navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

/** @param {number} value */
export const number = (value) => formatter("NumberFormat", {}).format(value);
/** @param {number} value */
export const signed = (value) => formatter("NumberFormat", { signDisplay: "always" }).format(value);
/**
 * As short as fits into a ring: 12,000 is 12K.
 *
 * @param {number} value
 */
export const compact = (value) =>
  Math.abs(value) < 10_000
    ? number(value)
    : formatter("NumberFormat", { notation: "compact", maximumFractionDigits: 1 }).format(value);
/**
 * The whole number that a person wrote, in the digits of any script; NaN if it is none, or too large. A browser's own field
 * for numbers drops what it can't read, so that 1,5 becomes 15.
 *
 * @param {string} words
 */
export function wholeNumber(words) {
  // Texts in Arabic have marks of direction, and typeset ones a minus sign.
  const plain = words.replace(/\p{Cf}/gu, "").trim().replace(/^\u2212/, "-").replace(/\p{Nd}/gu, digitOf);
  const value = /^[-+]?\d+$/.test(plain) ? Number(plain) : NaN;
  return Math.abs(value) <= largest ? value : NaN;
}

/**
 * The ten digits of a script stand in their order, from 0 on, and scripts of which one goes on where another ends do so
 * after whole tens (Unicode §4.6).
 *
 * @param {string} digit
 * @returns {string}
 */
function digitOf(digit) {
  const before = String.fromCodePoint(
    /** @type {number} */
    (digit.codePointAt(0)) - 1);
  return /\p{Nd}/u.test(before) ? String((Number(digitOf(before)) + 1) % 10) : "0";
}

/** @param {number} value */
export const percent = (value) => formatter("NumberFormat", { style: "percent" }).format(value);

/** @type {(options: Intl.DateTimeFormatOptions) => (date: string) => string} */
const dated = (options) => (date) => formatter("DateTimeFormat", { timeZone: "UTC", ...options }).format(day(date));
export const dayAndMonth = dated({ day: "numeric", month: "long" });
export const wholeDay = dated({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
export const plainDay = dated({ dateStyle: "medium" });
export const shortDay = dated({ day: "numeric", month: "short" });
export const month = dated({ month: "long", year: "numeric" });
export const monthAndYear = dated({ month: "short", year: "numeric" });
export const shortMonth = dated({ month: "short" });
export const weekdayLetter = dated({ weekday: "narrow" });
export const weekday = dated({ weekday: "long" });

/**
 * An instant, in the zone of the account.
 *
 * @param {string} instant
 * @param {string | undefined} timeZone
 */
export const moment = (instant, timeZone) => {
  const options = { dateStyle: "medium", timeStyle: "short", timeZone };
  try {
    return formatter("DateTimeFormat", options).format(new Date(instant));
  } catch {
    // A zone that the browser does not know yet.
    return formatter("DateTimeFormat", { ...options, timeZone: undefined }).format(new Date(instant));
  }
};

/**
 * The date of an instant in a time zone, by default the device's. Swedish writes it as `YYYY-MM-DD`, whichever edition of CLDR a browser has.
 *
 * @param {string} instant
 * @param {string | undefined} timeZone
 */
export const dateOf = (instant, timeZone) => {
  try {
    return new Intl.DateTimeFormat("sv", { timeZone }).format(new Date(instant));
  } catch {
    // A zone that the browser does not know yet.
    return new Intl.DateTimeFormat("sv").format(new Date(instant));
  }
};

/** @type {(date: string, count: number) => string} */
export const addDays = (date, count) => new Date(day(date).getTime() + count * 86_400_000).toISOString().slice(0, 10);
/** @type {(from: string, to: string) => number} */
export const daysBetween = (from, to) => Math.round((+day(to) - +day(from)) / 86_400_000);

/**
 * How often in which time: "5 km a week".
 *
 * @param {Pick<import("./goals.js").Goal, "frequency" | "interval" | "unit">} goal
 */
export function rhythm({ frequency, interval, unit }) {
  return text(unit ? `${interval}OfUnit` : `${interval}Times`, { count: frequency, n: number(frequency), unit });
}

/**
 * Days, weeks or months.
 *
 * @type {(count: number, interval: string) => string}
 */
export const spans = (count, interval) => text(`${interval}Spans`, { count, n: number(count) });
