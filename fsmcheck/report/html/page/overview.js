// All specs of the report at a glance.

function makeOverview() {
  const { summary } = report;
  const tiles = [
    ["violated", summary.error, "error", "✕"],
    ["warned", summary.warning, "warning", "!"],
    ["note", summary.info, "note", "i"],
  ].map(([mark, count, noun, glyph]) => tile(mark, count, count === 1 ? noun : `${noun}s`, glyph));
  const verdicts = [
    ["proved", summary.proved, summary.vacuous ? `proved (${summary.vacuous} vacuous)` : "proved", "✓"],
    ["violated", summary.violated, "violated", "✕"],
    ["unknown", summary.unknown, "undecided", "?"],
  ].map(([mark, count, noun, glyph]) => tile(mark, count, noun, glyph));
  return el(
    "div",
    { class: "overview" },
    el("h2", { id: "spec-title", tabindex: -1 }, report.extent),
    report.interrupted ? el("p", { class: "notice" }, el("b", {}, "Interrupted, nothing may be concluded.")) : null,
    el(
      "div",
      { class: "tiles" },
      el("div", { class: "group" }, el("h3", {}, "Findings"), el("ul", {}, tiles)),
      el("div", { class: "group" }, el("h3", {}, "Obligations"), el("ul", {}, verdicts)),
    ),
    specsSection(),
    noticesSection(),
    allFindings(),
    el(
      "p",
      { class: "dim small" },
      `fsmcheck ${report.tool.version}, z3 ${report.tool.z3}, profile ${report.profile}. `,
      "Keys: / searches, ← and → step through a run, Esc leaves it.",
    ),
  );
}

function tile(mark, count, noun, glyph) {
  return el(
    "li",
    { class: `tile ${count ? mark : "none"}` },
    el("span", { class: "figure" }, count),
    el("span", {}, sign(count ? mark : "dead", glyph), noun),
  );
}

function specsSection() {
  return section(
    "specs",
    "Specs",
    report.specs.length
      ? scrolling(
          "specs",
          table(
            "specs",
            ["spec", "profile", "findings", "obligations"],
            report.specs.map((spec) =>
              el(
                "tr",
                {},
                el(
                  "th",
                  { scope: "row" },
                  link(titleOf(spec), address(spec)),
                  el("div", { class: "dim place" }, spec.path),
                ),
                el("td", {}, spec.profile),
                el("td", {}, findingChips(spec.counts)),
                el("td", {}, share(spec.counts)),
              ),
            ),
            { class: "specs" },
          ),
        )
      : el("p", { class: "dim" }, "No specs."),
  );
}

function findingChips(counts) {
  const chips = Object.keys(NOUNS)
    .filter((key) => counts[key])
    .map((key) => [
      chip(SEVERITIES[key], plural(counts[key], NOUNS[key]), { error: "✕", warning: "!", info: "i" }[key]),
      " ",
    ]);
  return chips.length ? chips : chip("proved", "none", "✓");
}

// A bar of what was proved, violated and left undecided, and the same in words.
function share(counts) {
  const total = counts.proved + counts.violated + counts.unknown;
  if (!total) return el("span", { class: "dim" }, "none posed");
  let start = 0;
  const bars = ["proved", "violated", "unknown"].map((key) => {
    const width = (100 * counts[key]) / total;
    start += width;
    return drawn("rect", { class: `bar ${key}`, x: start - width, y: 0, width, height: 8 });
  });
  const words = ["proved", "violated", "unknown"].filter((key) => counts[key]).map((key) => `${counts[key]} ${key}`);
  return [
    drawn("svg", { class: "share", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, bars),
    el("span", {}, words.join(", ")),
  ];
}

function noticesSection() {
  if (!report.notices.length) return null;
  return section(
    "notices",
    "Notices",
    el(
      "ul",
      {},
      report.notices.map((each) =>
        el("li", {}, each.message, each.place === null ? null : el("span", { class: "place" }, ` ${each.place}`)),
      ),
    ),
  );
}

function allFindings() {
  const all = report.specs.flatMap((spec) =>
    spec.findings.map((found, number) => ({ spec, found, number })).filter(({ found }) => found.suppressed === null),
  );
  if (!all.length) return null;
  all.sort((one, two) => rank(one.found) - rank(two.found));
  return section(
    "all",
    `All findings (${all.length})`,
    el(
      "details",
      { open: all.length <= 40 },
      el("summary", {}, "the gravest first"),
      scrolling(
        "all findings",
        table(
          "all findings",
          ["finding", "spec", "message"],
          all.map(({ spec, found, number }) =>
            el(
              "tr",
              {},
              el(
                "td",
                {},
                severityChip(found.severity),
                " ",
                link(`${found.rule} ${found.slug}`, address(spec, "", "finding", number)),
              ),
              el("td", {}, titleOf(spec), el("div", { class: "dim" }, spec.profile)),
              el("td", {}, found.message),
            ),
          ),
        ),
      ),
    ),
  );
}
