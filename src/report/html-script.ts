/**
 * The only script of a page: headings of sortable tables become buttons, and what can be copied gets a button that
 * copies it. Without it everything stays readable. It is kept to the letter, as its hash admits it.
 */
export const PAGE_SCRIPT = `
'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    const valueOf = (row) => {
      const text = row.cells[column].textContent.trim();
      return /^[-−]?[.\\d]+[!?%]*$/.test(text) ? parseFloat(text.replace('−', '-')) : text;
    };
    const order = (a, b) => {
      if (typeof a === typeof b) return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', { numeric: true });
      return typeof a === 'number' ? -1 : 1;
    };
    button.addEventListener('click', () => {
      const sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', sign === 1 ? 'ascending' : 'descending');
      const rows = [...body.rows].sort((a, b) => sign * order(valueOf(a), valueOf(b)));
      body.append(...rows);
    });
  });
}
for (const button of document.querySelectorAll('button.copy')) {
  const source = document.getElementById(button.dataset.from);
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected: copy with the keyboard';
    }
  });
}
`;

/** For `script-src` of a content security policy: the SHA-256 of the script's text. */
export const PAGE_SCRIPT_HASH = 'sha256-uPhot3b/eSfhb/58pNkAQemqiujg1eVg2zqiRK7s5e8=';
