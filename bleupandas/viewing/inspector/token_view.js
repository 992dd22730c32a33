// Segments as the kernel sends them. Pointing at an n-gram lights up its occurrences; no message leaves the page for that.

const LIT = "bleu-lit";
const CELLS = [null, "hypothesis", "references", "matched", "over-produced", "missing"]; // of a clipping table's row

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
    this.longest = this.byToken();
  }

  /** For every token the n-gram that pointing at it means: the longest that counts there, else the token alone. */
  byToken() {
    const found = new Map();
    for (const [id, ngram] of this.ngrams) {
      for (const key of this.places(ngram)) {
        const level = Math.max(Number(this.tokens.get(key)?.dataset.coverage ?? 1), 1);
        if (ngram.order === level && !found.has(key)) found.set(key, id);
      }
    }
    return found;
  }

  places(ngram) {
    return ngram.starts.flatMap((start) => {
      const [list, at] = start.split(":");
      return Array.from({ length: ngram.order }, (_, i) => `${list}:${Number(at) + i}`);
    });
  }

  light(id) {
    this.lit.forEach((element) => element.classList.remove(LIT));
    const ngram = this.ngrams.get(id ?? this.element.closest("[data-pinned]")?.dataset.pinned);
    this.lit = ngram ? this.places(ngram).map((key) => this.tokens.get(key)).filter(Boolean) : [];
    if (ngram) this.lit.push(ngram.row);
    this.lit.forEach((element) => element.classList.add(LIT));
  }

  /** The id of the n-gram that an element of the page stands for, or undefined. */
  idAt(target) {
    const row = target.closest("tr[data-ngram]");
    if (row) return row.dataset.ngram;
    const chip = target.closest("[data-position]");
    const list = target.closest(".bleu-tokens[data-side]");
    return chip && list ? this.longest.get(`${place(list)}:${chip.dataset.position}`) : undefined;
  }
}

/** Make the segments in an element answer to the pointer and the keyboard; `send` is told of clicks, if there is one. */
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
    const where = cell && cell.textContent.trim() ? CELLS[cell.cellIndex] : null;
    send({ kind: "ngram", segment: segments.indexOf(segment), id: Number(id), where });
  };
  const handlers = { pointerover: point, focusin: point, pointerout: leave, focusout: leave };
  if (send) handlers.click = click;
  for (const [name, handler] of Object.entries(handlers)) root.addEventListener(name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) root.removeEventListener(name, handler);
  };
}

/** Plain keys are not the notebook's: "b" in its command mode would insert a cell. */
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!modified && event.key !== "Escape") event.stopPropagation();
  });
}

function asButton(cell) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = "list the segments that have it";
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
  const update = () => {
    const focused = root.contains(document.activeElement) && document.activeElement.closest("[data-ngram]");
    const again = focused && [rowOf(root), focused.dataset.ngram];
    const open = openTables(root);
    const row = rowOf(root);
    detach();
    root.innerHTML = model.get("html");
    detach = attach(root, send);
    if (row === rowOf(root)) reopen(root, open);
    else root.scrollTop = 0;
    if (again && again[0] === rowOf(root)) root.querySelector(`[data-ngram="${again[1]}"] button`)?.focus();
  };
  root.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    send({ kind: "step", by: STEPS[event.key] });
  });
  model.on("change:html", update);
  update();
  return () => {
    model.off("change:html", update);
    detach();
  };
}

const rowOf = (root) => root.querySelector("[data-row]")?.dataset.row;
const openTables = (root) => Array.from(root.querySelectorAll("details"), (details) => details.open);
function reopen(root, open) {
  root.querySelectorAll("details").forEach((details, at) => (details.open = open[at] ?? details.open));
}

export default { render };
