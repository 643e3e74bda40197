"use strict";
// The list below a map is all that there is to know: a click shows what is in an item of it as the map.
for (const file of document.querySelectorAll(".file")) {
  const [map, nav, said] = [".map", "nav", ".said"].map((part) => file.querySelector(part));
  const root = file.querySelector(".tree > li");
  const line = (item) => item.querySelector("b").parentElement;
  const name = (item) => line(item).querySelector("b").textContent;
  const bytes = (item) => line(item).querySelector("data").textContent;
  const share = (item) => line(item).querySelector("span").textContent;
  const inside = (item) => [...item.querySelectorAll(":scope > details > ul > li")];
  const around = (item) => item.parentElement.closest("li");
  let shown = root;

  const place = (part, [left, top, width, height]) =>
    Object.assign(part.style, { left: left + "%", top: top + "%", width: width + "%", height: height + "%" });

  const tile = (item, at) => {
    const link = document.createElement("a");
    link.href = "#" + item.id;
    link.className = "c" + (at % 8) + (inside(item).length ? "" : " leaf");
    place(link, item === shown ? [0, 0, 100, 100] : item.dataset.at.split(" "));
    link.title = name(item) + ": " + bytes(item) + " bytes, " + share(item);
    const title = document.createElement("b");
    const size = document.createElement("span");
    title.textContent = name(item);
    size.textContent = bytes(item);
    size.dataset.bytes = line(item).querySelector("data").value;
    const parts = document.createElement("span");
    parts.className = "in";
    parts.setAttribute("aria-hidden", "true");
    for (const child of inside(item)) {
      const part = document.createElement("i");
      part.textContent = name(child);
      place(part, child.dataset.at.split(" "));
      parts.append(part);
    }
    link.append(title, " ", size, parts);
    return link;
  };

  const show = (item, focus) => {
    const tiles = inside(item);
    shown = item;
    map.replaceChildren(...(tiles.length ? tiles : [item]).map(tile));
    const path = [];
    for (let at = item; at; at = around(at)) path.unshift(at);
    nav.replaceChildren(
      ...path.map((at) => {
        const step = document.createElement("button");
        step.type = "button";
        step.textContent = name(at);
        if (at === item) step.setAttribute("aria-current", "location");
        step.addEventListener("click", () => go(at));
        return step;
      }),
    );
    said.textContent = name(item) + ": " + bytes(item) + " bytes, " + share(item) + " of the file";
    if (focus) map.querySelector("a").focus({ preventScroll: true });
  };

  const go = (item) => {
    if (item === shown) return;
    history.pushState(null, "", "#" + item.id);
    show(item, true);
  };

  map.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(document.getElementById(link.hash.slice(1)));
  });
  for (const part of [map, nav]) {
    part.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && shown !== root) go(around(shown));
    });
  }
  const follow = () => {
    const item = document.getElementById(location.hash.slice(1));
    show(item && root.contains(item) && item.matches("li") ? item : root, false);
  };
  addEventListener("popstate", follow);
  follow();
}
