// What things are called, the sign that each mark has besides its colour, and addresses inside the page.

const MARKS = {
  violated: { sign: "✕", label: "violated" },
  warned: { sign: "!", label: "warned about" },
  unknown: { sign: "?", label: "undecided" },
  proved: { sign: "✓", label: "proved" },
  dead: { sign: "–", label: "dead: no run gets there" },
  plain: { sign: "", label: "nothing was asked of it" },
};
const SEVERITIES = { error: "violated", warning: "warned", info: "note" };
const VERDICTS = {
  proved: "proved",
  vacuous: "proved",
  violated: "violated",
  unknown: "unknown",
  skipped: "dead",
};
const VERDICT_SIGNS = { proved: "✓", vacuous: "✓", violated: "✕", unknown: "?", skipped: "–" };
const NOUNS = { error: "error", warning: "warning", info: "note" };

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function cut(text, longest) {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}

function sign(mark, glyph) {
  return el("span", { class: `sign ${mark}`, "aria-hidden": "true" }, glyph ?? MARKS[mark].sign);
}

function chip(mark, text, glyph) {
  return el("span", { class: `chip ${mark}` }, sign(mark, glyph), text);
}

function severityChip(severity) {
  const glyph = { error: "✕", warning: "!", info: "i" }[severity];
  return chip(SEVERITIES[severity], NOUNS[severity], glyph);
}

function verdictChip(verdict) {
  const text = verdict === "vacuous" ? "proved (vacuous)" : verdict;
  return chip(VERDICTS[verdict], text, VERDICT_SIGNS[verdict]);
}

function address(spec, ...rest) {
  return `#${[spec.key, ...rest].map((part) => encodeURIComponent(part)).join("/")}`;
}

function addressOfState(spec, index) {
  return address(spec, spec.machine.states[index].name);
}

function addressOfTransition(spec, number) {
  const transition = spec.machine.transitions[number];
  return address(spec, spec.machine.states[transition.source].name, transition.index);
}

function titleOf(spec) {
  return spec.name || spec.path;
}

function transitionName(machine, transition) {
  const { states } = machine;
  return `${states[transition.source].name} → ${states[transition.target].name}`;
}

// A guard as the picture has room for it; the whole of it is in the panel.
function guardLabel(transition, longest) {
  const guards = transition.guards.map((guard) => guard.replaceAll("context.", ""));
  return cut(`${transition.index}${guards.length ? `: ${guards.join(" and ")}` : ""}`, longest);
}

function isEmpty(value) {
  return value === '""' || value === "[]" || value === "{}" || value === "null";
}

function valueOf(text) {
  return isEmpty(text)
    ? el("span", { class: "empty" }, "empty ", el("code", {}, text))
    : el("code", { class: "value" }, text);
}

// The subject of a finding or obligation, with links into the machine.
function subjectOf(spec, entry) {
  const parts = entry.subject.map(([key, value]) => {
    let target = null;
    if (key === "state" && entry.state !== null) target = addressOfState(spec, entry.state);
    if (key === "transition" && entry.transition !== null) target = addressOfTransition(spec, entry.transition);
    if (key === "other" && entry.other !== null) target = addressOfTransition(spec, entry.other);
    if (key === "field" && spec.machine !== null) target = address(spec, "", "field", value);
    const shown = key === "other" ? "other transition" : key;
    return el("span", { class: "about" }, `${shown} `, target === null ? el("b", {}, value) : link(value, target));
  });
  return parts.length ? parts : el("span", { class: "dim" }, "the whole spec");
}

function excerptOf(lines, tone) {
  if (!lines.length) return null;
  return el(
    "pre",
    { class: `excerpt ${tone ?? ""}`, tabindex: 0, role: "region", "aria-label": "the source" },
    lines.map((line) =>
      el(
        "span",
        { class: line.marked ? "line hit" : "line" },
        el("span", { class: "number" }, line.number),
        line.before,
        line.marked ? el("mark", {}, line.marked) : null,
        line.after,
        "\n",
      ),
    ),
  );
}
