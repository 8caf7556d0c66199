/** What the dashboard's own pages need beyond the style of the report. */
export const DASHBOARD_STYLE = `
nav { max-width: 66rem; margin: 0 auto; padding: 1rem 1.5rem 0; font-size: 0.9rem; }
nav a, td a { color: var(--c0); } nav a + a { margin-left: 1rem; }
main.wide, nav:has(+ main.wide) { max-width: 90rem; }
@media screen and (max-width: 40rem) { nav { padding: 1rem 0.95rem 0; } }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--c0); outline-offset: 2px; }
button { font: inherit; font-weight: 600; padding: 0.45rem 1rem; border-radius: 3px; border: 1px solid var(--rule);
  background: var(--raised); color: var(--ink); cursor: pointer; }
form .actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin: 0; padding: 0.75rem 0;
  position: sticky; bottom: 0; background: var(--paper); border-top: 1px solid var(--rule); }
form td a { display: inline-block; max-width: 28rem; } form td small { display: block; color: var(--soft); }
form td.left { min-width: 8rem; }
@media screen and (max-width: 40rem) { form td.left { min-width: 6.5rem; } form .badge { white-space: normal; overflow-wrap: normal; } }
input[type=radio] { width: 1.15rem; height: 1.15rem; margin: 0; }
.tiles dd small { font-size: 0.8rem; font-weight: 400; color: var(--soft); }
.meter { height: 6px; background: var(--faint); border-radius: 3px; overflow: hidden; margin: 0.5rem 0 0; }
.meter div { height: 100%; background: var(--c0); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); gap: 1rem 2rem; margin-top: 1.5rem; }
.line.trace { stroke-width: 1.75; } svg .name.trace { font-weight: 600; }
@media (prefers-reduced-motion: no-preference) { .meter div { transition: width 0.4s linear; } }
`;
