// What the modules of the page may take for granted, and TypeScript can't know: the document that they are in, and what
// browsers have that TypeScript 4.8 has not heard of.

/** What happens in the document happens to an element of it. */
type Heard<E> = E & { target: HTMLElement };

interface Document {
  /** A pointer's, or a key's. TypeScript says of a mouse alone. */
  addEventListener(type: "contextmenu", listener: (event: Heard<PointerEvent>) => void): void;
  addEventListener<K extends keyof DocumentEventMap>(
    type: K, listener: (event: Heard<DocumentEventMap[K]>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: "freeze" | "resume", listener: () => void): void;
  /** What index.html has, and is always there. */
  getElementById(id: "main" | "skip" | "tabs" | "toast" | "tools"): HTMLElement;
  getElementById(id: "sheet"): HTMLDialogElement;
  /** What the view has whose actions ask for it. */
  getElementById(id: "import-fault"): HTMLElement;
  getElementById(id: "day"): HTMLInputElement;
}

/** Nothing looks for a part of a picture, so what is found is of HTML. */
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  /** Every form has a place for what is wrong with all of it. */
  querySelector(selectors: "[data-fault=all]"): HTMLElement;
  querySelector(selectors: "[data-do=configure]"): HTMLFormElement | null;
  querySelector(selectors: "[name=token]" | "input:invalid" | "[type=radio]"): HTMLInputElement | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  closest(selectors: string): HTMLElement | null;
}

/** The fields of a form by their names (HTML §4.10.3). */
interface HTMLFormControlsCollection {
  readonly [name: string]: any;
}

/** The forms have no file, and where they are asked for one of these they have it. */
interface FormData {
  get(name: "by" | "colour" | "day" | "frequency" | "note" | "own" | "timeZone" | "title" | "unit"): string;
  get(name: "interval"): "daily" | "weekly" | "monthly";
}

// MARK: What is newer than TypeScript 4.8

interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}

interface ReadonlyArray<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}

declare namespace Intl {
  /** Safari has it from 15.4. */
  const supportedValuesOf: ((key: "timeZone") => string[]) | undefined;
}

interface Navigator {
  readonly userActivation?: { readonly hasBeenActive: boolean };
}

interface Window {
  readonly trustedTypes?: unknown;
}

/** Chromium alone has it. TypeScript takes no such URL for one, so it is a text here. */
declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};
