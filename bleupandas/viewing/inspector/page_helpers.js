// Functions that all scripts of the inspector use; page_source.py puts this file before each of them.

/** Keep plain keys from the notebook: in its command mode "b" would insert a cell. */
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!modified && event.key !== "Escape") event.stopPropagation();
  });
}

/**
 * Replace the content of an element by the HTML that `read` returns.
 *
 * Removing the focused element runs blur handlers in the middle of the removal. If one of them draws again, the browser
 * finds that a node is no longer a child. So the focus leaves first, and the HTML is read after that.
 */
function replaceContent(root, read) {
  const active = document.activeElement;
  if (active && active !== root && root.contains(active)) active.blur();
  const template = document.createElement("template");
  template.innerHTML = read();
  root.replaceChildren(template.content);
}

