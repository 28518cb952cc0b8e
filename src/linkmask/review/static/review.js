// Keys in the table, "choose all", numbers beside sliders. Listeners stand on the document, so that
// they outlive what is swapped in.
"use strict";
(() => {
  const boxes = () => [...document.querySelectorAll("#rows tbody input[type=checkbox]")];

  document.addEventListener("change", (event) => {
    if (event.target.id === "all") boxes().forEach((box) => { box.checked = event.target.checked; });
  });

  document.addEventListener("input", (event) => {
    if (event.target.type !== "range") return;
    document.getElementById(`${event.target.id}-now`).value = Number(event.target.value).toFixed(2);
  });

  document.addEventListener("selectionchange", () => {
    const chosen = document.getSelection();
    const at = chosen.anchorNode && chosen.anchorNode.parentElement;
    const missed = document.getElementById("missed");
    const words = chosen.toString().trim().replace(/\s+/g, " ");
    if (missed && words && at && at.closest(".before, .passage")) missed.value = words;
  });

  document.addEventListener("keydown", (event) => {
    const all = boxes();
    const at = all.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const button = { m: "do-mask", k: "do-keep", u: "do-undecided" }[event.key];
    if (step) {
      event.preventDefault();
      (all[at + step] || event.target).focus();
    } else if (button) {
      event.preventDefault();
      if (!all.some((box) => box.checked)) event.target.checked = true;
      const reason = document.getElementById("reason");
      if (button === "do-keep" && !reason.value) reason.focus();
      else document.getElementById(button).click();
    }
  });
})();
