// Elements are made one by one and text is only ever text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

function dress(node, traits) {
  for (const [name, value] of Object.entries(traits)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (name === "class") {
      node.setAttribute("class", value);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  return node;
}

function fill(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

function el(tag, traits, ...children) {
  return fill(dress(document.createElement(tag), traits ?? {}), children);
}

function drawn(tag, traits, ...children) {
  return fill(dress(document.createElementNS(SVG, tag), traits ?? {}), children);
}

function button(label, act, traits, ...children) {
  return el("button", { type: "button", ...traits, on: { click: act } }, children.length ? children : label);
}

function link(label, hash, traits) {
  return el("a", { href: hash, ...traits }, label);
}

function byId(id) {
  return document.getElementById(id);
}

// A box that scrolls sideways has to be reachable by keyboard.
function scrolling(label, ...children) {
  return el("div", { class: "scrolling", role: "region", "aria-label": label, tabindex: 0 }, children);
}

function table(caption, heads, rows, traits) {
  return el(
    "table",
    traits ?? {},
    el("caption", { class: "unseen" }, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((head) => el("th", { scope: "col" }, head)),
      ),
    ),
    el("tbody", {}, rows),
  );
}

function section(id, title, ...children) {
  return el(
    "section",
    { id, class: "card", "aria-labelledby": `${id}-title` },
    el("h3", { id: `${id}-title`, tabindex: -1 }, title),
    children,
  );
}

function announce(text) {
  byId("live").textContent = text;
}

// Scrolls smoothly only for those who have not asked for less motion: see the style sheet.
function goTo(id) {
  const target = byId(id);
  if (target === null) return;
  for (let shut = target.closest("details:not([open])"); shut !== null; shut = target.closest("details:not([open])")) {
    shut.open = true;
  }
  target.scrollIntoView({ block: "start" });
  const title = byId(`${id}-title`) ?? target;
  title.focus({ preventScroll: true });
}
