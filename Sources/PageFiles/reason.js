// Why something was refused, in the person's language: by the code and the field that the contract names, not by
// the sentence that came along, which is for who writes programs.

import { number } from "./format.js";
import { has, text } from "./texts.js";

/** The field of a form that a refusal is about. */
export const fieldOf = ({ errors }) => errors?.[0]?.pointer.split("/").at(-1);

/** @param refused has the `code`, and of what is `invalid` the `errors` with their pointers */
export function reason(refused) {
  const name = [`fault_${fieldOf(refused)}`, `reason_${refused.code}`].find(has) ?? "reason_other";
  return text(name, { most: number(1_000_000) });
}
