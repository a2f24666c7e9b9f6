// Searches the index beside it. It is read when the search is first used; everything shown is set as text.
(function () {
  "use strict";
  const MOST = 12, AROUND = 60;
  const SMALL = new Set("a an and are can do does for how i in is it my of on or the to what with".split(" "));
  const box = document.querySelector(".find");
  const input = box.querySelector("input");
  const list = box.querySelector("ul");
  const said = box.querySelector("[role=status]");
  let hits = [], active = -1, asked = false;
  box.hidden = false;

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = "search-index.js";
    script.onload = search;
    script.onerror = () => { said.textContent = "The search index is not there."; };
    document.head.append(script);
  }

  // What is looked for: of a sentence not the words that stand everywhere.
  function asking(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const telling = words.filter((word) => !SMALL.has(word));
    return telling.length ? telling : words;
  }

  // 0 where a word is missing. What stands elsewhere on the page counts least.
  function score(entry, words) {
    const title = entry[0].toLowerCase(), name = entry[1].toLowerCase(), text = entry[4].toLowerCase(), more = entry[5];
    let sum = 0;
    for (const word of words) {
      if (title === word || name === word) sum += 40;
      else if (title.startsWith(word) || name.startsWith(word)) sum += 20;
      else if (title.includes(word) || name.includes(word)) sum += 10;
      else if (text.includes(word)) sum += 1;
      else if (more.includes(word)) sum += .1;
      else return 0;
    }
    return sum;
  }

  function excerpt(entry, words) {
    const lower = entry[4].toLowerCase();
    const at = words.map((word) => lower.indexOf(word)).find((place) => place >= 0);
    const start = Math.max(0, (at || 0) - AROUND);
    const end = start + 2 * AROUND;
    return (start ? "\u2026" : "") + entry[4].slice(start, end) + (end < entry[4].length ? "\u2026" : "");
  }

  function part(parent, name, text) {
    const made = document.createElement("span");
    made.className = name;
    made.textContent = text;
    parent.append(made);
  }

  function row(entry, number, words) {
    const item = document.createElement("li");
    item.id = "found-" + number;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.dir = "auto";
    part(item, "hit", entry[0]);
    part(item, "sort", entry[2]);
    if (entry[4]) part(item, "excerpt", excerpt(entry, words));
    item.addEventListener("mousedown", (event) => { event.preventDefault(); go(number); });
    return item;
  }

  function search() {
    const words = asking(input.value);
    const index = window.newelIndex || [];
    hits = !words.length ? [] : index.map((entry, at) => [score(entry, words), at])
      .filter((pair) => pair[0]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, MOST).map((pair) => index[pair[1]]);
    list.replaceChildren(...hits.map((entry, number) => row(entry, number, words)));
    said.textContent = !words.length || !window.newelIndex ? "" :
      hits.length ? hits.length + (hits.length === MOST ? " or more" : "") + " found" : "nothing found";
    open(words.length > 0 && Boolean(window.newelIndex));
    choose(hits.length ? 0 : -1);
  }

  function open(is) {
    list.hidden = !is || !hits.length;
    said.classList.toggle("seen", is && !hits.length);
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  function choose(number) {
    if (list.children[active]) list.children[active].setAttribute("aria-selected", "false");
    active = number;
    const item = list.children[active];
    if (!item) { input.removeAttribute("aria-activedescendant"); return; }
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", item.id);
  }

  function go(number) {
    if (!hits[number]) return;
    const href = hits[number][3];
    open(false);
    input.value = "";
    input.blur();
    location.href = href;
  }

  const KEYS = {
    ArrowDown: () => choose((active + 1) % hits.length),
    ArrowUp: () => choose((active + hits.length - 1) % hits.length),
    Enter: () => go(active),
    Escape: () => { if (list.hidden && !input.value) input.blur(); input.value = ""; search(); },
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", search);
  input.addEventListener("blur", () => open(false));
  input.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.isComposing || (event.key.startsWith("Arrow") && !hits.length)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(input|textarea|select)$/i.test(event.target.tagName) || event.target.isContentEditable) return;
    event.preventDefault();
    input.focus();
  });
})();
