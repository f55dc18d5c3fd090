// Guard matrices, obligations, bounds, fields, certificates and coverage.

function matricesSection(spec) {
  const { matrices } = spec.machine;
  if (!matrices.length) return null;
  return section(
    "matrices",
    "Guard matrices",
    el("p", { class: "dim" }, "One column for each class of contexts that the guards of a state do not tell apart, with one such context. A gap is where all requirements are met and no transition is enabled, an overlap where more than one is."),
    matrices.map((matrix) => matrixOf(spec, matrix)),
  );
}

function matrixOf(spec, matrix) {
  const { machine } = spec;
  const state = machine.states[matrix.state];
  const rows = machine.transitions.flatMap((each, number) => (each.source === matrix.state ? [number] : []));
  const gaps = matrix.columns.filter((column) => column.reachable !== false && kindOf(state, column) === "gap").length;
  const overlaps = matrix.columns.filter((column) => column.overlap && column.reachable !== false).length;
  const errors = matrix.columns.filter((column) => column.outcomes.includes("error") && column.reachable !== false).length;
  return el(
    "details",
    { id: `matrix-${matrix.state}`, open: matrix.columns.length > 1 && (telling(spec) <= 6 || gaps + errors > 0) },
    el(
      "summary",
      { id: `matrix-${matrix.state}-title` },
      el("b", {}, state.name),
      ` ${matrix.columns.length === 1 ? "1 class" : `${matrix.columns.length} classes`}`,
      gaps ? [" ", chip("violated", plural(gaps, "gap"), "✕")] : null,
      overlaps ? [" ", chip("warned", plural(overlaps, "overlap"), "!")] : null,
      errors ? [" ", chip("violated", `${errors} with an error`, "✕")] : null,
    ),
    matrix.columns.length ? scrolling(`guard matrix of ${state.name}`, matrixTable(spec, matrix, state, rows)) : el("p", { class: "dim" }, "No classes."),
    matrix.omitted ? el("p", { class: "dim" }, `${plural(matrix.omitted, "more column")} left out`) : null,
    matrix.complete ? null : el("p", { class: "dim" }, "There may be more classes than those that were found."),
  );
}

// Where nothing is enabled the machine waits if a requirement is unmet; only else is it a gap.
function kindOf(state, column) {
  if (column.taken !== null) return column.overlap ? "overlap" : "one";
  const unmet = column.context.some(([name, value]) => isEmpty(value) && state.requires.some(([field]) => field === name));
  return unmet ? "waits" : "gap";
}

// How many states have a matrix that says more than that its one transition is taken.
function telling(spec) {
  return spec.machine.matrices.filter((each) => each.columns.length > 1).length;
}

function matrixTable(spec, matrix, state, rows) {
  const { machine } = spec;
  const context = (column) =>
    column.context.length
      ? column.context.map(([name, value]) => el("div", { class: "given" }, code(name), " = ", valueOf(value)))
      : el("span", { class: "dim" }, "any");
  const cell = (column, position, index) => {
    const outcome = column.outcomes[position];
    const fires = column.taken === index;
    const [tone, glyph, word] = {
      true: fires ? ["fires", "▶", "fires"] : ["enabled", "✓", "enabled"],
      false: ["disabled", "·", "no"],
      error: ["error", "✕", "error"],
    }[outcome] ?? ["disabled", "", ""];
    return el("td", { class: column.reachable === false ? `${tone} unreached` : tone }, el("span", { "aria-hidden": "true" }, `${glyph} `), word);
  };
  const label = (column) => {
    const kind = kindOf(state, column);
    const [tone, glyph] = { one: ["proved", "✓"], overlap: ["warned", "!"], waits: ["note", "…"], gap: ["violated", "✕"] }[kind];
    return column.reachable === false ? chip("dead", kind, "–") : chip(tone, kind, glyph);
  };
  const reached = { true: "yes", false: "no", null: "not known" };
  return el(
    "table",
    { class: "matrix" },
    el("caption", { class: "unseen" }, `which transitions of ${state.name} are enabled in which contexts`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "transition"), matrix.columns.map((column) => el("th", { scope: "col" }, context(column))))),
    el(
      "tbody",
      {},
      rows.map((number, position) => {
        const transition = machine.transitions[number];
        return el("tr", {}, el("th", { scope: "row" }, transitionLine(spec, number)), matrix.columns.map((column) => cell(column, position, transition.index)));
      }),
    ),
    el(
      "tfoot",
      {},
      el("tr", {}, el("th", { scope: "row" }, "altogether"), matrix.columns.map((column) => el("td", {}, label(column)))),
      el("tr", {}, el("th", { scope: "row" }, "met in a run"), matrix.columns.map((column) => el("td", {}, reached[column.reachable]))),
    ),
  );
}

function obligationsSection(spec) {
  const { obligations } = spec;
  if (!obligations.length) return null;
  const kinds = ["violated", "unknown", "proved", "vacuous", "skipped"].filter((kind) => obligations.some((each) => each.verdict === kind));
  const rows = obligations.map((each) => ({ each, row: obligationRow(spec, each) }));
  const count = el("p", { class: "dim", role: "status" });
  const choices = ["all", ...kinds].map((kind) => {
    const number = kind === "all" ? obligations.length : obligations.filter((each) => each.verdict === kind).length;
    return button("", () => filter(kind), { "aria-pressed": "false", "data-kind": kind }, kind === "all" ? `all (${number})` : [sign(VERDICTS[kind], VERDICT_SIGNS[kind]), `${kind} (${number})`]);
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
    scrolling("obligations, by verdict", table("obligations", ["verdict", "rule", "about", "method", "remarks"], rows.map(({ row }) => row))),
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
  const machineBound = (loop) => loop.machine ?? { true: "finitely many", false: "without end", null: el("span", { class: "dim" }, "not known") }[loop.bounded];
  return section(
    "bounds",
    "Bounds",
    facts(
      ["fewest exchanges to the end", bounds.fewest.length ? listOf(bounds.fewest.map(([name, index, count]) => [`${count} to `, stateLink([name, index])])) : "not known"],
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
                el("td", {}, [...loop.states, loop.states[0]].map((state, index) => [index ? " → " : "", stateLink(state)])),
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
              el("th", { scope: "row" }, sign(state.mark), " ", link(state.name, addressOfState(spec, index)), el("div", { class: "dim" }, MARKS[state.mark].label)),
              el("td", {}, listOf(state.requires.map(([name, agent]) => [fieldLink(spec, name), ` from ${agent}`]))),
              el("td", {}, listOf(machine.transitions.flatMap((each, number) => (each.source === index ? [transitionLine(spec, number)] : [])))),
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
    el("p", { class: "dim" }, "What the proofs rest on, written by ", code("--certificates DIR"), " for ", code("fsmcheck certify"), "."),
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
            el("td", {}, [each.kind, each.method, each.checks === null ? "" : plural(each.checks, "check"), each.configurations === null ? "" : `${each.configurations} configurations`, each.script ? "SMT-LIB 2 script" : ""].filter(Boolean).join(", ")),
            el("td", {}, el("details", { class: "aside" }, el("summary", {}, plural(each.claims.length, "claim")), listOf(each.claims.map((claim) => [el("b", {}, claim.rule), " ", claim.subject.map(([key, value]) => `${key} ${value}`).join(", ")])))),
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
  const guardLine = (guard, [yes, no, error]) => [code(guard), ` true ${yes}, false ${no}, error ${error} `, yes && no ? null : chip("unknown", yes + no + error === 0 ? "never evaluated" : yes ? "never false" : "never true", "○")];
  return section(
    "coverage",
    "Coverage by runs",
    el("p", {}, `${plural(coverage.events, "event")}: ${visited} of ${plural(states.length, "state")} entered, ${fired} of ${plural(transitions.length, "transition")} fired.`),
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
                    ? [[link(`${each.index}: → ${states[each.target].name}`, addressOfTransition(spec, number)), " ", count(coverage.transitions[number]), listOf(each.guards.map((guard, position) => guardLine(guard, coverage.guards[number][position])))]]
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
