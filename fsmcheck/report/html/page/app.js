// Reads the report, and shows what the address names: #SPEC, #SPEC/STATE, #SPEC/STATE/TRANSITION, and with an empty
// second part #SPEC//finding/N, #SPEC//run/N/STEP and #SPEC//field/NAME.

const report = JSON.parse(byId("report").textContent);
let shown = null;
let page = null;

function decoded(hash) {
  try {
    return hash.replace(/^#/, "").split("/").map(decodeURIComponent);
  } catch {
    return [""];
  }
}

function targetOf(spec, [name, kind, ...rest]) {
  const number = Number(rest[0]);
  if (name === undefined) return { kind: "machine" };
  if (name === "") {
    const whole = Number.isInteger(number) && spec.findings[number] !== undefined;
    if (kind === "finding" && whole) return { kind, value: number };
    if (kind === "run" && whole && spec.findings[number].run !== null)
      return { kind, value: number, frame: Math.max(0, Math.trunc(Number(rest[1])) || 0) };
    if (kind === "field" && spec.machine !== null && rest[0] !== undefined) return { kind, value: rest[0] };
    return { kind: "machine" };
  }
  if (spec.machine === null) return { kind: "machine" };
  const state = spec.machine.states.findIndex((each) => each.name === name);
  if (state < 0) return { kind: "machine" };
  if (kind === undefined) return { kind: "state", value: state };
  const transition = spec.machine.transitions.findIndex((each) => each.source === state && String(each.index) === kind);
  return transition < 0 ? { kind: "state", value: state } : { kind: "transition", value: transition };
}

function show(toTop) {
  const [key, ...rest] = decoded(location.hash);
  const spec =
    report.specs.find((each) => each.key === key) ?? (report.specs.length === 1 && key === "" ? report.specs[0] : null);
  const main = byId("main");
  const fresh = page === null || spec !== shown;
  if (fresh) {
    shown = spec;
    page = spec === null ? { node: makeOverview() } : makeSpecPage(spec, navigate);
    main.replaceChildren(page.node);
    document.title = spec === null ? "fsmcheck report" : `${titleOf(spec)} (${spec.profile}) · fsmcheck report`;
    page.mounted?.();
    if (toTop) scrollTo(0, 0);
  }
  if (spec !== null) page.select(targetOf(spec, rest));
  if (fresh && toTop && rest.length === 0) byId("spec-title").focus({ preventScroll: true });
}

// ``quietly`` keeps a step of a run from becoming an entry in the history.
function navigate(hash, quietly, toStage) {
  if (quietly) history.replaceState(null, "", hash);
  else if (location.hash !== hash) history.pushState(null, "", hash);
  show(true);
  if (toStage && page.graph) {
    byId("stage").scrollIntoView({ block: "start" });
    (document.querySelector(".canvas .selected") ?? byId("side")).focus({ preventScroll: true });
  } else if (toStage && shown !== null && !document.activeElement?.id.startsWith("finding")) byId("side")?.focus();
}

// Findings and runs move into view of their own accord; what is told of a state is up beside the picture.
function goesByItself(anchor) {
  return /^#[^/]*(\/\/(finding|run)\/|$)/.test(anchor.getAttribute("href"));
}

function typing(event) {
  return (
    event.target instanceof Element &&
    event.target.closest("input, select, textarea, .canvas, .scrolling, pre") !== null
  );
}

function start() {
  const search = makeSearch(() => shown, navigate);
  byId("top").replaceChildren(el("h1", { class: "brand" }, link("fsmcheck report", "#")), search.node);
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (anchor === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const to = anchor.getAttribute("data-to");
    if (to !== null) byId(to).focus();
    else
      navigate(
        anchor.getAttribute("href"),
        false,
        shown !== null && anchor.closest("section") !== null && !goesByItself(anchor),
      );
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      search.input.focus();
      search.input.select();
      return;
    }
    const stepper = page?.stepper?.();
    if (!stepper) return;
    if (event.key === "Escape") document.querySelector(".stepper .close").click();
    else if (typing(event)) return;
    else if (event.key === "ArrowRight") stepper.move.next();
    else if (event.key === "ArrowLeft") stepper.move.back();
    else if (event.key === "Home") stepper.move.first();
    else if (event.key === "End") stepper.move.last();
    else return;
    event.preventDefault();
  });
  addEventListener("popstate", () => show(false));
  addEventListener("hashchange", () => show(false));
  addEventListener("beforeprint", () => {
    page?.graph?.view.fit();
    for (const each of document.querySelectorAll("main details:not(.aside)")) each.open = true;
  });
  show(false);
}

start();
