// What the scripts of /docs speak of, and take for granted of their document.

/** What openapi.yaml has in some place, its references not followed. */
type Described = any;

/** What can be within an element: null and false are nothing. */
type Inner = Node | string | false | null | undefined | Inner[];

interface Example {
  name: string;
  summary?: string;
  value?: unknown;
}

interface Content {
  /** A media type. */
  type: string;
  schema: Described;
  examples: Example[];
}

interface Answer {
  status: string;
  /** Where it is described, if others share it. */
  reference: string | null;
  description: string;
  headers: Described[];
  contents: Content[];
  links: Described[];
  isProblem: boolean;
}

interface Operation {
  id: string;
  path: string;
  method: string;
  summary: string;
  description: string;
  tag: string;
  needsToken: boolean;
  parameters: Described[];
  body?: { required: boolean; contents: Content[] };
  answers: Answer[];
}

interface Code {
  code: string;
  statuses: Set<string>;
  /** What it means, and where it means that. */
  meanings: Map<string, Set<Operation>>;
  /** Whether one edit among many can have it. */
  isOutcome?: boolean;
}

interface Field {
  name: string;
  schema: Described;
  required: boolean;
}

/** A request as a form says it. */
interface Written {
  method: string;
  url: string;
  headers: [string, string][];
  body?: string;
  isStream: boolean;
}

interface Document {
  getElementById(id: "about" | "contents" | "contract" | "found" | "reference" | "version"): HTMLElement;
  getElementById(id: "filter" | "token" | "token-shown"): HTMLInputElement;
  getElementById(id: "sidebar"): HTMLDetailsElement;
  addEventListener(type: "keydown", listener: (event: KeyboardEvent & { target: HTMLElement }) => void): void;
}

interface HTMLDetailsElement {
  addEventListener(type: "click", listener: (event: MouseEvent & { target: HTMLElement }) => void): void;
  addEventListener(type: "toggle", listener: () => void): void;
}

interface ParentNode {
  querySelector(selectors: "nav" | "h2"): HTMLElement;
  querySelectorAll(selectors: "[data-find]" | ".group"): NodeListOf<HTMLElement>;
}

// MARK: What is newer than TypeScript 4.8

interface Array<T> {
  findLast(predicate: (value: T) => unknown): T | undefined;
}

interface URLSearchParams {
  readonly size: number;
}
