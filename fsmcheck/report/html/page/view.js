// What part of the plane is seen: dragging, wheel with Ctrl, buttons and keys change it.
function makeView(canvas, plan) {
  let box = null;
  let press = null;
  let moved = false;

  const size = () => ({ width: canvas.clientWidth || 640, height: canvas.clientHeight || 480 });
  const apply = () =>
    canvas.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((n) => n.toFixed(1)).join(" "));

  function centred(scale, point) {
    const { width, height } = size();
    box = {
      x: point.x - width / scale / 2,
      y: point.y - height / scale / 2,
      width: width / scale,
      height: height / scale,
    };
    apply();
  }

  const whole = () => {
    const { width, height } = size();
    return Math.min(width / plan.width, height / plan.height, 1.5);
  };

  function fit() {
    centred(whole(), { x: plan.width / 2, y: plan.height / 2 });
  }

  // At first all of it, unless nobody could read that: then the beginning of it.
  function begin(start) {
    if (whole() >= 0.5) fit();
    else centred(0.7, { x: start.x, y: start.y + size().height / 0.7 / 2 - 90 });
  }

  function zoom(factor) {
    const scale = Math.min(3, Math.max(whole() * 0.8, (size().width / box.width) * factor));
    centred(scale, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  function show(point) {
    if (box === null) return;
    if (size().width / box.width < 0.45) {
      centred(0.8, point);
      return;
    }
    const inside = (value, start, length) => value > start + length * 0.08 && value < start + length * 0.92;
    if (inside(point.x, box.x, box.width) && inside(point.y, box.y, box.height)) return;
    centred(size().width / box.width, point);
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    press = { x: event.clientX, y: event.clientY, from: { ...box } };
    moved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (press === null) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!moved && Math.hypot(dx, dy) < 5) return;
    if (!moved) canvas.setPointerCapture(event.pointerId);
    moved = true;
    const scale = size().width / box.width;
    box = { ...box, x: press.from.x - dx / scale, y: press.from.y - dy / scale };
    apply();
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    canvas.addEventListener(name, () => {
      press = null;
    });
  }
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 0.87);
    },
    { passive: false },
  );
  return { fit, begin, zoom, show, dragged: () => moved };
}
