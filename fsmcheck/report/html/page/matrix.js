// The guard matrix of each state: its transitions by classes of contexts.

function matricesSection(spec) {
  const { matrices } = spec.machine;
  if (!matrices.length) return null;
  return section(
    "matrices",
    "Guard matrices",
    el(
      "p",
      { class: "dim" },
      "One column for each class of contexts that the guards of a state do not tell apart, with one such context. A gap is where all requirements are met and no transition is enabled, an overlap where more than one is.",
    ),
    matrices.map((matrix) => matrixOf(spec, matrix)),
  );
}

function matrixOf(spec, matrix) {
  const { machine } = spec;
  const state = machine.states[matrix.state];
  const rows = machine.transitions.flatMap((each, number) => (each.source === matrix.state ? [number] : []));
  const gaps = matrix.columns.filter((column) => column.reachable !== false && kindOf(state, column) === "gap").length;
  const overlaps = matrix.columns.filter((column) => column.overlap && column.reachable !== false).length;
  const errors = matrix.columns.filter(
    (column) => column.outcomes.includes("error") && column.reachable !== false,
  ).length;
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
    matrix.columns.length
      ? scrolling(`guard matrix of ${state.name}`, matrixTable(spec, matrix, state, rows))
      : el("p", { class: "dim" }, "No classes."),
    matrix.omitted ? el("p", { class: "dim" }, `${plural(matrix.omitted, "more column")} left out`) : null,
    matrix.complete ? null : el("p", { class: "dim" }, "There may be more classes than those that were found."),
  );
}

// Where nothing is enabled the machine waits if a requirement is unmet; only else is it a gap.
function kindOf(state, column) {
  if (column.taken !== null) return column.overlap ? "overlap" : "one";
  const unmet = column.context.some(
    ([name, value]) => isEmpty(value) && state.requires.some(([field]) => field === name),
  );
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
    return el(
      "td",
      { class: column.reachable === false ? `${tone} unreached` : tone },
      el("span", { "aria-hidden": "true" }, `${glyph} `),
      word,
    );
  };
  const label = (column) => {
    const kind = kindOf(state, column);
    const [tone, glyph] = {
      one: ["proved", "✓"],
      overlap: ["warned", "!"],
      waits: ["note", "…"],
      gap: ["violated", "✕"],
    }[kind];
    return column.reachable === false ? chip("dead", kind, "–") : chip(tone, kind, glyph);
  };
  const reached = { true: "yes", false: "no", null: "not known" };
  return el(
    "table",
    { class: "matrix" },
    el("caption", { class: "unseen" }, `which transitions of ${state.name} are enabled in which contexts`),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "transition"),
        matrix.columns.map((column) => el("th", { scope: "col" }, context(column))),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((number, position) => {
        const transition = machine.transitions[number];
        return el(
          "tr",
          {},
          el("th", { scope: "row" }, transitionLine(spec, number)),
          matrix.columns.map((column) => cell(column, position, transition.index)),
        );
      }),
    ),
    el(
      "tfoot",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "row" }, "altogether"),
        matrix.columns.map((column) => el("td", {}, label(column))),
      ),
      el(
        "tr",
        {},
        el("th", { scope: "row" }, "met in a run"),
        matrix.columns.map((column) => el("td", {}, reached[column.reachable])),
      ),
    ),
  );
}
