// Why something was refused, in the person's language: by the code and the field that the contract names, not by
// the sentence that came along, which is for who writes programs.

import { largest, number } from "./format.js";
import { has, text } from "./texts.js";

/** @typedef {import("./goals.js").Rejection} Rejection */

/**
 * The field of a form that a refusal is about.
 *
 * @param {Pick<Rejection, "errors">} refused
 */
export const fieldOf = ({ errors }) => errors?.[0]?.pointer.split("/").at(-1);

/** @param {Rejection} refused has the `code`, and of what is `invalid` the `errors` with their pointers */
export function reason(refused) {
  const name = [`fault_${fieldOf(refused)}`, `reason_${refused.code}`].find(has) ?? "reason_other";
  return text(name, { most: number(largest) });
}
