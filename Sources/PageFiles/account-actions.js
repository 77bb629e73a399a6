// What a person can do with the account, beside its goals.

import { asDrawn, h } from "./dom.js";
import { addToken, importLog, readAccount, readToken, readTokens, revokeToken, whyNot, zoneNamed } from "./server.js";
import { fieldOf } from "./reason.js";
import { text } from "./texts.js";
import { tell } from "./toast.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./actions.js").App} App */
/** @typedef {import("./actions.js").MakeEdits} MakeEdits */
/** @typedef {import("./server.js").Token} Token */
/** @typedef {Token & { token?: string, link?: string, qrCode?: typeof import("./qr.js").qrCode }} Made a token or a link that was just made, and how it is drawn */

/**
 * @typedef {object} Known
 * @property {import("./server.js").Account | null} account
 * @property {Token | null} token that of this device
 * @property {Token[] | null} tokens
 * @property {Made | null} made
 * @property {string | null} asked what a person is asked about, whether they mean it
 * @property {string | null} fault why something can't be shown
 * @property {boolean} isHushed
 */

/** Says on this device that its time zone is not asked about any more. */
export const hushed = "goals.zone";

/** What the server told of the account, and what the page remembers of it. */
export class AccountDesk {
  /** @type {Known} */
  known = { account: null, token: null, tokens: null, made: null, asked: null, fault: null, isHushed: localStorage.getItem(hushed) !== null };
  #draw;
  #isRead = "";

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
  }

  /**
   * Reads what is shown, once for each time that something has changed.
   *
   * @param {State} state
   * @param {boolean} isWhole
   */
  read(state, isWhole) {
    // That it asks no more is no news to the engine, where the stream told it all before.
    const isReached = ["inStep", "asking"].includes(state.standing.is);
    const mark = `${state.account} ${isWhole} ${isReached} ${JSON.stringify(state.calendar)}`;
    if (mark === this.#isRead) return;
    this.#isRead = mark;
    if (!isReached) return;
    this.#load(isWhole);
  }

  /** @param {boolean} isWhole */
  async #load(isWhole) {
    try {
      this.known.account = await readAccount();
      if (isWhole) this.known.token = await readToken();
      if (isWhole) this.known.tokens = await readTokens();
      this.known.fault = null;
    } catch (error) {
      this.known.fault = error.code === "forbidden" ? text("readOnly") : whyNot(error);
    }
    this.#draw();
  }

  /**
   * @param {MakeEdits} edit makes edits, and says in a form why not
   * @param {App} app
   * @returns {import("./actions.js").Actions}
   */
  actions(edit, app) {
    const desk = this;
    /** @param {Partial<Known>} part */
    const put = (part) => {
      Object.assign(desk.known, part);
      app.draw();
    };
    return {
      async configure(data, form) {
        const place = form.querySelector("[data-fault=all]");
        place.textContent = "";
        const old = new FormData(asDrawn(form));
        const filled =
          /** @type {Record<string, any>} */
          (Object.fromEntries(new FormData(form)));
        const zone = filled.timeZone;
        filled.timeZone = zone === old.get("timeZone") ? zone : await zoneNamed(zone);
        if (!filled.timeZone) {
          place.textContent = text("noZone", { zone: zone.trim() });
          form.elements.timeZone.setAttribute("aria-invalid", "true");
          form.elements.timeZone.focus();
          return;
        }
        const changes = Object.entries(filled).filter(([name, value]) => old.get(name) !== value);
        /** @type {any} */
        const result = changes.length ? await edit(form, { type: "configure", ...Object.fromEntries(changes) }) : { unchanged: [form] };
        if (!result) return;
        form.reset();
        app.draw();
        if (result.unchanged.length) tell(text("unchanged"));
        else tell(text("saved"), () => edit(undefined, { type: "undo", edit: result.ids[0] }));
      },
      async useZone(data) {
        put({ isHushed: true });
        await edit(undefined, { type: "configure", timeZone: data.zone });
      },
      keepZone() {
        localStorage.setItem(hushed, "kept");
        put({ isHushed: true });
      },
      async addToken(data, form) {
        const { name, scope, goal } =
          /** @type {Record<string, any>} */
          (Object.fromEntries(new FormData(form)));
        try {
          const made = await addToken({ name: name.trim(), scope, ...(scope === "bump" ? { goal } : { link: true }) });
          form.reset();
          form.closest("details").open = false;
          // It is of use here alone, so a first visit does without.
          /** @type {Partial<typeof import("./qr.js")>} */
          const { qrCode } = await import("./qr.js").catch(() => ({}));
          put({ made: { ...made, qrCode }, tokens: await readTokens() });
        } catch (error) {
          form.querySelector("[data-fault=all]").textContent = whyNot(error);
        }
      },
      /** Asks whether a person means it, or takes the question back. */
      ask({ about = null }) {
        const before = desk.known.asked;
        put({ asked: about });
        queueMicrotask(() => document.querySelector(about ? ".sure button" : `[data-about="${before}"]`)?.focus());
      },
      async revoke(data) {
        await revokeToken(data.token).catch((error) => tell(whyNot(error)));
        put({ asked: null, tokens: await readTokens().catch(() => desk.known.tokens) });
      },
      async copy(data) {
        const isCopied = await navigator.clipboard?.writeText(data.text).then(() => true, () => false);
        tell(text(isCopied ? "copied" : "copyByHand"));
      },
      forgetMade: () => put({ made: null }),
      /** A browser says nothing where what it should save can't be had. */
      async exportFile(data, link) {
        const place = document.getElementById("import-fault");
        try {
          await readAccount();
          place.textContent = "";
          /** @type {HTMLElement} */
          (h("a", { href: link.href, download: link.download })).click();
        } catch (error) {
          place.textContent = whyNot(error);
        }
      },
      async importLog(data, input) {
        const place = document.getElementById("import-fault");
        place.textContent = "";
        const [file] = input.files;
        if (!file) return;
        try {
          await importLog(file);
          tell(text("imported"));
          await app.goals.refresh();
        } catch (error) {
          place.textContent = error.code === "invalid" ? text("importBad", { line: fieldOf(error) }) : whyNot(error);
        }
        input.value = "";
      },
    };
  }
}
