// The list of segments: shows one page of it, and sends clicks and keys to Python.

const KEYS = {
  ArrowDown: { kind: "step", by: 1 },
  ArrowUp: { kind: "step", by: -1 },
  Home: { kind: "jump", where: "first" },
  End: { kind: "jump", where: "last" },
  PageDown: { kind: "page", where: "next" },
  PageUp: { kind: "page", where: "previous" },
};

/** Return a selector of the element that should have the focus after the next redraw, or null. */
function focusedSelector(root) {
  const element = document.activeElement;
  if (!element || !root.contains(element)) return null;
  const button = element.closest("button");
  if (!button) return "tr[aria-selected=true]";
  const name = "page" in button.dataset ? "page" : "column";
  return `button[data-${name}="${button.dataset[name]}"]`;
}

function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  keepKeys(root);
  const draw = () => {
    const selector = focusedSelector(root);
    replaceContent(root, () => model.get("html"));
    if (!selector) return;
    const target = root.querySelector(selector);
    const current = root.querySelector("tr[aria-selected=true]");
    (target && !target.disabled ? target : current)?.focus({ preventScroll: true });
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const row = event.target.closest("tr[data-position]");
    if (button?.dataset.column) model.send({ kind: "sort", column: Number(button.dataset.column) });
    else if (button?.dataset.page) model.send({ kind: "page", where: button.dataset.page });
    else if (row) {
      row.focus({ preventScroll: true });
      model.send({ kind: "select", position: Number(row.dataset.position) });
    }
  });
  root.addEventListener("keydown", (event) => {
    const inRows = event.target.closest("tr[data-position]");
    if (!inRows || !(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    model.send(KEYS[event.key]);
  });
  model.on("change:html", draw);
  draw();
  return () => model.off("change:html", draw);
}

export default { render };
