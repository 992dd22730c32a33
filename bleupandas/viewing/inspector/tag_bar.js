// The bar above the segment: Previous, Next, and the boxes for a tag and a note.
// Messages can overtake each other on their way into Python, so each one carries the row on which the text was typed.

const BOXES = {
  tag: { label: "Tag", placeholder: "a word for the fault" },
  note: { label: "Note", placeholder: "anything" },
};
const BUTTONS = {
  previous: { text: "‹ Previous", title: "previous listed segment", by: -1 },
  next: { text: "Next ›", title: "next listed segment", by: 1 },
};

/** Plain keys are not the notebook's: "b" in its command mode would insert a cell. */
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!modified && event.key !== "Escape") event.stopPropagation();
  });
}

function makeButton({ text, title }) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: text, title });
  return button;
}

/** A label that holds its input, so that the two need no id. */
function makeBox({ label, placeholder }) {
  const name = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "text", placeholder, autocomplete: "off" });
  name.append(label, input);
  return { name, input };
}

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "bleupandas bleu-bar";
  const view = Math.random().toString(36).slice(2); // two views of one widget number their messages apart
  const drafts = {}; // what was typed and not yet sent: the row of each box whose text is new
  let sent = 0;
  let awaited = null; // the step that Python has not answered yet
  const state = () => model.get("state");

  const buttons = Object.fromEntries(Object.entries(BUTTONS).map(([name, what]) => [name, makeButton(what)]));
  const boxes = Object.fromEntries(Object.entries(BOXES).map(([kind, what]) => [kind, makeBox(what)]));
  const used = document.createElement("datalist");
  used.id = `bleu-used-${view}`;
  boxes.tag.input.setAttribute("list", used.id);
  root.append(...Object.values(buttons), ...Object.values(boxes).map(({ name }) => name), used);

  const send = (message) => {
    sent += 1;
    model.send({ ...message, view, number: sent });
  };
  const commit = () => {
    for (const [kind, row] of Object.entries(drafts)) {
      const { input } = boxes[kind];
      delete drafts[kind];
      input.value = input.value.trim(); // as Python keeps it
      send({ kind: "label", row, texts: { [kind]: input.value } });
    }
  };
  const step = (by) => {
    commit();
    awaited = `${view} ${sent + 1}`;
    send({ kind: "step", by });
    lock();
  };
  // Until the next row is here the boxes show the old one: what is typed now would land on the wrong row.
  const lock = () => {
    for (const { input } of Object.values(boxes)) input.readOnly = awaited !== null;
  };

  const update = () => {
    const now = state();
    if (Object.values(drafts).some((row) => row !== now.row)) commit();
    if (now.answer === awaited) awaited = null;
    root.dataset.boxes = now.row; // data-row is the segment's
    for (const [kind, { input }] of Object.entries(boxes)) {
      if (!(kind in drafts) && input.value !== now[kind]) input.value = now[kind];
      input.disabled = now.row < 0;
    }
    for (const [name, button] of Object.entries(buttons)) button.disabled = !now[name];
    used.replaceChildren(...now.used.map((tag) => Object.assign(document.createElement("option"), { value: tag })));
    lock();
  };

  for (const [kind, { input }] of Object.entries(boxes)) {
    input.addEventListener("input", () => {
      drafts[kind] ??= state().row;
    });
    input.addEventListener("change", commit);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) commit();
    });
  }
  for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", () => step(BUTTONS[name].by));
  keepKeys(root);
  el.append(root);
  model.on("change:state", update);
  update();
  return () => {
    commit();
    model.off("change:state", update);
  };
}

export default { render };
