// What is known of the state, transition or field that is selected.

function findingsAbout(spec, state, transition) {
  return spec.findings.filter(
    (each) =>
      each.suppressed === null &&
      (transition === null
        ? each.state === state && each.transition === null
        : each.transition === transition || each.other === transition),
  );
}

function facts(...pairs) {
  return el(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== null).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

function listOf(items, none) {
  return items.length
    ? el(
        "ul",
        { class: "tight" },
        items.map((item) => el("li", {}, item)),
      )
    : (none ?? null);
}

const code = (text) => el("code", {}, text);

function fieldLink(spec, name) {
  return spec.machine.fields.some((each) => each.name === name)
    ? link(name, address(spec, "", "field", name), { class: "mono" })
    : code(name);
}

function verdictsOf(spec, match) {
  const mine = spec.obligations.filter(match);
  if (!mine.length) return el("p", { class: "dim" }, "Nothing was asked of it.");
  return el(
    "ul",
    { class: "verdicts" },
    mine.map((each) =>
      el(
        "li",
        {},
        verdictChip(each.verdict),
        " ",
        el("b", {}, each.rule),
        ` ${report.rules[each.rule]?.slug ?? ""}`,
        each.field === null ? null : [" · ", fieldLink(spec, each.field)],
        each.reason === null ? null : el("span", { class: "dim" }, ` ${each.reason}`),
      ),
    ),
  );
}

function findingLinks(spec, found) {
  if (!found.length) return null;
  return el(
    "ul",
    { class: "found" },
    found.map((each) => {
      const number = spec.findings.indexOf(each);
      return el(
        "li",
        {},
        severityChip(each.severity),
        " ",
        link(`${each.rule} ${each.slug}`, address(spec, "", "finding", number)),
        `: ${each.message}`,
        each.run === null ? null : el("div", {}, stepThrough(spec, number)),
      );
    }),
  );
}

function stepThrough(spec, number) {
  const { run } = spec.findings[number];
  return link(`▶ Step through the run (${run.frames.length})`, address(spec, "", "run", number, 0), { class: "go" });
}

function transitionLine(spec, number) {
  const { machine } = spec;
  const transition = machine.transitions[number];
  return [
    sign(transition.mark),
    " ",
    link(`${transition.index}: ${transitionName(machine, transition)}`, addressOfTransition(spec, number)),
    el("span", { class: "unseen" }, `, ${MARKS[transition.mark].label}`),
    transition.guards.length
      ? el(
          "div",
          { class: "guards" },
          transition.guards.map((guard) => el("div", {}, code(guard))),
        )
      : null,
  ];
}

function aboutState(spec, index) {
  const { machine } = spec;
  const state = machine.states[index];
  const numbers = (key) => machine.transitions.flatMap((each, number) => (each[key] === index ? [number] : []));
  const lines = (list) => list.map((number) => transitionLine(spec, number));
  const matrix = machine.matrices.find((each) => each.state === index);
  const count = machine.coverage ? machine.coverage.states[index] : null;
  const kind = [
    state.initial && "initial",
    state.terminal && "terminal",
    !state.declared && "not declared",
    !state.reachable && "unreachable",
  ];
  return [
    el("h3", {}, sign(state.mark), " ", el("span", { class: "dim" }, "state "), state.name),
    el(
      "p",
      { class: "dim" },
      [MARKS[state.mark].label, ...kind.filter(Boolean)].join(" · "),
      state.place === null ? "" : ` · ${state.place}`,
    ),
    state.description ? el("p", { class: "description" }, state.description) : null,
    findingLinks(spec, findingsAbout(spec, index, null)),
    facts(
      ["requires", listOf(state.requires.map(([name, agent]) => [fieldLink(spec, name), ` from ${agent}`]))],
      ["entry", listOf(state.entry.map(code))],
      ["exit", listOf(state.exit.map(code))],
      ["leads to", listOf(lines(numbers("source")))],
      ["comes from", listOf(lines(numbers("target")))],
      ["guard matrix", matrix ? button("show it below", () => goTo(`matrix-${index}`), { class: "textual" }) : null],
      ["in runs", count === null ? null : count === 0 ? "never entered" : `entered ${plural(count, "time")}`],
    ),
    el("h4", {}, "Obligations"),
    verdictsOf(spec, (each) => each.state === index && each.transition === null),
  ];
}

function aboutTransition(spec, number) {
  const { machine } = spec;
  const transition = machine.transitions[number];
  const guards = machine.coverage ? machine.coverage.guards[number] : null;
  const told = (index) => {
    if (guards === null) return null;
    const [yes, no, error] = guards[index];
    return el(
      "span",
      { class: yes + no + error ? "dim" : "chip unknown" },
      yes + no + error ? ` true ${yes}, false ${no}, error ${error}` : "never evaluated",
    );
  };
  return [
    el(
      "h3",
      {},
      sign(transition.mark),
      " ",
      el("span", { class: "dim" }, `transition ${transition.index} `),
      transitionName(machine, transition),
    ),
    el("p", { class: "dim" }, MARKS[transition.mark].label),
    findingLinks(spec, findingsAbout(spec, transition.source, number)),
    facts(
      ["from", link(machine.states[transition.source].name, addressOfState(spec, transition.source))],
      ["to", link(machine.states[transition.target].name, addressOfState(spec, transition.target))],
      [
        "guards",
        listOf(
          transition.guards.map((guard, index) => [code(guard), " ", told(index)]),
          "none: whenever the requirements are met",
        ),
      ],
      ["actions", listOf(transition.actions.map(code), "none")],
      ["in runs", machine.coverage ? `fired ${plural(machine.coverage.transitions[number], "time")}` : null],
    ),
    el("h4", {}, "Obligations"),
    verdictsOf(spec, (each) => each.transition === number || each.other === number),
  ];
}

function aboutField(spec, name) {
  const field = spec.machine.fields.find((each) => each.name === name);
  if (field === undefined) return [el("h3", {}, name), el("p", {}, "There is no such field.")];
  return [
    el("h3", {}, el("span", { class: "dim" }, "field "), field.name),
    el("p", { class: "dim" }, code(field.type)),
    field.description ? el("p", { class: "description" }, field.description) : null,
    findingLinks(
      spec,
      spec.findings.filter((each) => each.field === name && each.suppressed === null),
    ),
    facts(
      ["written by", listOf(field.writers, "no agent")],
      ["read by", listOf(field.readers, "nothing")],
      ["assigned by", listOf(field.assigners)],
      ["emptied by", listOf(field.emptiers)],
    ),
    el("h4", {}, "Obligations"),
    verdictsOf(spec, (each) => each.field === name),
  ];
}

function aboutMachine(spec) {
  const runs = spec.findings.flatMap((each, number) => (each.run !== null && each.suppressed === null ? [number] : []));
  runs.sort((one, two) => rank(spec.findings[one]) - rank(spec.findings[two]));
  const { machine } = spec;
  return [
    el("h3", {}, "The machine"),
    el("p", {}, "Choose a state or a transition to see what is asked of it, or step through a run that goes wrong."),
    runs.length
      ? el(
          "ul",
          { class: "found" },
          runs.map((number) => {
            const each = spec.findings[number];
            return el(
              "li",
              {},
              severityChip(each.severity),
              " ",
              el("b", {}, `${each.rule} ${each.slug}`),
              el("div", {}, stepThrough(spec, number)),
            );
          }),
        )
      : el("p", { class: "dim" }, "No finding of this spec shows a run."),
    facts(...machine.policy.map(([name, value]) => [name, code(value)])),
  ];
}
