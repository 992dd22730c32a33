// One page of the list as the kernel sends it; clicks and keys are told to the kernel.

const KEYS = {
  ArrowDown: { kind: "step", by: 1 },
  ArrowUp: { kind: "step", by: -1 },
  Home: { kind: "jump", where: "first" },
  End: { kind: "jump", where: "last" },
  PageDown: { kind: "page", where: "next" },
  PageUp: { kind: "page", where: "previous" },
};

/** Plain keys are not the notebook's: "b" in its command mode would insert a cell. */
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!modified && event.key !== "Escape") event.stopPropagation();
  });
}

/** What has to have the focus again after a redraw, as a selector. */
function focused(root) {
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
  const update = () => {
    const again = focused(root);
    root.innerHTML = model.get("html");
    if (!again) return;
    const target = root.querySelector(again);
    const fallback = root.querySelector("tr[aria-selected=true]");
    (target && !target.disabled ? target : fallback)?.focus({ preventScroll: true });
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
  model.on("change:html", update);
  update();
  return () => model.off("change:html", update);
}

export default { render };
