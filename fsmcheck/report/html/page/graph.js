// The machine as a picture: every state and transition can be clicked, and reached by keyboard.

function makeGraph(spec, choose) {
  const { machine } = spec;
  const plan = layOut(machine);
  const nodes = machine.states.map((state, index) => drawState(spec, state, index, plan.nodes[index]));
  const edges = machine.transitions.map((each, number) => drawTransition(machine, each, plan.edges[number]));
  const canvas = drawn(
    "svg",
    { class: "canvas", role: "application", "aria-label": pictureLabel(machine), "aria-describedby": "graph-help" },
    drawn(
      "g",
      {},
      edges,
      nodes,
      machine.states.map((state, index) => state.initial && entryArrow(plan.nodes[index])),
    ),
  );
  const view = makeView(canvas, plan);
  const parts = [...nodes, ...edges];
  let focused = Math.max(
    0,
    machine.states.findIndex((state) => state.initial),
  );

  function rove(index) {
    focused = index;
    parts.forEach((part, number) => part.setAttribute("tabindex", number === focused ? 0 : -1));
  }

  function target(index) {
    return index < nodes.length ? addressOfState(spec, index) : addressOfTransition(spec, index - nodes.length);
  }

  parts.forEach((part, index) => {
    part.addEventListener("click", () => {
      if (view.dragged()) return;
      rove(index);
      choose(target(index));
    });
    part.addEventListener("focus", () => view.show(centre(index)));
  });

  function centre(index) {
    return index < nodes.length ? plan.nodes[index] : plan.edges[index - nodes.length];
  }

  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const index = parts.indexOf(event.target);
    if (event.key === "+" || event.key === "=") view.zoom(1.25);
    else if (event.key === "-") view.zoom(0.8);
    else if (event.key === "0") view.fit();
    else if ((event.key === "Enter" || event.key === " ") && index >= 0) choose(target(index));
    else if (step !== undefined && index >= 0) {
      const next = nearest(centre, parts.length, index, step);
      if (next !== null) {
        rove(next);
        parts[next].focus({ preventScroll: true });
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function select(index) {
    parts.forEach((part, number) => {
      part.classList.toggle("selected", number === index);
      part.setAttribute("aria-pressed", number === index ? "true" : "false");
    });
    if (index !== null) {
      rove(index);
      view.show(centre(index));
    }
  }

  // Where a run is: its state and the transition that led there; what it never comes to steps back.
  function at(frame, run) {
    const been = new Set();
    if (run !== null) {
      for (const each of run.frames) {
        if (each.state !== null) been.add(nodes[each.state]);
        if (each.via !== null) been.add(edges[each.via]);
      }
    }
    canvas.classList.toggle("running", run !== null);
    for (const part of parts) {
      part.classList.toggle("been", been.has(part));
      part.classList.remove("current", "fired");
    }
    if (frame === null) return;
    if (frame.via !== null) {
      edges[frame.via].classList.add("fired");
      edges[frame.via].parentNode.insertBefore(edges[frame.via], nodes[0] ?? null);
    }
    if (frame.state !== null) {
      nodes[frame.state].classList.add("current");
      view.show(plan.nodes[frame.state]);
    }
  }

  function heat(shown) {
    canvas.classList.toggle("heat", shown);
  }

  rove(focused);
  select(null);
  return {
    canvas,
    view,
    at,
    heat,
    centre,
    state: (index) => select(index),
    transition: (n) => select(nodes.length + n),
    none: () => select(null),
  };
}

function pictureLabel(machine) {
  const states = plural(machine.states.length, "state");
  return `The machine: ${states}, ${plural(machine.transitions.length, "transition")}`;
}

function drawState(spec, state, index, box) {
  const { coverage } = spec.machine;
  const count = coverage ? coverage.states[index] : null;
  const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
  const kind = `${state.initial ? "initial " : ""}${state.terminal ? "terminal " : ""}`;
  const found = findingsAbout(spec, index, null).length;
  const label =
    `state ${state.name}, ${kind}${MARKS[state.mark].label}` +
    `${found ? `, ${plural(found, "finding")}` : ""}${count === null ? "" : `, entered ${plural(count, "time")}`}`;
  const frame = (inset, traits) =>
    drawn("rect", {
      x: left + inset,
      y: top + inset,
      width: box.width - 2 * inset,
      height: box.height - 2 * inset,
      rx: state.terminal ? 20 - inset : 8,
      ...traits,
    });
  return drawn(
    "g",
    {
      class: `state ${state.mark} ${kind}${heatOf(count, coverage?.states)}`,
      role: "button",
      "aria-label": label,
      "data-state": state.name,
    },
    drawn("title", {}, label),
    frame(-5, { class: "halo" }),
    frame(0, { class: "body" }),
    state.terminal ? frame(4, { class: "inner" }) : null,
    drawn("circle", { class: "badge", cx: left + 19, cy: box.y, r: 9 }),
    drawn("text", { class: "glyph", x: left + 19, y: box.y + 4.5 }, MARKS[state.mark].sign || "·"),
    drawn("text", { class: "name", x: box.x + 11, y: box.y - 2 }, box.name),
    drawn("text", { class: "under", x: box.x + 11, y: box.y + 14 }, underline(state)),
    count === null ? null : tally(box.x + box.width / 2 - 2, top - 10, count),
  );
}

function drawTransition(machine, transition, line) {
  const { coverage } = machine;
  const count = coverage ? coverage.transitions[machine.transitions.indexOf(transition)] : null;
  const label =
    `transition ${transition.index}, ${transitionName(machine, transition)}, ${MARKS[transition.mark].label}` +
    `${transition.guards.length ? `, if ${transition.guards.join(" and ")}` : ""}` +
    `${count === null ? "" : `, fired ${plural(count, "time")}`}`;
  return drawn(
    "g",
    {
      class: `transition ${transition.mark} ${heatOf(count, coverage?.transitions)}`,
      role: "button",
      "aria-label": label,
      "data-transition": `${machine.states[transition.source].name}/${transition.index}`,
    },
    drawn("title", {}, label),
    drawn("path", { class: "reach", d: line.path }),
    drawn("path", { class: "line", d: line.path }),
    drawn("path", { class: "head", d: arrowHead(line.points) }),
    drawn("rect", { class: "plate", x: line.x - line.width / 2, y: line.y - 10, width: line.width, height: 20, rx: 5 }),
    drawn("text", { class: "label", x: line.x, y: line.y + 4 }, line.label),
    count === null ? null : tally(line.x + line.width / 2 + 4, line.y - 2, count),
  );
}

function tally(x, y, count) {
  return drawn("text", { class: "count", x, y: y + 4 }, `${count}×`);
}

// Five steps of heat, by the logarithm of the count; none is marked as such.
function heatOf(count, all) {
  if (count === null || count === undefined) return "";
  if (count === 0) return "unvisited";
  const most = Math.log1p(Math.max(...all));
  return `heat-${Math.max(1, Math.ceil((5 * Math.log1p(count)) / most))}`;
}

function entryArrow(box) {
  const tip = { x: box.x - box.width / 2, y: box.y - box.height / 2 + 12 };
  const points = [{ x: tip.x - 24, y: tip.y - 14 }, tip];
  return drawn(
    "g",
    { class: "entry", "aria-hidden": "true" },
    drawn("circle", { cx: points[0].x, cy: points[0].y, r: 4 }),
    drawn("path", { class: "line", d: curve(points) }),
    drawn("path", { class: "head", d: arrowHead(points) }),
  );
}

function nearest(centre, count, from, [dx, dy]) {
  const here = centre(from);
  let best = null;
  let least = Infinity;
  for (let index = 0; index < count; index += 1) {
    const there = centre(index);
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    const distance = along + 2 * aside;
    if (index !== from && along > 1 && distance < least) [best, least] = [index, distance];
  }
  return best;
}
