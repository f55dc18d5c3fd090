// One spec: its figures, the picture with what is selected beside it, and all that is known of it below.

function makeSpecPage(spec, navigate) {
  const { machine } = spec;
  const drawable = machine !== null && machine.states.length > 0 && machine.states.length <= MOST_STATES;
  const side = el("div", {
    class: "side card",
    id: "side",
    role: "region",
    "aria-label": "what is selected",
    tabindex: -1,
  });
  const graph = drawable ? makeGraph(spec, navigate) : null;
  let stepper = null;
  let running = null;

  const parts = [
    findingsSection(spec),
    machine === null ? null : matricesSection(spec),
    obligationsSection(spec),
    boundsSection(spec),
    machine === null ? null : coverageSection(spec),
    certificatesSection(spec),
    machine === null ? null : machineSection(spec, !drawable),
  ].filter((part) => part !== null);

  const bare = machine === null && !spec.findings.some((each) => each.run !== null);
  const stage = bare ? null : el("div", { class: drawable ? "stage" : "stage alone" }, pictureCard(spec, graph), side);
  const node = el(
    "div",
    { class: "spec" },
    specHead(spec, parts),
    stage ?? el("p", { class: "notice" }, noMachine(spec)),
    parts,
  );

  function begin() {
    const start = machine?.states.findIndex((state) => state.initial) ?? -1;
    graph?.view.begin(graph.centre(Math.max(0, start)));
  }

  function select(target) {
    const { kind, value } = target;
    if (kind === "run") return run(value, target.frame);
    running = null;
    stepper = null;
    stage?.classList.remove("stepping");
    graph?.at(null, null);
    graph?.none();
    if (kind === "state") graph?.state(value);
    if (kind === "transition") graph?.transition(value);
    side.replaceChildren(...(machine === null ? [] : described(target)).filter(Boolean));
    side.scrollTop = 0;
    if (kind === "finding") goTo(`finding-${value}`);
    if (kind === "state" || kind === "transition" || kind === "field") announce(side.querySelector("h3").textContent);
    return null;
  }

  function described({ kind, value }) {
    if (kind === "state") return aboutState(spec, value);
    if (kind === "transition") return aboutTransition(spec, value);
    if (kind === "field") return aboutField(spec, value);
    return aboutMachine(spec);
  }

  function run(number, frame) {
    if (running !== number) {
      running = number;
      graph?.none();
      stepper = makeStepper(
        spec,
        number,
        (to) => navigate(address(spec, "", "run", number, to), true),
        () => navigate(address(spec, "", "finding", number)),
      );
      side.replaceChildren(stepper.panel);
      stage?.classList.add("stepping");
      begin();
      side.scrollTop = 0;
      byId("stage")?.scrollIntoView({ block: "start" });
      stepper.focus();
    }
    stepper.update(Math.min(frame, spec.findings[number].run.frames.length - 1));
    graph?.at(stepper.frame(), spec.findings[number].run);
    return null;
  }

  return {
    node,
    select,
    mounted: begin,
    stepper: () => stepper,
    graph,
  };
}

function noMachine(spec) {
  return spec.obligations.length && spec.obligations.every((each) => each.verdict === "skipped")
    ? "There is no picture: the spec has no meaning before its findings are mended."
    : "There is no picture of this spec: the report was made without its outline.";
}

function specHead(spec, parts) {
  const jumps = parts.map((part) => {
    const title = part.querySelector("h3").textContent;
    return button(title, () => goTo(part.id), { class: "textual" });
  });
  return el(
    "div",
    { class: "head" },
    el("p", { class: "crumbs" }, link("All specs", "#")),
    el(
      "h2",
      { id: "spec-title", tabindex: -1 },
      titleOf(spec),
      spec.version === null ? null : el("span", { class: "dim" }, ` version ${spec.version}`),
    ),
    el("p", { class: "dim" }, el("span", { class: "place" }, spec.path), ` · ${spec.profile} profile`, others(spec)),
    el("p", { class: "chips" }, countChips(spec.counts, spec.suppressed)),
    el("nav", { class: "jumps", "aria-label": "parts of this page" }, jumps),
  );
}

// The same spec under the other profile.
function others(spec) {
  const found = report.specs.filter((each) => each !== spec && each.path === spec.path && each.name === spec.name);
  return found.map((each) => [" · ", link(`see the ${each.profile} profile`, address(each))]);
}

function countChips(counts, suppressed) {
  const found = Object.entries(NOUNS).filter(([key]) => counts[key]);
  const chips = found.map(([key, noun]) =>
    chip(SEVERITIES[key], plural(counts[key], noun), { error: "✕", warning: "!", info: "i" }[key]),
  );
  if (!found.length) chips.push(chip("proved", "no findings", "✓"));
  if (counts.proved)
    chips.push(chip("proved", `${counts.proved} proved${counts.vacuous ? ` (${counts.vacuous} vacuous)` : ""}`));
  if (counts.violated) chips.push(chip("violated", `${counts.violated} violated`));
  if (counts.unknown) chips.push(chip("unknown", `${counts.unknown} undecided`));
  if (suppressed) chips.push(chip("dead", `${suppressed} suppressed`));
  return chips.map((each) => [each, " "]);
}

function pictureCard(spec, graph) {
  const { machine } = spec;
  if (machine === null) return null;
  if (graph === null) {
    return el(
      "div",
      { class: "card", id: "stage" },
      el(
        "p",
        { class: "notice" },
        machine.states.length
          ? `The machine has ${machine.states.length} states, too many for a picture that anybody could read; they are listed below, and the search finds them.`
          : "The machine has no states.",
      ),
    );
  }
  const heat = machine.coverage
    ? button(
        "Heat map",
        (event) => {
          const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
          event.currentTarget.setAttribute("aria-pressed", on ? "true" : "false");
          graph.heat(on);
        },
        { "aria-pressed": "false" },
      )
    : null;
  return el(
    "figure",
    { class: "picture card", id: "stage" },
    el(
      "div",
      { class: "tools", role: "group", "aria-label": "the picture" },
      heat,
      button("−", () => graph.view.zoom(0.8), { "aria-label": "smaller", title: "smaller (-)" }),
      button("+", () => graph.view.zoom(1.25), { "aria-label": "larger", title: "larger (+)" }),
      button("Fit", () => graph.view.fit(), { title: "all of it (0)" }),
    ),
    graph.canvas,
    el(
      "figcaption",
      {},
      legend(machine),
      el(
        "p",
        { id: "graph-help", class: "dim small" },
        "Drag to move, Ctrl and the wheel to zoom. By keyboard: arrows go from part to part, Enter selects, + - 0 zoom.",
      ),
    ),
  );
}

function legend(machine) {
  const used = new Set([...machine.states, ...machine.transitions].map((each) => each.mark));
  const sample = (mark) =>
    drawn(
      "svg",
      { class: `sample transition ${mark}`, width: 26, height: 12, "aria-hidden": "true" },
      drawn("path", { class: "line", d: "M1 6L25 6" }),
    );
  return el(
    "ul",
    { class: "legend", "aria-label": "what the colours and lines mean" },
    Object.keys(MARKS)
      .filter((mark) => used.has(mark))
      .map((mark) => el("li", {}, sign(mark), sample(mark), MARKS[mark].label)),
  );
}
