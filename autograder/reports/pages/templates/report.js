"use strict";
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("num");
      const before = head.getAttribute("aria-sort");
      const down = before === "none" ? numbers : before === "ascending";
      heads.forEach((one) => one.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        const text = cell.dataset.value ?? cell.textContent.trim();
        return numbers ? (text === "" || isNaN(text) ? -Infinity : Number(text)) : text.toLocaleLowerCase();
      };
      const compare = new Intl.Collator(undefined, { numeric: true }).compare;
      const rows = [...body.rows].map((row, place) => [key(row), place, row]);
      rows.sort((a, b) => (numbers ? a[0] - b[0] : compare(a[0], b[0])) * (down ? -1 : 1) || a[1] - b[1]);
      body.append(...rows.map((row) => row[2]));
    });
  });
}
for (const field of document.querySelectorAll("input[type=search]")) {
  const table = document.getElementById(field.getAttribute("aria-controls"));
  const rows = [...table.tBodies[0].rows].map((row) => [row, row.textContent.toLocaleLowerCase()]);
  const says = document.getElementById(field.dataset.says);
  field.addEventListener("input", () => {
    const words = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    says.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}
for (const button of document.querySelectorAll("button.copy-it")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.getAttribute("aria-controls"));
    field.focus();
    field.select();
    let done;
    try {
      await navigator.clipboard.writeText(field.value);
      done = true;
    } catch {
      done = document.execCommand("copy");
    }
    document.getElementById("copied").textContent = done ? "Copied." : "Press Ctrl+C to copy.";
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
