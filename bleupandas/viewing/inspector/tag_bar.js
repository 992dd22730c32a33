// The bar above the segment: the buttons Previous and Next, and the boxes for a tag and a note.
// Python may handle messages in another order than they were sent, so each one names the row that the text is for.

const BOXES = {
  tag: { label: "Tag", placeholder: "error label" },
  note: { label: "Note", placeholder: "comment" },
};
const BUTTONS = {
  previous: { text: "‹ Previous", title: "previous segment in the list", by: -1 },
  next: { text: "Next ›", title: "next segment in the list", by: 1 },
};

function makeButton({ text, title }) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: text, title });
  return button;
}

/** Return a label with its input inside, so that they need no id. */
function makeBox({ label, placeholder }) {
  const name = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "text", placeholder, autocomplete: "off" });
  name.append(label, input);
  return { name, input };
}

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "bleupandas bleu-tag-bar";
  const view = Math.random().toString(36).slice(2); // each view of the widget numbers its messages
  const drafts = {}; // boxes with text that is not sent yet, and the row that the text is for
  let sent = 0;
  let pending = null; // the step that Python has not answered yet
  let suggested = ""; // the tags in the list of suggestions
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
      input.value = input.value.trim(); // as Python stores it
      send({ kind: "label", row, texts: { [kind]: input.value } });
    }
  };
  const step = (by) => {
    commit();
    pending = `${view} ${sent + 1}`;
    send({ kind: "step", by });
    lock();
  };
  // Until the next row arrives the boxes show the old one, and text typed now would go to the wrong row.
  const lock = () => {
    for (const { input } of Object.values(boxes)) input.readOnly = pending !== null;
  };

  // Only when the tags change: the list may be open.
  const suggest = (tags) => {
    suggested = tags.join("\n");
    used.replaceChildren(...tags.map((tag) => Object.assign(document.createElement("option"), { value: tag })));
  };

  const update = () => {
    const now = state();
    if (Object.values(drafts).some((row) => row !== now.row)) commit();
    if (now.answer === pending) pending = null;
    root.dataset.boxes = now.row; // data-row belongs to the segment
    for (const [kind, { input }] of Object.entries(boxes)) {
      if (!(kind in drafts) && input.value !== now[kind]) input.value = now[kind];
      input.disabled = now.row < 0;
    }
    for (const [name, button] of Object.entries(buttons)) button.disabled = !now[name];
    if (suggested !== now.used.join("\n")) suggest(now.used);
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
