// The current segment. Pointing at an n-gram highlights its occurrences; Python gets no message for that.

const LIT = "bleu-lit";
// What a click on a column of the clipping table searches for.
const SEARCHES = [null, "hypothesis", "references", "matched", "over-produced", "missing"];

const words = (text) => (text ? text.split(" ") : []);
const place = (list) => (list.dataset.side === "hypothesis" ? "h" : list.dataset.reference);

/** One segment: its tokens by place ("h:3" in the hypothesis, "1:3" in a reference), its n-grams by id. */
class Segment {
  constructor(element) {
    this.element = element;
    this.tokens = new Map();
    this.ngrams = new Map();
    this.lit = [];
    for (const list of element.querySelectorAll(".bleu-tokens[data-side]")) {
      for (const chip of list.querySelectorAll("[data-position]")) {
        this.tokens.set(`${place(list)}:${chip.dataset.position}`, chip);
      }
    }
    for (const row of element.querySelectorAll("tr[data-ngram]")) {
      const starts = words(row.dataset.hypothesis).map((at) => `h:${at}`);
      const order = Number(row.dataset.order);
      this.ngrams.set(row.dataset.ngram, { row, order, starts: starts.concat(words(row.dataset.references)) });
    }
    this.ngramOfToken = this.ngramsByToken();
  }

  /** Return the n-gram that each token highlights: the longest that is matched there, otherwise the token alone. */
  ngramsByToken() {
    const found = new Map();
    for (const [id, ngram] of this.ngrams) {
      for (const key of this.places(ngram)) {
        const level = Math.max(Number(this.tokens.get(key)?.dataset.coverage ?? 1), 1);
        if (ngram.order === level && !found.has(key)) found.set(key, id);
      }
    }
    return found;
  }

  /** Return the tokens of all occurrences of an n-gram, as keys of `tokens`. */
  places(ngram) {
    return ngram.starts.flatMap((start) => {
      const [list, at] = start.split(":");
      return Array.from({ length: ngram.order }, (_, i) => `${list}:${Number(at) + i}`);
    });
  }

  /** Highlight an n-gram; without an id, the pinned one. */
  light(id) {
    this.lit.forEach((element) => element.classList.remove(LIT));
    const ngram = this.ngrams.get(id ?? this.element.closest("[data-pinned]")?.dataset.pinned);
    this.lit = ngram ? this.places(ngram).map((key) => this.tokens.get(key)).filter(Boolean) : [];
    if (ngram) this.lit.push(ngram.row);
    this.lit.forEach((element) => element.classList.add(LIT));
  }

  /** Return the id of the n-gram at an element of the page, or undefined. */
  idAt(target) {
    const row = target.closest("tr[data-ngram]");
    if (row) return row.dataset.ngram;
    const chip = target.closest("[data-position]");
    const list = target.closest(".bleu-tokens[data-side]");
    return chip && list ? this.ngramOfToken.get(`${place(list)}:${chip.dataset.position}`) : undefined;
  }
}

/** Highlight n-grams under the pointer and the focus; `send`, if given, gets a message for each click. */
export function attach(root, send) {
  const segments = Array.from(root.querySelectorAll("section.bleupandas"), (section) => new Segment(section));
  const segmentAt = (target) => segments.find((segment) => segment.element.contains(target));
  for (const segment of segments) {
    if (send) segment.ngrams.forEach(({ row }) => asButton(row.querySelector("th")));
    segment.light();
  }
  const point = (event) => {
    const segment = segmentAt(event.target);
    if (segment) segment.light(segment.idAt(event.target));
  };
  const leave = (event) => segmentAt(event.target)?.light();
  const click = (event) => {
    const segment = segmentAt(event.target);
    const id = segment?.idAt(event.target);
    if (id === undefined) return;
    const cell = event.target.closest("td");
    const where = cell && cell.textContent.trim() ? SEARCHES[cell.cellIndex] : null;
    send({ kind: "ngram", segment: segments.indexOf(segment), id: Number(id), where });
  };
  const handlers = { pointerover: point, focusin: point, pointerout: leave, focusout: leave };
  if (send) handlers.click = click;
  for (const [name, handler] of Object.entries(handlers)) root.addEventListener(name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) root.removeEventListener(name, handler);
  };
}

/** Turn the content of a cell into a button. */
function asButton(cell) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = "show the segments with this n-gram";
  button.append(...cell.childNodes);
  cell.append(button);
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "bleu-segment";
  root.tabIndex = 0;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", "segment");
  el.append(root);
  keepKeys(root);
  const send = (message) => model.send(message);
  let detach = () => {};
  const draw = () => {
    const focused = root.contains(document.activeElement) && document.activeElement.closest("[data-ngram]");
    const focusedNgram = focused && [rowOf(root), focused.dataset.ngram];
    const open = openTables(root);
    const row = rowOf(root);
    detach();
    replaceContent(root, () => model.get("html"));
    detach = attach(root, send);
    if (row === rowOf(root)) reopen(root, open);
    else root.scrollTop = 0;
    if (focusedNgram && focusedNgram[0] === rowOf(root)) {
      root.querySelector(`[data-ngram="${focusedNgram[1]}"] button`)?.focus();
    }
  };
  root.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    send({ kind: "step", by: STEPS[event.key] });
  });
  model.on("change:html", draw);
  draw();
  return () => {
    model.off("change:html", draw);
    detach();
  };
}

const rowOf = (root) => root.querySelector("[data-row]")?.dataset.row;
const openTables = (root) => Array.from(root.querySelectorAll("details"), (details) => details.open);
/** Open the tables that were open before a redraw. */
function reopen(root, open) {
  root.querySelectorAll("details").forEach((details, at) => (details.open = open[at] ?? details.open));
}

export default { render };
