/** The style of the page: light and dark, narrow and wide, on paper. */
export const STYLE = `
:root { color-scheme: light dark;
  --back: #fff; --front: #1b1f24; --faint: #57606a; --line: #d0d7de; --tint: #f4f6f8;
  --add: #116329; --add-back: #dafbe1; --drop: #a40e26; --drop-back: #ffe5e7; --turn: #7d4e00; --turn-back: #fff4ce;
  --danger: #a40e26; --danger-back: #ffc9cd; --accent: #0550ae; }
@media (prefers-color-scheme: dark) { :root {
  --back: #0d1117; --front: #e6edf3; --faint: #9da7b3; --line: #30363d; --tint: #161b22;
  --add: #6fdd8b; --add-back: #10331c; --drop: #ff9b9b; --drop-back: #431418; --turn: #f0c674; --turn-back: #3b2e0b;
  --danger: #ffb3b3; --danger-back: #6b1a20; --accent: #79c0ff; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--back); color: var(--front); font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 0 1rem 4rem; max-width: 110rem; overflow-wrap: anywhere; }
header { position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline;
  padding: .5rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
h1, h2, h3 { line-height: 1.25; margin: 0; }
h1 { font-size: 1.3rem; max-height: 2.5em; overflow: hidden; }
h2 { font-size: 1.15rem; }
h3 { font-size: 1.05rem; }
article { padding-top: 1rem; }
section { margin: 1.5rem 0; scroll-margin-top: 4rem; }
section h2, section h3 { margin-bottom: .4rem; }
h2 small, h3 small { color: var(--faint); font-weight: normal; }
summary h2, summary h3 { display: inline-block; }
p { margin: .25rem 0; }
ul { margin: 0; padding-left: 1.2rem; }
small { font-size: .85em; }
.n { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
.about, .target, .legend, .left, .note, dt { color: var(--faint); }
.mark, .alert { color: var(--danger); }
.summary { font-size: 1.05rem; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--faint); border-radius: 4px; padding: .2rem .5rem;
  width: 16rem; max-width: 100%; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.symbol { display: inline-block; min-width: 1.6em; font: 700 .92em ui-monospace, "DejaVu Sans Mono", monospace; }
.create .symbol, .symbol.create, .grants { color: var(--add); }
.delete .symbol, .symbol.delete, .replace .symbol, .symbol.replace { color: var(--drop); }
.update .symbol, .symbol.update, .changes, .unknown { color: var(--turn); }
.object { margin: .15rem 0; padding: .1rem .4rem; border-left: 3px solid var(--line); }
.object.create { border-color: var(--add); }
.object.update { border-color: var(--turn); }
.object.delete, .object.replace { border-color: var(--drop); background: var(--drop-back); }
.object .about { color: inherit; margin-left: .5em; }
dl { margin: .1rem 0 .3rem 1.6rem; }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; }
dt { min-width: 14rem; }
dd { margin: 0; min-width: 0; }
.finding { border-left: 3px solid var(--turn); padding: .2rem .6rem; margin: .3rem 0; background: var(--turn-back); }
.finding.error { border-color: var(--drop); background: var(--drop-back); }
.line { white-space: pre-wrap; margin: 0; }
.lazy { content-visibility: auto; contain-intrinsic-size: auto 60rem auto 40rem; }
.matrix, .table { position: relative; overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 4px; }
.matrix .box, .table .box { width: max-content; min-width: 100%; }
table { border-collapse: separate; border-spacing: 0; }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: .2rem .5rem; border-bottom: 1px solid var(--line); }
thead th { position: sticky; top: 0; z-index: 2; background: var(--tint); vertical-align: bottom; font-weight: 600; }
.matrix table { table-layout: fixed; width: 1px; }
.matrix col { width: 1.9rem; }
.matrix col.odd { background: var(--tint); }
.matrix col.who { width: 18rem; }
.matrix col.what { width: 16rem; }
.matrix th.who { position: sticky; left: 0; z-index: 1; background: var(--back); border-right: 1px solid var(--line); }
.matrix thead th.who { z-index: 3; background: var(--tint); }
.matrix th small { display: block; padding-left: 1.9em; color: var(--faint); }
.matrix thead th div { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 24rem; line-height: 1.15; font-weight: normal;
  font-size: .85rem; white-space: nowrap; overflow: hidden; }
.matrix thead th:not(.who, .what) { padding: .3rem .1rem .3rem .35rem; }
.matrix thead th.danger { background: var(--danger-back); }
.matrix td { padding: .2rem 0; text-align: center; }
.matrix td.what { padding: .2rem .5rem; text-align: left; font-size: .9em; }
.matrix ul { max-height: 20rem; overflow: auto; }
.matrix ul .box { width: auto; }
.g, .d { background: var(--add-back); color: var(--add); font-weight: 700; }
.l { background: var(--drop-back); color: var(--drop); font-weight: 700; }
.u { background: var(--turn-back); color: var(--turn); font-weight: 700; }
td.x:not(.l) { background: var(--danger-back); color: var(--danger); }
.key { display: inline-block; min-width: 1.5em; text-align: center; }
.sticky { position: sticky; top: 0; z-index: 4; }
.sticky thead th:not(.who) { position: static; }
.long .box thead th { padding: 0 !important; border: 0; height: 0; line-height: 0; font-size: 0; }
.long .box thead th div { font-size: 0; max-height: 0; }
.label { font-weight: 600; }
.bar { display: block; margin-top: .25rem; }
.track { fill: var(--tint); }
.limit { fill: var(--line); stroke: var(--faint); }
.limit.none { fill: none; stroke: var(--faint); stroke-dasharray: 3 3; }
.before { fill: var(--faint); }
.used { fill: var(--accent); }
.over { fill: var(--danger); }
@media (max-width: 40rem) {
  body { padding: 0 .5rem 3rem; }
  dt { min-width: 0; }
  .matrix col.who { width: 9rem; }
  .matrix col.what { width: 11rem; }
}
@media print {
  :root { color-scheme: light; --back: #fff; --front: #000; --faint: #444; --line: #bbb; --tint: #f4f4f4;
    --add: #064; --add-back: #e4f7e8; --drop: #900; --drop-back: #fde8e8; --turn: #640; --turn-back: #fdf3d8; --danger: #900; --danger-back: #fbd0d0; }
  @page { margin: 12mm; }
  html { font-size: 10px; print-color-adjust: exact; }
  header { position: static; }
  search, nav, .sticky { display: none; }
  .lazy { content-visibility: visible; }
  .matrix, .table, .matrix ul { overflow: visible; max-height: none; border: 0; }
  .matrix .box, .table .box { width: auto; }
  .matrix col { width: auto; }
  .matrix table { width: 100%; }
  .matrix col.who { width: 14%; }
  .matrix col.what { width: 14%; }
  .matrix thead th div, .long .box thead th div { font-size: 7px; max-height: none; }
  .long .box thead th { padding: .2rem !important; height: auto; line-height: 1.15; font-size: 8px; }
  thead th, .matrix th.who { position: static; }
  tr, .object, .finding { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
}
`;
