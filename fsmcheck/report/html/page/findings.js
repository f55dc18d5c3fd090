// Findings with their source, and the documentation of their rules.

function findingsSection(spec) {
  const shown = spec.findings.flatMap((each, number) => (each.suppressed === null ? [number] : []));
  const hidden = spec.findings.flatMap((each, number) => (each.suppressed === null ? [] : [number]));
  shown.sort((one, two) => rank(spec.findings[one]) - rank(spec.findings[two]) || one - two);
  return section(
    "findings",
    `Findings (${shown.length})`,
    shown.length ? shown.map((number) => findingCard(spec, number)) : el("p", { class: "dim" }, "No findings."),
    hidden.length
      ? el(
          "details",
          {},
          el("summary", {}, `${plural(hidden.length, "finding")} suppressed`),
          hidden.map((number) => findingCard(spec, number)),
        )
      : null,
  );
}

function rank(found) {
  return ["error", "warning", "info"].indexOf(found.severity);
}

function findingCard(spec, number) {
  const found = spec.findings[number];
  const rule = report.rules[found.rule];
  const root = found.cause === null ? null : spec.findings[found.cause];
  return el(
    "article",
    {
      class: `finding ${SEVERITIES[found.severity]}`,
      id: `finding-${number}`,
      "aria-labelledby": `finding-${number}-title`,
    },
    el(
      "h4",
      { id: `finding-${number}-title`, tabindex: -1 },
      severityChip(found.severity),
      ` ${found.rule} ${found.slug} `,
      el("span", { class: "place" }, found.place),
    ),
    el("p", { class: "message" }, found.message),
    el("p", { class: "subjects" }, subjectOf(spec, found)),
    found.suppressed === null
      ? null
      : el(
          "p",
          { class: "dim" },
          `suppressed (${found.suppressed})${found.justification === null ? "" : `: ${found.justification}`}`,
        ),
    excerptOf(found.lines, SEVERITIES[found.severity]),
    found.help === null ? null : el("p", { class: "help" }, el("b", {}, "Help: "), found.help),
    root === null
      ? null
      : el("p", {}, "Follows from ", link(`${root.rule} ${root.slug}`, address(spec, "", "finding", found.cause)), "."),
    found.run === null ? null : el("p", {}, stepThrough(spec, number)),
    found.related.length
      ? el(
          "details",
          {},
          el("summary", {}, `${plural(found.related.length, "other place")}: ${cut(found.related[0].message, 60)}`),
          found.related.map((each) => [
            el("p", {}, each.message, " ", el("span", { class: "place" }, each.place)),
            excerptOf(each.lines),
          ]),
        )
      : null,
    rule?.documentation
      ? el(
          "details",
          { class: "aside" },
          el("summary", {}, `About ${found.rule}: `, spans(rule.summary)),
          documentation(rule.documentation),
        )
      : null,
  );
}

// The little Markdown that the rules' pages use, as elements.
function documentation(text) {
  const parts = [];
  for (const [index, block] of text.split("```").entries()) {
    if (index % 2) {
      parts.push(el("pre", { class: "excerpt", tabindex: 0 }, block.replace(/^\w*\n/, "")));
      continue;
    }
    for (const paragraph of block.split(/\n\s*\n/)) {
      const heading = paragraph.trim().match(/^#+ (.*)$/m);
      const rest = paragraph.replace(/^\s*#+ .*$/m, "").trim();
      if (heading) parts.push(el("h5", {}, heading[1]));
      if (/^ {4}/.test(paragraph.replace(/^\n+/, "")))
        parts.push(el("pre", { class: "excerpt", tabindex: 0 }, paragraph.replace(/^\n+/, "")));
      else if (rest) parts.push(...proseOf(rest));
    }
  }
  return el("div", { class: "documentation" }, parts);
}

function proseOf(text) {
  if (/^[-*] /.test(text))
    return [
      el(
        "ul",
        {},
        text.split(/\n(?=[-*] )/).map((item) => el("li", {}, spans(item.slice(2)))),
      ),
    ];
  return [el("p", {}, spans(text))];
}

function spans(text) {
  return text.split("`").map((part, index) => (index % 2 ? code(part) : part.replaceAll("**", "")));
}
