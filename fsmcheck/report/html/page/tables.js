// Obligations, bounds, fields, certificates and coverage.

function obligationsSection(spec) {
  const { obligations } = spec;
  if (!obligations.length) return null;
  const kinds = ["violated", "unknown", "proved", "vacuous", "skipped"].filter((kind) =>
    obligations.some((each) => each.verdict === kind),
  );
  const rows = obligations.map((each) => ({ each, row: obligationRow(spec, each) }));
  const count = el("p", { class: "dim", role: "status" });
  const choices = ["all", ...kinds].map((kind) => {
    const number = kind === "all" ? obligations.length : obligations.filter((each) => each.verdict === kind).length;
    return button(
      "",
      () => filter(kind),
      { "aria-pressed": "false", "data-kind": kind },
      kind === "all" ? `all (${number})` : [sign(VERDICTS[kind], VERDICT_SIGNS[kind]), `${kind} (${number})`],
    );
  });
  function filter(kind) {
    for (const choice of choices) choice.setAttribute("aria-pressed", choice.dataset.kind === kind ? "true" : "false");
    for (const { each, row } of rows) row.hidden = kind !== "all" && each.verdict !== kind;
    count.textContent = `${rows.filter(({ row }) => !row.hidden).length} of ${plural(rows.length, "obligation")} shown`;
  }
  filter("all");
  return section(
    "obligations",
    `Obligations (${obligations.length})`,
    el("div", { class: "choices", role: "group", "aria-label": "obligations by verdict" }, choices),
    count,
    scrolling(
      "obligations, by verdict",
      table(
        "obligations",
        ["verdict", "rule", "about", "method", "remarks"],
        rows.map(({ row }) => row),
      ),
    ),
  );
}

function obligationRow(spec, each) {
  const depth = each.depth === null || each.verdict !== "unknown" ? null : `holds up to depth ${each.depth}`;
  return el(
    "tr",
    { "data-verdict": each.verdict },
    el("td", {}, verdictChip(each.verdict)),
    el("td", {}, el("b", {}, each.rule), ` ${report.rules[each.rule]?.slug ?? ""}`),
    el("td", {}, subjectOf(spec, each)),
    el("td", {}, each.method),
    el(
      "td",
      {},
      [each.reason, depth].filter(Boolean).join("; "),
      each.certificate === null ? null : el("div", {}, certificateLink(spec, each.certificate)),
      each.finding === null ? null : el("div", {}, link("finding", address(spec, "", "finding", each.finding))),
    ),
  );
}

function certificateLink(spec, name) {
  const number = spec.certificates.findIndex((each) => `${each.name}.json` === name);
  if (number < 0) return ["certificate ", code(name)];
  return button("certificate", () => goTo(`certificate-${number}`), { class: "textual", title: name });
}

function boundsSection(spec) {
  const { bounds } = spec;
  if (bounds === null) return null;
  const stateLink = ([name, index]) => (index === null ? name : link(name, addressOfState(spec, index)));
  const figure = (value) => (value === null ? el("span", { class: "dim" }, "not known") : value);
  const machineBound = (loop) =>
    loop.machine ??
    { true: "finitely many", false: "without end", null: el("span", { class: "dim" }, "not known") }[loop.bounded];
  return section(
    "bounds",
    "Bounds",
    facts(
      [
        "fewest exchanges to the end",
        bounds.fewest.length
          ? listOf(bounds.fewest.map(([name, index, count]) => [`${count} to `, stateLink([name, index])]))
          : "not known",
      ],
      ["most microsteps in one advance", figure(bounds.microsteps)],
    ),
    bounds.loops.length
      ? scrolling(
          "loops",
          table(
            "loops of the machine",
            ["loop", "exchanges a turn", "turns the machine allows", "turns under maxIterations"],
            bounds.loops.map((loop) =>
              el(
                "tr",
                {},
                el(
                  "td",
                  {},
                  [...loop.states, loop.states[0]].map((state, index) => [index ? " → " : "", stateLink(state)]),
                ),
                el("td", { class: "figure" }, figure(loop.exchanges)),
                el("td", { class: "figure" }, machineBound(loop)),
                el("td", { class: "figure" }, figure(loop.policy)),
              ),
            ),
          ),
        )
      : el("p", { class: "dim" }, "No loops."),
  );
}

function machineSection(spec, open) {
  const { machine } = spec;
  return section(
    "machine",
    "States and fields",
    el(
      "details",
      { open },
      el("summary", {}, plural(machine.states.length, "state")),
      scrolling(
        "states",
        table(
          "states",
          ["state", "requires", "leads to"],
          machine.states.map((state, index) =>
            el(
              "tr",
              {},
              el(
                "th",
                { scope: "row" },
                sign(state.mark),
                " ",
                link(state.name, addressOfState(spec, index)),
                el("div", { class: "dim" }, MARKS[state.mark].label),
              ),
              el("td", {}, listOf(state.requires.map(([name, agent]) => [fieldLink(spec, name), ` from ${agent}`]))),
              el(
                "td",
                {},
                listOf(
                  machine.transitions.flatMap((each, number) =>
                    each.source === index ? [transitionLine(spec, number)] : [],
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    el(
      "details",
      { open: machine.fields.length <= 30 },
      el("summary", {}, plural(machine.fields.length, "field")),
      scrolling(
        "fields",
        table(
          "fields",
          ["field", "type", "written by", "read by", "assigned by", "emptied by"],
          machine.fields.map((field) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, fieldLink(spec, field.name)),
              el("td", {}, code(field.type)),
              ["writers", "readers", "assigners", "emptiers"].map((key) => el("td", {}, listOf(field[key]))),
            ),
          ),
        ),
      ),
    ),
  );
}

function certificatesSection(spec) {
  if (!spec.certificates.length) return null;
  return section(
    "certificates",
    `Certificates (${spec.certificates.length})`,
    el(
      "p",
      { class: "dim" },
      "What the proofs rest on, written by ",
      code("--certificates DIR"),
      " for ",
      code("fsmcheck certify"),
      ".",
    ),
    scrolling(
      "certificates",
      table(
        "certificates",
        ["certificate", "rests on", "claims"],
        spec.certificates.map((each, number) =>
          el(
            "tr",
            { id: `certificate-${number}`, tabindex: -1 },
            el("th", { scope: "row" }, code(each.name)),
            el(
              "td",
              {},
              [
                each.kind,
                each.method,
                each.checks === null ? "" : plural(each.checks, "check"),
                each.configurations === null ? "" : `${each.configurations} configurations`,
                each.script ? "SMT-LIB 2 script" : "",
              ]
                .filter(Boolean)
                .join(", "),
            ),
            el(
              "td",
              {},
              el(
                "details",
                { class: "aside" },
                el("summary", {}, plural(each.claims.length, "claim")),
                listOf(
                  each.claims.map((claim) => [
                    el("b", {}, claim.rule),
                    " ",
                    claim.subject.map(([key, value]) => `${key} ${value}`).join(", "),
                  ]),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function coverageSection(spec) {
  const { coverage, states, transitions } = spec.machine;
  if (coverage === null) return null;
  const count = (number) => (number ? `${number}×` : chip("unknown", "never", "○"));
  const visited = coverage.states.filter(Boolean).length;
  const fired = coverage.transitions.filter(Boolean).length;
  const guardLine = (guard, [yes, no, error]) => [
    code(guard),
    ` true ${yes}, false ${no}, error ${error} `,
    yes && no
      ? null
      : chip("unknown", yes + no + error === 0 ? "never evaluated" : yes ? "never false" : "never true", "○"),
  ];
  return section(
    "coverage",
    "Coverage by runs",
    el(
      "p",
      {},
      `${plural(coverage.events, "event")}: ${visited} of ${plural(states.length, "state")} entered, ${fired} of ${plural(transitions.length, "transition")} fired.`,
    ),
    scrolling(
      "coverage of states",
      table(
        "how often each state was entered and each of its transitions fired",
        ["state", "entered", "transitions"],
        states.map((state, index) =>
          el(
            "tr",
            { class: heatOf(coverage.states[index], coverage.states) },
            el("th", { scope: "row" }, link(state.name, addressOfState(spec, index))),
            el("td", {}, count(coverage.states[index])),
            el(
              "td",
              {},
              listOf(
                transitions.flatMap((each, number) =>
                  each.source === index
                    ? [
                        [
                          link(`${each.index}: → ${states[each.target].name}`, addressOfTransition(spec, number)),
                          " ",
                          count(coverage.transitions[number]),
                          listOf(
                            each.guards.map((guard, position) => guardLine(guard, coverage.guards[number][position])),
                          ),
                        ],
                      ]
                    : [],
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
