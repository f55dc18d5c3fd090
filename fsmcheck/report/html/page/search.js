// The search: states, transitions, fields and findings of every spec, those of the one in view first.

const MOST_HITS = 24;

function makeSearch(current, navigate) {
  const index = report.specs.flatMap(entriesOf);
  const input = el("input", {
    id: "search",
    type: "search",
    role: "combobox",
    placeholder: "Find a state, field or rule",
    "aria-label": "find a state, field or rule",
    "aria-controls": "hits",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = el("ul", { id: "hits", class: "hits", role: "listbox", "aria-label": "found", hidden: true });
  let hits = [];
  let chosen = 0;

  function update() {
    const asked = input.value.trim().toLowerCase();
    hits = asked ? hitsFor(index, asked, current()) : [];
    chosen = 0;
    list.replaceChildren(...hits.map((hit, number) => option(hit, number)));
    if (asked && !hits.length)
      list.replaceChildren(
        el(
          "li",
          { class: "dim", role: "option", "aria-disabled": "true", "aria-selected": "false" },
          "Nothing has that name.",
        ),
      );
    list.hidden = !asked;
    input.setAttribute("aria-expanded", asked ? "true" : "false");
    mark();
  }

  function option(hit, number) {
    const row = el(
      "li",
      { id: `hit-${number}`, role: "option" },
      el("span", { class: "kind" }, hit.kind),
      el("b", {}, hit.name),
      el("span", { class: "dim" }, ` ${titleOf(hit.spec)}, ${hit.spec.profile}`),
    );
    row.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(number);
    });
    return row;
  }

  function mark() {
    hits.forEach((_, number) =>
      byId(`hit-${number}`)?.setAttribute("aria-selected", number === chosen ? "true" : "false"),
    );
    if (hits.length) {
      input.setAttribute("aria-activedescendant", `hit-${chosen}`);
      byId(`hit-${chosen}`)?.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  function take(number) {
    const hit = hits[number];
    if (hit === undefined) return;
    input.value = "";
    update();
    navigate(hit.address, false, true);
  }

  input.addEventListener("input", update);
  input.addEventListener("blur", () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  });
  input.addEventListener("focus", update);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") chosen = Math.min(hits.length - 1, chosen + 1);
    else if (event.key === "ArrowUp") chosen = Math.max(0, chosen - 1);
    else if (event.key === "Enter") take(chosen);
    else if (event.key === "Escape") {
      if (input.value) input.value = "";
      else input.blur();
      update();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    mark();
  });
  return {
    node: el("div", { class: "search", role: "search" }, input, el("kbd", { "aria-hidden": "true" }, "/"), list),
    input,
  };
}

function entriesOf(spec) {
  const entries = [{ kind: "spec", name: titleOf(spec), address: address(spec), spec }];
  if (spec.machine !== null) {
    const { states, transitions, fields } = spec.machine;
    states.forEach((state, index) =>
      entries.push({ kind: "state", name: state.name, address: addressOfState(spec, index), spec }),
    );
    fields.forEach((field) =>
      entries.push({ kind: "field", name: field.name, address: address(spec, "", "field", field.name), spec }),
    );
    transitions.forEach((each, number) =>
      entries.push({
        kind: "transition",
        name: transitionName(spec.machine, each),
        address: addressOfTransition(spec, number),
        spec,
      }),
    );
  }
  spec.findings.forEach((each, number) => {
    if (each.suppressed === null)
      entries.push({
        kind: "finding",
        name: `${each.rule} ${each.slug}`,
        address: address(spec, "", "finding", number),
        spec,
      });
  });
  return entries;
}

function hitsFor(index, asked, spec) {
  const scored = [];
  index.forEach((entry, order) => {
    const name = entry.name.toLowerCase();
    const place = name.indexOf(asked);
    if (place < 0) return;
    const score =
      (entry.spec === spec ? 0 : 10) +
      (name === asked ? 0 : place === 0 ? 1 : 2) +
      ({ spec: -0.5, transition: 0.5 }[entry.kind] ?? 0);
    scored.push({ entry, score, order });
  });
  scored.sort((one, two) => one.score - two.score || one.order - two.order);
  return scored.slice(0, MOST_HITS).map(({ entry }) => entry);
}
