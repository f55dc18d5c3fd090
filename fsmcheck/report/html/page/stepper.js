// A counterexample to step through: what happens, and the store as it stands, beside the picture.

function makeStepper(spec, number, show, close) {
  const found = spec.findings[number];
  const { run } = found;
  const stores = storesOf(run);
  const names = [...new Set(stores.flatMap((store) => [...store.keys()]))];
  let position = 0;

  const move = (to) => show(Math.max(0, Math.min(run.frames.length - 1, to)));
  const counter = el("span", { class: "counter" });
  const first = button("«", () => move(0), { "aria-label": "first step", title: "first step (Home)" });
  const back = button("◀ Back", () => move(position - 1), {
    "aria-keyshortcuts": "ArrowLeft",
    title: "one step back (←)",
  });
  const next = button("Next ▶", () => move(position + 1), {
    "aria-keyshortcuts": "ArrowRight",
    title: "one step on (→)",
    class: "primary",
  });
  const last = button("»", () => move(run.frames.length - 1), { "aria-label": "last step", title: "last step (End)" });
  const now = el("div", { class: "now" });
  const body = el("tbody");
  const entries = run.frames.map((frame, index) =>
    el(
      "li",
      {},
      button(
        "",
        () => move(index),
        { class: "told" },
        frame.told.map((line) => el("span", {}, line)),
      ),
    ),
  );
  const list = el("ol", { class: "story", "aria-label": "the run, step by step" }, entries);
  const ending = run.conclusion.length
    ? el(
        "div",
        { class: "conclusion" },
        run.conclusion.map((line) => el("p", {}, line)),
      )
    : null;
  const panel = el(
    "div",
    { class: "stepper" },
    el(
      "div",
      { class: "heading" },
      el("h3", {}, severityChip(found.severity), ` ${found.rule} ${found.slug}`),
      button("✕", close, { "aria-label": "leave the run", title: "leave the run (Esc)", class: "close" }),
    ),
    el("p", { class: "message" }, found.message),
    el("div", { class: "steps", role: "group", "aria-label": "steps of the run" }, first, back, counter, next, last),
    now,
    el("h4", { id: "store-title" }, "Store"),
    scrolling(
      "the store",
      el(
        "table",
        { class: "store", "aria-labelledby": "store-title" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["field", "value", "note"].map((head) => el("th", { scope: "col" }, head)),
          ),
        ),
        body,
      ),
    ),
    el("h4", {}, "How it happens"),
    list,
    ending,
  );

  function update(to) {
    position = to;
    const frame = run.frames[to];
    const before = to ? stores[to - 1] : null;
    counter.textContent = `${to + 1} of ${run.frames.length}`;
    for (const each of [first, back]) setOff(each, to === 0);
    for (const each of [next, last]) setOff(each, to === run.frames.length - 1);
    now.replaceChildren(...nowLines(frame, run, to));
    body.replaceChildren(...names.map((name) => storeRow(spec, name, stores[to], before, frame)));
    entries.forEach((entry, index) => {
      const current = index === to;
      entry.classList.toggle("here", current);
      entry.firstChild.setAttribute("aria-current", current ? "step" : "false");
    });
    const entry = entries[to];
    list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2 + entry.clientHeight / 2;
    announce(`step ${to + 1} of ${run.frames.length}: ${frame.told.join("; ")}`);
  }

  return {
    panel,
    update,
    frame: () => run.frames[position],
    move: {
      first: () => move(0),
      back: () => move(position - 1),
      next: () => move(position + 1),
      last: () => move(run.frames.length - 1),
    },
    focus: () => next.focus({ preventScroll: true }),
  };
}

// Switched off without losing the focus, so that a keyboard user is not thrown out at the ends.
function setOff(each, off) {
  each.setAttribute("aria-disabled", off ? "true" : "false");
}

function storesOf(run) {
  const stores = [];
  let store = new Map();
  for (const frame of run.frames) {
    store = new Map(store);
    for (const [name, value] of frame.changes) store.set(name, value);
    stores.push(store);
  }
  return stores;
}

function nowLines(frame, run, index) {
  const lines = frame.told.map((line, number) => el("p", { class: number ? "then" : "event" }, line));
  if (frame.rejected !== null) lines.push(el("p", {}, chip("violated", `rejected: ${frame.rejected}`, "✕")));
  if (index === run.end && run.conclusion.length) lines.push(el("p", { class: "so" }, run.conclusion[0]));
  return lines;
}

function storeRow(spec, name, store, before, frame) {
  const value = store.get(name);
  const changed = before !== null && before.get(name) !== value;
  const stale = frame.stale.includes(name);
  const notes = [];
  if (changed) notes.push(chip("changed", frame.staged.includes(name) ? "staged" : "changed", "●"));
  if (!changed && frame.staged.includes(name)) notes.push(chip("changed", "staged, the same", "●"));
  if (stale) notes.push(chip("stale", "stale", "↺"));
  const was =
    changed && before.get(name) !== undefined && !isEmpty(before.get(name))
      ? el("div", { class: "was" }, el("span", {}, "was "), code(before.get(name)))
      : null;
  return el(
    "tr",
    { class: `${changed ? "changed " : ""}${stale ? "stale" : ""}`, "data-field": name },
    el("th", { scope: "row" }, spec.machine === null ? code(name) : fieldLink(spec, name)),
    el(
      "td",
      { "data-value": value ?? "" },
      value === undefined ? el("span", { class: "empty" }, "not known") : valueOf(value),
      was,
    ),
    el("td", { class: "notes" }, notes),
  );
}
