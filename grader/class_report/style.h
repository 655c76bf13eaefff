// How the class report looks, with the palette's colours (palette.h): light and dark, wide, narrow
// and printed. Sources look as in listing_style.h.
#pragma once

namespace histolab::class_report {

inline constexpr const char* style = R"css(
:root { --pass: #2e8b57; --fail: #d39a1e; --stop: #c2453c; --refu: #7b3fa0; --none: #c3c8cc; --mach: #3b6fb6; --bar: #7f9fc4; }
@media (prefers-color-scheme: dark) { :root { --pass: #4fae7b; --fail: #c99a3a; --stop: #d9675d; --refu: #a878cf; --none: #4a525a; --mach: #6c9fe0; --bar: #54779f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.4rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 84rem; margin: 0 auto; padding: 1.5rem 1.5rem 4rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; padding: .4rem .8rem; background: var(--sheet); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
nav { position: sticky; top: 0; z-index: 2; background: var(--paper); border-bottom: 1px solid var(--rule); }
nav ul { display: flex; gap: .2rem 1.4rem; max-width: 84rem; margin: 0 auto; padding: .6rem 1.5rem; overflow-x: auto; list-style: none; white-space: nowrap; font-size: .9rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
h1, h2, h3, h4 { line-height: 1.3; overflow-wrap: anywhere; }
h1 { margin: .5rem 0 0; font-size: 1.8rem; letter-spacing: -.01em; }
header p { margin: .2rem 0 0; color: var(--quiet); }
h2 { margin: 0 0 .8rem; font-size: 1.25rem; }
h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; }
h4 { margin: 0; font-size: .95rem; }
section { margin-top: 3rem; }
small, i { color: var(--quiet); font-style: normal; font-weight: 400; }
small { font-size: .8em; }
.aside { color: var(--quiet); font-size: .87rem; }
header .notice { margin-top: 1rem; padding: .6rem .9rem; border-left: 3px solid var(--remark); background: var(--remark-paper); color: var(--ink); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin: 1.5rem 0 0; }
.tiles div { display: flex; flex-direction: column-reverse; padding: .8rem 1rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; }
.tiles dt { color: var(--quiet); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.7rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles dd small { font-size: .95rem; }
.tiles .warn { border-color: var(--remark); background: var(--remark-paper); }
.tiles .warn dt, .tiles .warn dd { color: var(--remark); }

figure { max-width: 46rem; margin: 0 0 1.5rem; padding: 1rem 1.2rem .8rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; }
figcaption { margin-top: .3rem; color: var(--quiet); font-size: .87rem; }
svg { display: block; }
svg text { fill: var(--quiet); font: 13px system-ui, sans-serif; text-anchor: middle; }
svg .count { fill: var(--ink); font-weight: 600; }
.chart { width: 100%; height: auto; }
.axis { stroke: var(--rule); } .one { stroke: var(--pass); stroke-width: 1.5; }
.bar, .part { fill: var(--bar); } .full, rect.pass { fill: var(--pass); } .track { fill: var(--hint-paper); } .part { fill: var(--stop); }
rect.fail { fill: var(--fail); } rect.stop { fill: var(--stop); } rect.refu { fill: var(--refu); } rect.none { fill: var(--none); } rect.mach { fill: var(--mach); }
rect.stop, rect.refu, rect.none, rect.mach { stroke: var(--sheet); }
.small { width: 5.5rem; } .verdicts { width: 7rem; height: 1rem; border-radius: .25rem; } .strip { width: 9rem; } .share { width: 10rem; }
.strip circle { fill: var(--mach); fill-opacity: .3; } .strip text { font-size: 15px; }
.key { display: block; width: 1.4rem; height: .35rem; margin: 0 0 .25rem auto; border-radius: .1rem; }
.key.pass { background: var(--pass); } .key.fail { background: var(--fail); } .key.stop { background: var(--stop); } .key.refu { background: var(--refu); } .key.none { background: var(--none); } .key.mach { background: var(--mach); }

.wide { position: relative; overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; font-size: .9rem; }
th, td { padding: .32rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { overflow-wrap: break-word; color: var(--quiet); font-size: .8rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; min-width: 7rem; max-width: 22rem; overflow-wrap: anywhere; }
td { font-variant-numeric: tabular-nums; }
caption { padding: .2rem 0 .6rem; color: var(--quiet); font-size: .85rem; text-align: left; }
caption b { color: var(--ink); }
.labs, .checks-lost, .alike { min-width: min(100%, 40rem); }
.labs td, .labs thead th { text-align: right; white-space: nowrap; } .labs thead th:first-child, .labs .bars { text-align: left !important; } .labs td, .labs tbody th { vertical-align: middle; }
.labs thead th { white-space: normal; font-size: .75rem; } .labs { font-size: .85rem; } .labs th, .labs td { padding-inline: .32rem; } .labs tbody th { min-width: 8rem; } .labs .no { color: var(--quiet); } td.n, th.n { text-align: right; white-space: nowrap; }
.checks-lost td.bars { vertical-align: middle; }
.review { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }

.mistakes { margin: 0; padding: 0; list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 36rem), 1fr)); gap: 1rem; align-items: start; }
.mistakes > li { padding: .9rem 1.1rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; }
.mistakes h3 { margin: 0; } .mistakes p { margin: .3rem 0; font-size: .9rem; }

#tools { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center; margin-bottom: .8rem; }
#tools[hidden] { display: none; }
input, select, button { font: inherit; color: inherit; }
input, select, #openers button { padding: .3rem .6rem; background: var(--sheet); border: 1px solid var(--quiet); border-radius: .35rem; }
.class { min-width: min(100%, 46rem); }
.class thead th { position: sticky; top: 0; background: var(--sheet); padding: 0; vertical-align: bottom; }
.class thead th:not(:has(button)) { padding: .32rem .6rem; }
.class thead small { display: block; font-size: .75rem; }
.class button { width: 100%; min-width: 3.6rem; overflow-wrap: break-word; padding: .4rem .6rem; border: 0; background: none; font-weight: 600; text-align: left; cursor: pointer; }
.class th[data-sort=number] { text-align: right; } .class th[data-sort=number] button { text-align: right; }
.class button:hover { background: var(--hint-paper); }
.class [aria-sort] { color: var(--ink); } .class [aria-sort=ascending] button::before { content: "\2191 " / ""; } .class [aria-sort=descending] button::before { content: "\2193 " / ""; }
.class td { text-align: right; white-space: nowrap; } .class td.text { min-width: 6rem; max-width: 12rem; overflow-wrap: anywhere; text-align: left; white-space: normal; } .class abbr { text-decoration: none; font-size: .8em; font-weight: 600; }
.class tbody tr:hover > * { background: var(--hint-paper); }
.class td.pass { color: var(--good); } .class td.fail { color: var(--remark); } .class td.stop, .class td.refu { color: var(--error); } .class td.none { color: var(--quiet); }
.class td.sum { font-weight: 600; } .class tr > :last-child { border-left: 1px solid var(--rule); }

.student { margin-top: .35rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem; content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
.student > summary { padding: .45rem 1rem; } .student > div { padding: 0 1.2rem 1rem; scroll-margin-top: 6rem; }
summary { cursor: pointer; } summary h3, summary h4, .lab > h4 { display: inline; margin-right: .6rem; }
.student[open] > summary { border-bottom: 1px solid var(--rule); }
.lab { margin-top: .8rem; } .lab b { padding: 0 .55rem; border-radius: 1rem; font-size: .82rem; font-weight: 600; background: var(--hint-paper); }
.lab b.pass { background: var(--good-paper); color: var(--good); } .lab b.stop, .lab b.refu { background: var(--error-paper); color: var(--error); } .lab b.fail { background: var(--remark-paper); color: var(--remark); }
.lab p { margin: .3rem 0; overflow-wrap: anywhere; } .lab > p, .lab > ul, .lab > ol, .lab > div { margin-left: 1.1rem; }
.checks { padding: 0; list-style: none; font-size: .9rem; } .checks li { margin: .25rem 0; padding-left: 1.4rem; position: relative; }
.checks li::before { position: absolute; left: 0; } .checks .y::before { content: "\2713"; color: var(--good); } .checks .e::before { content: "\2717"; color: var(--error); } .checks .n::before { content: "\2013"; color: var(--quiet); }
.advice p { margin: .15rem 0; } .advice .try { font-weight: 500; } p.y { color: var(--good); font-size: .9rem; }
.figures { margin: .6rem 0 .2rem; font-size: .85rem; } .figures td { text-align: right; white-space: nowrap; } .figures thead th + th { text-align: right; }
.w { color: var(--error); font-weight: 600; }

.src { margin: .6rem 0; padding: .4rem 0; border: 1px solid var(--rule); border-radius: .4rem; overflow-x: auto; font-size: .82rem; }
.src pre { font-size: inherit; position: relative; width: fit-content; min-width: 100%; margin: 0; padding: 0 .6rem 0 3.6rem; overflow: clip; line-height: 1.6; tab-size: 4; }
.src pre::before { position: absolute; top: calc((1 - var(--f)) * 1.6em); left: 0; width: 2.9rem; color: var(--quiet); text-align: right; white-space: pre; user-select: none; }
.src .l { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; counter-reset: line var(--f); } .src pre.l::before { top: 0; content: counter(line) / ""; }
.src pre.e { box-shadow: inset 3px 0 var(--error); } .src pre.r { box-shadow: inset 3px 0 var(--remark); } .src pre.n { box-shadow: inset 3px 0 var(--quiet); }
.src > p[class] { margin: .1rem .5rem .35rem 3.6rem; }
p.e, p.r, p.n { margin: .15rem .3rem .35rem 0; padding: .2rem .7rem; border-left: 3px solid; border-radius: 0 .3rem .3rem 0; font: .87rem/1.5 system-ui, sans-serif; white-space: normal; }
p.e { background: var(--error-paper); border-color: var(--error); } p.r { background: var(--remark-paper); border-color: var(--remark); } p.n { background: var(--hint-paper); border-color: var(--quiet); }

.diff { width: 100%; table-layout: fixed; margin: .8rem 0; }
.diff th { padding: .3rem .6rem; } .diff col.ln { width: 2.6rem; } .diff td { padding: 0 .5rem; border: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .8rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.diff td:nth-child(odd) { padding: 0 .3rem 0 0; color: var(--quiet); text-align: right; white-space: nowrap; user-select: none; border-left: 1px solid var(--rule); }
.diff .gap { background: var(--hint-paper); } .diff tbody tr:hover > * { background: var(--hint-paper); }
mark { background: var(--remark-paper); color: var(--remark); font-weight: 600; }

::placeholder { color: var(--quiet); opacity: 1; }
@media (min-width: 84rem) { .wide:has(.class) { overflow: visible; } .class thead th { top: 2.75rem; } }  /* what scrolls sideways holds a heading back */
@media (max-width: 44rem) {
  main { padding: 1rem .8rem 3rem; } nav ul { padding: .6rem .8rem; }
  .src pre { padding-left: 2.8rem; } .src pre::before { width: 2.1rem; } .src > p[class] { margin-left: 2.8rem; } .lab > p, .lab > ul, .lab > ol, .lab > div { margin-left: 0; }
  th, td { padding-inline: .4rem; }
}
@media print {
  body { background: none; font-size: 10pt; } main { max-width: none; padding: 0; }
  nav, .skip, #tools, #openers, a[href="#class"] { display: none; }
  a { color: inherit; text-decoration: none; }
  .wide { overflow: visible; } .class thead th { position: static; } table { font-size: 8pt; }
  section { margin-top: 1.5rem; } h2, h3, summary { break-after: avoid; } tr, figure, .mistakes > li { break-inside: avoid; }
  .student { content-visibility: visible; } .student[open] { break-before: page; }
  svg, .key, p.e, p.r, p.n, .lab b { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace histolab::class_report
