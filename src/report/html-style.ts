/** The style sheet of the pages: one column, tabular figures, two inks and four tones, light and dark, printable. */
export const STYLE_SHEET = `
:root { color-scheme: light dark;
  --paper: #fdfdfb; --raised: #ffffff; --ink: #1d2329; --soft: #5c6670; --rule: #dfe3e6; --faint: #eef0f2;
  --good: #1a7046; --bad: #b3261e; --doubt: #8a5a00; --good-bg: #e8f4ed; --bad-bg: #fbeae8; --doubt-bg: #fbf1dd;
  --c0: #0b64a8; --c1: #c2500a; --c2: #14805e; --c3: #8a3f94; --c4: #7a6a00; --c5: #b02a5b; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181c; --raised: #1a1f24; --ink: #e4e8eb; --soft: #9aa5ae; --rule: #313a42; --faint: #222930;
  --good: #6fcf97; --bad: #ff8a80; --doubt: #f0bd5e; --good-bg: #15291e; --bad-bg: #331b19; --doubt-bg: #2f2510;
  --c0: #6ab3f0; --c1: #f49a5b; --c2: #5cc9a3; --c3: #cf93d8; --c4: #d4c24a; --c5: #f283aa; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header h1 { font-size: 1.6rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; margin: 0; }
header p { margin: 0.25rem 0 1.5rem; color: var(--soft); font-size: 0.9rem; }
h2 { font-size: 1.1rem; font-weight: 650; margin: 2.75rem 0 0.75rem; }
h3 { font-size: 1rem; font-weight: 650; margin: 1.25rem 0 0.4rem; }
p { margin: 0 0 0.5rem; max-width: 44rem; }
.banner { border-left: 5px solid var(--soft); background: var(--faint); padding: 1rem 1.25rem; border-radius: 3px; }
.banner p { margin: 0; } .banner .decision { font-size: 1.45rem; font-weight: 700; line-height: 1.3; letter-spacing: 0.01em; }
.banner .cause { margin-top: 0.4rem; }
.banner.good { border-color: var(--good); background: var(--good-bg); } .banner.good .decision { color: var(--good); }
.banner.bad { border-color: var(--bad); background: var(--bad-bg); } .banner.bad .decision { color: var(--bad); }
.banner.doubt { border-color: var(--doubt); background: var(--doubt-bg); } .banner.doubt .decision { color: var(--doubt); }
.tiles { display: flex; flex-wrap: wrap; gap: 1px; margin: 1.25rem 0 0;
  background: var(--rule); border: 1px solid var(--rule); border-radius: 3px; overflow: hidden; }
.tiles div { flex: 1 1 8.5rem; background: var(--raised); padding: 0.7rem 0.9rem; }
.tiles dt { color: var(--soft); font-size: 0.8rem; } .tiles dd { margin: 0; font-size: 1.15rem; font-weight: 600; line-height: 1.35; }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 3px; font-size: 0.82rem; font-weight: 600;
  background: var(--faint); color: var(--soft); white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-bg); } .badge.bad { color: var(--bad); background: var(--bad-bg); }
.badge.doubt { color: var(--doubt); background: var(--doubt-bg); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.86rem; line-height: 1.4; }
caption { text-align: left; color: var(--soft); font-size: 0.82rem; padding-bottom: 0.4rem; caption-side: bottom; padding-top: 0.5rem; }
caption span { display: inline-block; position: sticky; left: 0; max-width: min(100%, calc(100vw - 2rem)); }
th { font-weight: 600; color: var(--soft); font-size: 0.8rem; vertical-align: bottom; white-space: nowrap; }
th, td { padding: 0.32rem 0.42rem; text-align: right; border-bottom: 1px solid var(--faint); }
thead tr:last-child th { border-bottom: 1px solid var(--rule); } thead td { border: 0; }
th.group { text-align: center; color: var(--ink); border-bottom: 1px solid var(--rule); }
th.group span { display: inline-block; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.left { text-align: left; } td.left { overflow-wrap: anywhere; min-width: 6.6rem; } td:not(.left) { white-space: nowrap; }
figure { margin: 0 0 1.5rem; } figcaption { font-weight: 600; font-size: 0.95rem; margin-bottom: 0.25rem; }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
svg text { fill: var(--soft); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; } svg .label { font-size: 12px; } svg .name { font-weight: 600; }
.grid { stroke: var(--faint); } .axis { stroke: var(--soft); } .band { fill: var(--doubt); opacity: 0.1; }
.limit { stroke: var(--ink); stroke-dasharray: 6 4; opacity: 0.55; } .mark { stroke: var(--soft); stroke-dasharray: 2 3; }
svg .limit-name { font-weight: 400; fill: var(--ink); }
.line { fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linejoin: round; } .dot { fill: currentColor; } .dot.refused { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
figure .note { color: var(--soft); font-size: 0.82rem; margin: 0.2rem 0 0; }
.line.model { stroke-width: 1.25; stroke-dasharray: 1 4; stroke-linecap: round; } svg .name.model { font-weight: 400; fill: var(--soft); }
.line.earlier { stroke-width: 1.5; opacity: 0.5; } .dot.earlier { opacity: 0.5; } svg .name.earlier { font-weight: 400; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); }
svg .name:not(.limit-name) { fill: currentColor; } svg .name.model { fill: var(--soft); }
section > dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.3rem 1.25rem; margin: 0; }
section > dl dt { color: var(--soft); } section > dl dd { margin: 0; max-width: 44rem; overflow-wrap: anywhere; }
ul { margin: 0.25rem 0; padding-left: 1.2rem; } li { margin: 0.2rem 0; max-width: 44rem; }
.finding { border-left: 2px solid var(--rule); padding-left: 1rem; margin-bottom: 1.25rem; } .finding h3 { margin-top: 0; }
.finding .kind { color: var(--soft); font-size: 0.85rem; } .finding strong { font-weight: 600; color: var(--soft); font-size: 0.85rem; }
svg.narrow, .legend { display: none; } .line.trace { stroke-width: 1.5; } svg .name.trace { font-weight: 600; }
.interval { fill: var(--c0); opacity: 0.08; } .bar { stroke: currentColor; stroke-width: 1.25; opacity: 0.7; }
.legend { list-style: none; padding: 0; margin: 0.25rem 0 0; font-size: 0.8rem; gap: 0.1rem 1rem; flex-wrap: wrap; }
.legend li { margin: 0; } .legend li::before { content: ""; display: inline-block; width: 1.1rem; margin-right: 0.35rem; vertical-align: 0.25em;
  border-top: 2px solid currentColor; } .legend .model::before { border-top-style: dotted; } .legend .limit-name::before { border-top-style: dashed; }
.legend .earlier::before { opacity: 0.5; } .legend .model { color: var(--soft); }
details { margin: 0.4rem 0; } summary { cursor: pointer; color: var(--soft); font-size: 0.85rem; padding: 0.3rem 0; } details .scroll { max-height: 24rem; }
pre { overflow: auto; max-height: 20rem; font-size: 0.75rem; background: var(--faint); padding: 0.6rem; border-radius: 3px; }
th button { all: unset; cursor: pointer; } th[aria-sort]::after { content: " ↑"; } th[aria-sort=descending]::after { content: " ↓"; }
.copy { font: inherit; font-size: 0.85rem; padding: 0.3rem 0.8rem; border: 1px solid var(--rule); border-radius: 3px; background: var(--raised); color: var(--ink); cursor: pointer; }
a { color: var(--c0); } a.point { font-size: 0.85rem; white-space: nowrap; } span[id^=at-] { scroll-margin-top: 3rem; }
a:focus-visible, button:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--c0); outline-offset: 2px; }
@media screen and (max-width: 40rem) { svg.wide { display: none; } svg.narrow { display: block; } .legend { display: flex; }
  main { padding: 1.25rem 0.95rem 3rem; } td { vertical-align: top; } td.left { min-width: 9.5rem; } summary { padding: 0.6rem 0; } th button { padding: 0.4rem 0; } }
@media (max-width: 40rem) { section > dl { grid-template-columns: 1fr; gap: 0; } section > dl dd { margin-bottom: 0.5rem; } }
@media screen and (min-width: 150rem) { :root { font-size: 125%; } }
@media screen and (min-width: 230rem) { :root { font-size: 175%; } }
@media print { :root { --paper: #fff; } body { font-size: 10pt; } main { max-width: none; padding: 0; }
  .scroll { overflow: visible; } table { font-size: 7.5pt; } th, td { padding: 0.15rem 0.25rem; }
  h2 { break-after: avoid; } figure, .finding, tr, .banner { break-inside: avoid; } details, .copy { display: none; } }
`;
