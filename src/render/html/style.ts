/** The style of the page: light and dark, narrow and wide, on paper. Gains are green, losses are blue, and only danger is red. */
export const STYLE = `
:root { color-scheme: light dark;
  --page: #f5f6f8; --back: #fff; --front: #1c2128; --faint: #57606a; --line: #d5dae1; --tint: #eceff3;
  --add: #116329; --add-back: #e3f5e8; --less: #3d4db3; --less-back: #e8ebfb; --turn: #7a4a00; --turn-back: #fff3d6;
  --danger: #b3141f; --danger-back: #fdeaea; --on-danger: #fff; --accent: #0550ae; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0d1117; --back: #161b22; --front: #e6edf3; --faint: #a3adb8; --line: #343b45; --tint: #232a33;
  --add: #6fdd8b; --add-back: #14331f; --less: #a9b6ff; --less-back: #232a52; --turn: #f0c674; --turn-back: #3a2d0c;
  --danger: #ff9d9d; --danger-back: #451a1e; --on-danger: #2b0508; --accent: #79c0ff; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--page); color: var(--front); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
body { margin: 0 auto; padding: 0 clamp(.75rem, 3vw, 2.5rem) 4rem; max-width: 104rem; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
h1 { font-size: 1.7rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; }
h3 { font-size: 1.05rem; }
h4 { font-size: 1rem; }
h1 .n { font: inherit; }
p { margin: 0; }
ul { margin: 0; padding: 0; list-style: none; }
dl, dd { margin: 0; min-width: 0; }
small { font-size: .87em; }
a { color: var(--accent); }
summary { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.n, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92em; }
.about, .meta, .legend, .left, .note, .place, dt, summary small, h2 small, h3 small, h4 small { color: var(--faint); font-weight: normal; }

header { padding-top: 1.75rem; }
.kind { color: var(--faint); font-weight: 600; font-size: .82rem; letter-spacing: .06em; text-transform: uppercase; }
search { position: sticky; top: 0; z-index: 6; display: block; background: var(--page); }
search label { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; color: var(--faint); }
search form { padding: .6rem 0; display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; }
input { font: inherit; color: var(--front); background: var(--back); border: 1px solid var(--faint); border-radius: 6px; padding: .3rem .6rem;
  width: 20rem; max-width: 100%; }
article + article { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.meta { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.notice { margin-top: .75rem; padding: .5rem .75rem; border: 1px solid var(--turn); border-radius: 6px; background: var(--turn-back); }
.lead { margin: .9rem 0; font-size: 1.15rem; line-height: 1.4; }
.alert { font-size: 1.3rem; font-weight: 600; margin-bottom: .15rem; }
.links ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.links a { text-decoration: none; padding: .15rem 0; display: inline-block; }
.links a:hover { text-decoration: underline; }
.contents li { padding: .2rem 0; }

section { margin: 1.9rem 0; scroll-margin-top: 4rem; }
section > h2, section > h3 { margin-bottom: .6rem; }
summary h2, summary h3 { display: inline-block; }
.fold[open] > summary { margin-bottom: .6rem; }
.panel, .scroll { background: var(--back); border: 1px solid var(--line); border-radius: 8px; }
.row { padding: .45rem .8rem; border-bottom: 1px solid var(--line); }
.many ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
.row .about .v { color: var(--front); }
.panel > .box:last-child > ul > .row:last-child, .panel > .box:last-child > .row:last-child { border-bottom: 0; }
.lazy { content-visibility: auto; contain-intrinsic-size: auto 100rem auto 60rem; }

.action { display: inline-block; border: 1px solid; border-radius: 4px; padding: 0 .4rem; font-size: .8rem; font-weight: 600; line-height: 1.35rem; white-space: nowrap; }
.action.create { color: var(--add); }
.action.update { color: var(--turn); }
.action.delete, .action.replace { color: var(--danger); background: var(--danger-back); }
.action.none { color: var(--faint); }
.who { font-weight: 600; min-width: 0; }
.who .n { font-size: 1em; }
.who li, .who small { font-weight: normal; }
.names ul { max-height: 20rem; overflow: auto; margin: .2rem 0 .2rem 1rem; }
.mark { display: inline-block; border: 1px solid var(--danger); border-radius: 4px; padding: 0 .35rem; color: var(--danger);
  font: 600 .8rem/1.3 system-ui, sans-serif; white-space: nowrap; }
.alert .mark, .gains .mark, .unknown .mark { background: var(--danger); color: var(--on-danger); }
.alert .mark { font-size: 1rem; }
.loses .mark, .keeps .mark { border-color: var(--faint); color: var(--front); }
.danger { color: var(--danger); font-weight: 600; }
.loses .danger, .keeps .danger { color: inherit; font-weight: inherit; }

.card { background: var(--back); border: 1px solid var(--line); border-radius: 8px; padding: .65rem .85rem; margin-bottom: .5rem; min-width: 0; }
.head { display: flex; flex-wrap: wrap; gap: .15rem .55rem; align-items: baseline; align-content: start; }
.card .head .about { flex-basis: 100%; font-size: .9em; }
.card dl { margin-top: .4rem; }
.card dl > div { display: grid; grid-template-columns: 5.6rem minmax(0, 1fr); gap: 0 .5rem; padding: .25rem 0; }
.card dt { font-size: .88rem; line-height: 1.4rem; }
.card dd { font-size: .93rem; }
.card dd p + p { margin-top: .15rem; }
.card dd b { font-weight: 600; color: var(--faint); }
.gains dt { color: var(--add); font-weight: 600; }
.gains dt::before { content: "+ "; }
.loses dt { color: var(--less); font-weight: 600; }
.loses dt::before { content: "− "; }
.changes dt, .unknown dt { color: var(--turn); font-weight: 600; }

.object > .head { padding-left: 1rem; }
.object .about { margin-left: .3rem; }
.object dl, .object > .note { margin: .35rem 0 .1rem 1.2rem; }
.object dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .05rem 0; }
.object dt { min-width: 13rem; }
.finding { border: 1px solid var(--turn); border-radius: 8px; background: var(--turn-back); padding: .6rem .85rem; margin: .5rem 0; }
.finding.error { border-color: var(--danger); background: var(--danger-back); }
.says { font-weight: 600; }
.place { font-size: .88em; color: var(--front); }
.line { white-space: pre-wrap; }

.severity { margin: 1rem 0 1.4rem; }
.severity > h3, .severity > h4 { margin-bottom: .3rem; text-transform: capitalize; }
.severity.high > h3, .severity.high > h4 { color: var(--danger); }
.severity.medium > h3, .severity.medium > h4 { color: var(--turn); }
.topic { margin: .5rem 0 .9rem; }
.topic > summary { margin-bottom: .35rem; font-weight: 600; }
.reported { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr) minmax(0, 1fr); gap: .1rem 1.5rem; }
.reported p:last-child { color: var(--faint); }

.matrix { margin-top: .9rem; }
.matrix > summary { display: inline-block; background: var(--back); border: 1px solid var(--faint); border-radius: 6px; padding: .3rem .8rem; font-weight: 600; }
.matrix > summary::before { content: "▸ "; }
.matrix[open] > summary::before { content: "▾ "; }
.group { margin: .6rem 0; }
.group > summary { font-weight: 600; padding: .2rem 0; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .7rem 0; }
.key { display: inline-block; min-width: 1.6em; text-align: center; border-radius: 3px; }
.scroll { position: relative; overflow: auto; max-height: 85vh; width: fit-content; max-width: 100%; }
.scroll .box { width: max-content; min-width: 100%; }
table { border-collapse: separate; border-spacing: 0; }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: .35rem .8rem; border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; }
thead th { position: sticky; top: 0; z-index: 2; background: var(--tint); vertical-align: bottom; font-weight: 600; border-bottom: 1px solid var(--line) !important; }
.matrix table { table-layout: fixed; width: 1px; }
.matrix col { width: 2rem; }
.matrix col.who { width: 16rem; }
.matrix tbody th { position: sticky; left: 0; z-index: 1; background: var(--back); border-right: 1px solid var(--line); font-weight: normal; }
.matrix thead th:first-child { z-index: 3; background: var(--tint); font-weight: 600; }
.matrix .who { font-weight: inherit; }
.matrix thead th div { writing-mode: vertical-rl; transform: rotate(180deg); line-height: 1.2; font-weight: normal; font-size: .85rem; white-space: nowrap; }
.matrix thead th:not(:first-child) { padding: .5rem .35rem; }
.matrix thead th.danger { color: var(--danger); }
.matrix thead th.danger div { font-weight: 600; }
.matrix thead th span { display: inline-block; transform: rotate(90deg); }
.matrix td { padding: .35rem 0; text-align: center; border-left: 1px solid var(--tint); }
.g, .d, .gx, .dx { background: var(--add-back); color: var(--add); font-weight: 700; }
.l, .lx { background: var(--less-back); color: var(--less); font-weight: 700; }
.u, .ux { background: var(--turn-back); color: var(--turn); font-weight: 700; }
td.gx, td.dx, td.ux { background: var(--danger); color: var(--on-danger); }
.sticky { position: sticky; top: 0; z-index: 4; }
.sticky thead th:not(:first-child) { position: static; }
.long .box thead th { padding: 0 !important; border: 0 !important; height: 0; line-height: 0; font-size: 0; }
.long .box thead th div, .long .box thead th span { font-size: 0; max-height: 0; overflow: hidden; }

.quota { display: grid; grid-template-columns: minmax(0, 14rem) minmax(0, 15rem) minmax(6rem, 1fr) minmax(0, 22rem); gap: .2rem 1.2rem; align-items: center; }
.amounts { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.bar { display: block; width: 100%; height: .8rem; border-radius: 3px; }
.limit { fill: var(--tint); }
.bar.open { border: 1px dashed var(--faint); }
.before { fill: var(--front); }
.used { fill: var(--accent); }
.over { fill: var(--danger); }
@media (min-width: 62.01rem) {
  .card { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 1.5rem; }
  .card .head .who { flex-basis: 100%; }
  .card dl { grid-column: 2; margin: 0; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .3rem 1.5rem; }
  .card dl > div { display: block; padding: 0; }
  .gains, .changes, .unknown { grid-column: 1; }
  .loses { grid-column: 2; }
  .keeps { grid-column: 3; }
  .card dl:not(:has(.loses, .keeps)) > div, .card dl > .has { grid-column: 1 / -1; }
  .card:has(.facts) { grid-template-columns: 17rem minmax(0, 3fr) minmax(0, 2fr); }
  .card .facts { grid-column: 3; display: block; }
  .card .facts > div { display: grid; padding: 0; }
}
@media (max-width: 62rem) {
  .quota { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .reported { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  h1 { font-size: 1.4rem; }
  .alert { font-size: 1.15rem; }
  .lead { font-size: 1.05rem; }
  .object dt { min-width: 0; }
  .quota { grid-template-columns: minmax(0, 1fr); }
  .amounts { justify-content: space-between; }
  .matrix col.who { width: 8.5rem; }
  .card dl > div { grid-template-columns: 4.6rem minmax(0, 1fr); }
}
@media print {
  :root { color-scheme: light; --page: #fff; --back: #fff; --front: #000; --faint: #444; --line: #bbb; --tint: #eee;
    --add: #064; --add-back: #e4f7e8; --less: #22338f; --less-back: #e8ebfb; --turn: #640; --turn-back: #fdf3d8; --danger: #900; --danger-back: #fde8e8; --on-danger: #fff; }
  @page { margin: 12mm; }
  html { font-size: 10px; print-color-adjust: exact; }
  body { padding: 0; max-width: none; }
  search, nav, .sticky { display: none; }
  .lazy { content-visibility: visible; }
  .scroll, .names ul { overflow: visible; max-height: none; border: 0; }
  .scroll .box { width: auto; }
  .matrix col { width: auto; }
  .matrix table { width: 100%; }
  .matrix col.who { width: 14%; }
  .matrix thead th div, .long .box thead th div, .long .box thead th span { font-size: 7px; max-height: none; }
  .long .box thead th { padding: .2rem !important; height: auto; line-height: 1.15; font-size: 8px; }
  thead th, .matrix tbody th { position: static; }
  h2, h3, h4, summary { break-after: avoid; }
  tr, .object, .finding, .card, .quota { break-inside: avoid; }
  .matrix:not([open]) { display: none; }
  details:not(.matrix)::details-content { content-visibility: visible; display: block; height: auto; }
}
`;
