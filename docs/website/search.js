// Finds the sections that hold every word typed, by beginning of word; headings count most.
"use strict";
const MOST = 12;
const box = document.getElementById("search");
const list = document.getElementById("found");

function wordsOf(text) {
  return text.toLowerCase().normalize("NFKD").match(/[\p{L}\p{N}]+/gu) || [];
}

const sections = sectionsOfSite.map((one) => ({
  ...one,
  head: wordsOf(`${one.page} ${one.heading}`),
  words: wordsOf(one.text),
}));

function score(section, asked) {
  let sum = 0;
  for (const word of asked) {
    const inHead = section.head.filter((one) => one.startsWith(word)).length;
    const inText = section.words.filter((one) => one.startsWith(word)).length;
    if (!inHead && !inText) return 0;
    sum += 10 * inHead + Math.min(inText, 5);
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(text.toLowerCase().indexOf(word) - 60, 0);
  return (at ? "…" : "") + text.slice(at, at + 160);
}

function show() {
  const asked = wordsOf(box.value);
  const found = asked.length
    ? sections.map((one) => [score(one, asked), one]).filter(([points]) => points > 0)
    : [];
  found.sort(([a], [b]) => b - a);
  list.replaceChildren(...found.slice(0, MOST).map(([, one]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const about = document.createElement("small");
    link.href = root + one.address;
    link.textContent = one.heading === one.page ? one.page : `${one.page}: ${one.heading}`;
    about.textContent = excerpt(one.text, asked[0]);
    item.append(link, about);
    return item;
  }));
  if (asked.length && !found.length) {
    const item = document.createElement("li");
    item.textContent = "Nothing found.";
    list.append(item);
  }
}

box.addEventListener("input", show);
box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = list.querySelector("a");
  if (first) location.href = first.href;
});
