// Where states and transitions go. Sizes are those of the text in the font that the style sheet gives it.

const MOST_STATES = 200;
const FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

const ruler = document.createElement("canvas").getContext("2d");

function textWidth(text, size, weight) {
  if (ruler === null) return text.length * size * 0.6;
  ruler.font = `${weight ?? 400} ${size}px ${FONT}`;
  return ruler.measureText(text).width;
}

function agentsOf(state) {
  return [...new Set(state.requires.map(([, agent]) => agent))];
}

function underline(state) {
  if (!state.declared) return "not declared";
  if (state.terminal) return "end";
  const agents = agentsOf(state);
  return agents.length ? cut(`asks ${agents.join(", ")}`, 34) : "asks nobody";
}

function layOut(machine) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  const crowded = machine.states.length > 60;
  graph.setGraph({
    rankdir: "TB",
    nodesep: crowded ? 28 : 44,
    ranksep: crowded ? 36 : 44,
    edgesep: 18,
    marginx: 24,
    marginy: 24,
    ranker: crowded ? "longest-path" : "network-simplex",
  });
  machine.states.forEach((state, index) => {
    const name = cut(state.name, 34);
    const width = Math.max(textWidth(name, 14, 600) + 62, textWidth(underline(state), 11) + 40, 96);
    graph.setNode(String(index), { width, height: 46, name });
  });
  machine.transitions.forEach((transition, number) => {
    const label = guardLabel(transition, crowded ? 22 : 34);
    const size = { width: textWidth(label, 12, 600) + 14, height: 20, labelpos: "c", label };
    graph.setEdge(String(transition.source), String(transition.target), size, String(number));
  });
  dagre.layout(graph);
  return {
    width: graph.graph().width || 200,
    height: graph.graph().height || 100,
    nodes: machine.states.map((_, index) => graph.node(String(index))),
    edges: machine.transitions.map((transition, number) => {
      const line = graph.edge(String(transition.source), String(transition.target), String(number));
      if (transition.source !== transition.target) return { ...line, path: curve(line.points) };
      const loops = machine.transitions.filter(
        (each, other) => each.source === transition.source && each.target === transition.target && other < number,
      );
      return loopLine(graph.node(String(transition.source)), line, loops.length);
    }),
  };
}

// A transition back to its own state: an ear at the right side, those of further ones around it.
function loopLine(node, line, inner) {
  const right = node.x + node.width / 2;
  const left = line.x - line.width / 2;
  const [near, far] = [7 + 4 * inner, 22 + 12 * inner];
  const points = [
    { x: left, y: node.y + far },
    { x: right, y: node.y + near },
  ];
  const path = `M${at({ x: right, y: node.y - near })}C${at({ x: left + 8, y: node.y - far })} ${at({
    x: left + 8,
    y: node.y + far,
  })} ${at(points[1])}`;
  return { ...line, points, path, x: line.x - (left - right) / 4 + 6, y: node.y };
}

const at = (point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
const between = (one, two) => ({ x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 });

function curve(points) {
  if (points.length < 3) return `M${points.map(at).join("L")}`;
  let path = `M${at(points[0])}L${at(between(points[0], points[1]))}`;
  for (let index = 1; index < points.length - 1; index += 1) {
    path += `Q${at(points[index])} ${at(between(points[index], points[index + 1]))}`;
  }
  return `${path}L${at(points[points.length - 1])}`;
}

function arrowHead(points) {
  const tip = points[points.length - 1];
  const before = points[points.length - 2] ?? tip;
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const back = { x: tip.x - dx * 10, y: tip.y - dy * 10 };
  const left = { x: back.x - dy * 5, y: back.y + dx * 5 };
  const right = { x: back.x + dy * 5, y: back.y - dx * 5 };
  return `M${at(tip)}L${at(left)}L${at(right)}Z`;
}
