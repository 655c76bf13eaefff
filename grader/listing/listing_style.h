// How the listing's page looks (listing_html.h): its colours are the palette's (palette.h); a table
// where there is room, and on a narrow screen each line of code above its figures.
#pragma once

namespace histolab::grader {

inline constexpr const char* listing_style = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2rem 1.5rem 3rem; }
section + section { margin-top: 3.5rem; }
header p, h1 { margin: 0; }
header > p:not(.verdict) { color: var(--quiet); }
.lab { font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
.verdict { display: inline-block; margin-top: .7rem; padding: .1rem .7rem; border-radius: 1rem; font-size: .85rem; font-weight: 600; }
.verdict.good { background: var(--good-paper); color: var(--good); }
.verdict.bad { background: var(--error-paper); color: var(--error); }
.gaps { margin: 0; padding-left: 1.2rem; }
.gaps a { color: var(--link); font-weight: 600; }
table { width: 100%; margin: 1.3rem 0 1rem; border-collapse: separate; border-spacing: 0; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; }
thead tr > :first-child { border-top-left-radius: .5rem; }
thead tr > :last-child { border-top-right-radius: .5rem; }
thead th { position: sticky; top: 0; background: var(--sheet); box-shadow: inset 0 -1px var(--rule); color: var(--quiet); font-size: .78rem; font-weight: 600; text-align: left; z-index: 1; }
th, td { padding: .08rem .55rem; vertical-align: top; }
thead th { padding-block: .45rem; }
thead th[title] { cursor: help; }
tbody tr:first-child > * { padding-top: .5rem; }
tbody tr:last-child > * { padding-bottom: .5rem; }
.n { width: 3.4rem; min-width: 3.4rem; text-align: right; font-variant-numeric: tabular-nums; font-size: .85rem; white-space: nowrap; background: rgb(var(--waste) / calc(var(--heat, 0) * .55)); }
thead .n { text-align: right; background: var(--sheet); }
.n.volume { background: rgb(var(--volume) / calc(var(--heat, 0) * .45)); }
.n.barrier { color: var(--quiet); }
tbody th { width: 1%; padding-inline: .8rem .6rem; color: var(--quiet); font: .8rem/1.85 ui-monospace, monospace; text-align: right; user-select: none; }
.code { width: 100%; }
code { font: .85rem/1.6 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.code i { color: var(--quiet); font-size: .8rem; }
tr.wrong th { color: var(--error); box-shadow: inset -3px 0 var(--error); }
tr.dear th { color: var(--remark); box-shadow: inset -3px 0 var(--remark); }
tr:target > * { outline: 1px solid var(--link); outline-offset: -1px; }
.note td { padding: 0; }
.note p { margin: .15rem .5rem .35rem 19.2rem; padding: .25rem .7rem; border-left: 3px solid; border-radius: 0 .3rem .3rem 0; font-size: .87rem; background: var(--hint-paper); }
.note.error p, .unplaced { background: var(--error-paper); border-color: var(--error); }
.note.remark p { background: var(--remark-paper); border-color: var(--remark); }
.note.hint p { border-color: var(--quiet); }
.unplaced { padding: .3rem .8rem; border-left: 3px solid; }
tfoot tr > * { padding-block: .3rem; border-top: 1px solid var(--rule); font-weight: 600; }
.legend { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: .2rem 1.5rem; margin: 1.5rem 0 .6rem; font-size: .85rem; }
.legend div { display: flex; gap: .7rem; }
.legend dt { min-width: 2.4rem; font-weight: 600; }
.legend dd { margin: 0; color: var(--quiet); }
.aside { margin: .4rem 0; color: var(--quiet); font-size: .85rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 44rem) {
  .legend { grid-template-columns: 1fr; }
  main { padding: 1.2rem .8rem 2rem; }
  thead { display: none; }
  table, tbody, tfoot { display: block; }
  tr { display: flex; flex-wrap: wrap; align-items: baseline; padding: 0 .3rem; }
  tr > * { padding: .05rem .3rem; }
  tbody tr:first-child > *, tbody tr:last-child > * { padding-block: .05rem; }
  th { order: -2; flex: 0 0 2.2rem; }
  tbody th { width: auto; padding-inline: 0 .5rem; }
  td.code { order: -1; flex: 1 0 0; width: auto; min-width: 0; }
  tfoot th { display: none; }
  tfoot td.code { flex-basis: 100%; }
  td.none, .n:empty { display: none; }
  .n { width: auto; min-width: 0; margin: .1rem .25rem .25rem 0; padding: 0 .45rem; border-radius: .25rem; font-size: .78rem; box-shadow: inset 0 0 0 1px var(--rule); }
  tbody th + .code { flex-basis: calc(100% - 2.4rem); }
  tbody .n:first-child { margin-left: 2.4rem; }
  .n[data-title]::before { content: attr(data-title) " "; color: var(--quiet); }
  .note td { flex: 1; }
  .note p { margin: .1rem 0 .35rem 2.1rem; }
}
@media print { thead th { position: static; } }
)css";

}  // namespace histolab::grader
