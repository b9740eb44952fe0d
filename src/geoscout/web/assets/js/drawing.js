// Draw a box on the map with the pointer; works with a finger too.

/** Let the user draw once; `done` gets the bounds, or null when nothing was drawn. */
export function drawBox(map, done) {
  const element = map.getContainer();
  let start = null;
  let box = null;

  const place = (event) => {
    const frame = element.getBoundingClientRect();
    return map.containerPointToLatLng([event.clientX - frame.left, event.clientY - frame.top]);
  };
  const down = (event) => {
    event.preventDefault();
    event.stopPropagation();
    element.setPointerCapture?.(event.pointerId);
    start = place(event);
    box = L.rectangle([start, start], { className: "drawn", weight: 2, pane: "overlayPane", interactive: false }).addTo(map);
  };
  const move = (event) => {
    if (start) box.setBounds(L.latLngBounds(start, place(event)));
  };
  const finish = (bounds) => {
    element.removeEventListener("pointerdown", down, true);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    document.removeEventListener("keydown", escape);
    element.classList.remove("drawing");
    map.dragging.enable();
    box?.remove();
    done(bounds);
  };
  const up = () => {
    if (!start) return;
    const bounds = box.getBounds();
    const isPoint = bounds.getNorth() === bounds.getSouth() || bounds.getEast() === bounds.getWest();
    finish(isPoint ? null : bounds);
  };
  const escape = (event) => event.key === "Escape" && finish(null);

  map.dragging.disable();
  element.classList.add("drawing");
  element.addEventListener("pointerdown", down, true);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  document.addEventListener("keydown", escape);
}
