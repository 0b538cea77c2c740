// Renders the pages under /docs as text: a reference for each API (a frame that loads
// Scalar), and the two pages on deprecation that the headers of getPet link to. Performs
// no I/O; reference-routes.ts does.
//
// Scalar cannot hide the try-out of a single operation, so the page carries a style rule
// for each operation marked `x-hideTryItPanel`, and lists these operations for its
// script, which sends none of them (tools/reference-entry.js). This hides, it does not
// protect: the API key does that.

export type OpenApiLike = {
  readonly info: { readonly title: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
}

/** File names below /docs/assets/. */
export type Bundle = { readonly script: string; readonly styles: readonly string[] }

/** The reference of one API. */
export type Reference = {
  /** Where its page is. */
  readonly path: string
  readonly name: string
  readonly slug: string
  /** The paths of the API begin with this. */
  readonly prefix: string
  /** The security scheme that a try-out offers first: one that a page can send. */
  readonly scheme: string
}

export const v1Reference: Reference = {
  path: '/docs',
  name: 'Petstore API',
  slug: 'petstore',
  prefix: '/v1',
  scheme: 'apiKey',
}
export const platformReference: Reference = {
  path: '/docs/platform',
  name: 'Platform API',
  slug: 'petstore-platform',
  prefix: '/platform/v1',
  scheme: 'token',
}

type Operation = { name: string; operationId: string; sunset: string; hasTryOut: boolean }

/** Requests go to this origin and to the document's servers. Scalar needs neither eval nor WebAssembly. */
export function referencePolicy({ servers = [] }: OpenApiLike): string {
  const origins = servers.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []))
  return contentPolicy([
    "script-src 'self'",
    ['connect-src', ...new Set(["'self'", ...origins])].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
  ])
}

/** The other pages have no script and load nothing. */
export const plainPolicy = contentPolicy(["style-src 'unsafe-inline'", 'img-src data:'])

function contentPolicy(sources: string[]): string {
  return ["default-src 'none'", ...sources, "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"].join(
    '; ',
  )
}

export function referencePage(document: OpenApiLike, bundle: Bundle, reference: Reference): string {
  const { slug, scheme } = reference
  const url = escapedHtml(documentOf(reference))
  const withoutTryOut = operationsOf(document).filter(({ hasTryOut }) => !hasTryOut)
  const names = JSON.stringify(withoutTryOut.map(({ name }) => name))
  const rules = withoutTryOut.map(
    ({ operationId }) => `[id$="/${operationId}"] .show-api-client-button { display: none !important }`,
  )
  return page(
    `${document.info.title} API reference`,
    `${bundle.styles.map((file) => `<link rel="stylesheet" href="/docs/assets/${escapedHtml(file)}">`).join('\n')}
<style>${rules.join('\n')}</style>
<script type="module" src="/docs/assets/${escapedHtml(bundle.script)}"></script>`,
    `<header class="references"><nav aria-label="API references">${references(reference)}</nav></header>
<div id="reference" data-document="${url}" data-slug="${slug}" data-scheme="${scheme}" data-without-try-out="${escapedHtml(names)}"></div>
<noscript>The reference needs JavaScript. The OpenAPI document that it shows is at <a href="${url}">${url}</a>.</noscript>`,
  )
}

const documentOf = ({ prefix }: Reference): string => `${prefix}/openapi.json`

/** Links between the references; the page that is open is marked. */
function references(open: Reference): string {
  return [v1Reference, platformReference]
    .map(({ path, name, prefix }) => {
      const current = path === open.path ? ' aria-current="page"' : ''
      return `<a href="${path}"${current}>${name} <code>${prefix}</code></a>`
    })
    .join(' ')
}

export function missingReferencePage({ info }: OpenApiLike, reference: Reference): string {
  const url = escapedHtml(documentOf(reference))
  return article(
    `${info.title} API reference`,
    `<p>The reference has not been built on this machine. The OpenAPI document that it would show is at
<a href="${url}">${url}</a>. To build it: <code>npm run build -- reference</code>, then restart.</p>`,
  )
}

export function deprecationsPage(document: OpenApiLike, deprecatedSince: number): string {
  return article(
    'Deprecations',
    `<p class="lead">What will be removed from the ${escapedHtml(document.info.title)} API, when, and what to use instead.</p>
<div class="wide" role="region" aria-label="Deprecated operations" tabindex="0">
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Deprecated since</th><th scope="col">Removed on</th><th scope="col">Use instead</th></tr></thead>
<tbody><tr>
<th scope="row"><a href="/docs/deprecations/get-pet"><code>GET /pets/{petId}</code></a></th>
<td>${longDate(deprecatedSince * 1000)}</td>
<td>${longDate(sunsetOf(document))}</td>
<td><code>GET /pets</code> with the <code>status</code> filter</td>
</tr></tbody>
</table>
</div>
<h2>How we announce it</h2>
<p>Every answer of a deprecated operation, errors included, carries three headers, so that a program can notice before
a person does:</p>
<dl>
<dt><code>Deprecation</code></dt><dd>since when the operation is deprecated (RFC 9745)</dd>
<dt><code>Sunset</code></dt><dd>when it is removed (RFC 8594)</dd>
<dt><code>Link</code></dt><dd>with <code>rel="successor-version"</code> to the replacement, <code>rel="deprecation"</code> to the
page about the operation, and <code>rel="sunset"</code> to this page</dd>
</dl>
<p>From its date on, the operation answers <code>410</code> with the code <code>operation_removed</code>.</p>`,
  )
}

export function getPetPage(document: OpenApiLike, deprecatedSince: number): string {
  const [production = '/v1', staging = production] = (document.servers ?? []).map(({ url }) => url)
  const since = longDate(deprecatedSince * 1000)
  const removed = longDate(sunsetOf(document))
  const removal = `${sunsetOf(document)}T00:00:00Z`
  return article(
    'Deprecation of getPet',
    `<p class="lead"><code>GET /pets/{petId}</code>, which fetches one animal by its identifier, is deprecated.</p>
<dl>
<dt>Deprecated since</dt><dd>${since}</dd>
<dt>Removed on</dt><dd>${removed}, 00:00 UTC</dd>
<dt>Afterwards</dt><dd>it answers <code>410</code> with the code <code>operation_removed</code>, and the answer to
<code>POST /pets</code> no longer carries <code>Location</code></dd>
<dt>Use instead</dt><dd><code>GET /pets</code> with the <code>status</code> filter</dd>
</dl>
<p>Until then nothing changes, except that every answer carries these headers:</p>
${code('Response headers', deprecationHeaders(deprecatedSince, removal))}

<h2>Known gap</h2>
<p class="note"><strong>The list cannot ask for one identifier.</strong> It filters by <code>status</code> and by nothing
else, and <code>/v1</code> has no other operation that returns a single animal. Whoever knows only an identifier has to
walk through the list.</p>
<p>Three things keep the walk short: ask for 100 animals per page; filter by <code>status</code> if you know it; and stop
at the first smaller identifier, since the list runs from the newest animal to the oldest, by falling <code>id</code>.
Better still, keep what you need of an animal when a list or the answer to <code>POST /pets</code> shows it to you.</p>

<h2>The walk through the list</h2>
<p>Each page names the next one in its <code>Link</code> header, with <code>rel="next"</code>. Take that address as it is;
the last page has none.</p>
<h3>curl</h3>
${code('Shell example', curlWalk(production))}
<h3>TypeScript</h3>
${code('TypeScript example', typescriptWalk)}

<h2>Rehearse the removal</h2>
<p>On a staging installation whose operator has switched the rehearsal on, the request header <code>Petstore-Now</code>
moves the clock for one request, so you can see today how your program takes the <code>410</code>:</p>
${code('Rehearsal', rehearsal(staging, removal))}
<p>Everywhere else, and always in production, the header means nothing: the answer is the one of today. It moves only the
dates of this contract; keys, limits and stored times stay on the true clock.</p>
<p><a href="/docs/deprecations">All deprecations</a> · <a href="/docs#tag/animals/getPet">getPet in the reference</a></p>`,
  )
}

function deprecationHeaders(deprecatedSince: number, removal: string): string {
  return `Deprecation: @${deprecatedSince}
Sunset: ${new Date(removal).toUTCString()}
Link: <…/pets?status=available>; rel="successor-version",
      <…/docs/deprecations/get-pet>; rel="deprecation"; type="text/html",
      <…/docs/deprecations>; rel="sunset"; type="text/html"`
}

export function curlWalk(base: string): string {
  return `# Prints animal 1044, if it is available. jq 1.7 or newer keeps large numbers exact.
url='${base}/pets?status=available&limit=100'
while [ -n "$url" ]; do
  curl -sS -D headers.txt -H "Authorization: Bearer $PETSTORE_KEY" "$url" |
    jq '.[] | select(.id == 1044)'
  url=$(sed -n 's/^[Ll]ink:.*<\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`
}

export const typescriptWalk = `type Status = 'available' | 'pending' | 'sold'
type Pet = { id: bigint; name: string; categoryId: bigint; status: Status }

// Identifiers have 64 bits. JSON.parse rounds above 2^53; the source text does not.
const exact = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' && context?.source ? BigInt(context.source) : value

export async function findPet(base: string, apiKey: string, id: bigint, status?: Status) {
  const headers = { Authorization: \`Bearer \${apiKey}\` }
  let next: string | undefined = \`\${base}/pets?limit=100\`
  if (status) next += \`&status=\${status}\`
  while (next) {
    const response = await fetch(next, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(\`\${response.status}: \${text}\`)
    for (const pet of JSON.parse(text, exact) as Pet[]) {
      if (pet.id === id) return pet
      if (pet.id < id) return undefined // newest first: it cannot follow any more
    }
    next = response.headers.get('Link')?.match(/<([^>]+)>; rel="next"/)?.[1]
  }
  return undefined
}`

function rehearsal(base: string, removal: string): string {
  return `curl -i '${base}/pets/1044' \\
  -H "Authorization: Bearer $PETSTORE_KEY" \\
  -H 'Petstore-Now: ${removal}'
# HTTP/1.1 410 Gone`
}

function operationsOf({ paths }: OpenApiLike): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => {
      const operation = value as Record<string, unknown>
      return {
        name: `${method.toUpperCase()} ${path}`,
        operationId: text(operation['operationId']),
        sunset: text(operation['x-deprecated-sunset']),
        hasTryOut: operation['x-hideTryItPanel'] !== true,
      }
    }),
  )
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The contract's own date, as YYYY-MM-DD. */
function sunsetOf(document: OpenApiLike): string {
  return operationsOf(document).find(({ operationId }) => operationId === 'getPet')?.sunset || '2030-12-05'
}

function longDate(date: string | number): string {
  const day = new Date(date)
  const text = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `<time datetime="${day.toISOString().slice(0, 10)}">${text}</time>`
}

/** Long lines scroll inside the block, also by keyboard. */
function code(label: string, text: string): string {
  return `<pre role="region" aria-label="${label}" tabindex="0"><code>${escapedHtml(text)}</code></pre>`
}

function article(title: string, body: string): string {
  return page(
    title,
    `<style>${articleStyle}</style>`,
    `<header><nav aria-label="Documentation"><a href="/docs">API reference</a> <a href="/docs/platform">Platform API reference</a> <a href="/docs/deprecations">Deprecations</a></nav></header>
<main>
<h1>${escapedHtml(title)}</h1>
${body}
</main>`,
  )
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cg fill='%230a7d62'%3E%3Cellipse cx='16' cy='22' rx='8' ry='7'/%3E%3Ccircle cx='6' cy='14' r='3.5'/%3E%3Ccircle cx='12' cy='7' r='3.5'/%3E%3Ccircle cx='20' cy='7' r='3.5'/%3E%3Ccircle cx='26' cy='14' r='3.5'/%3E%3C/g%3E%3C/svg%3E"

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)}</title>
<link rel="icon" href="${icon}">
${head}
</head>
<body>
${body}
</body>
</html>
`
}

/** For content and attributes in double quotes; pages of sites have `html` instead, which escapes unasked. */
function escapedHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

const articleStyle = `
:root { color-scheme: light dark; --text: #1c2024; --quiet: #5b6470; --line: #d9dee3; --soft: #f4f6f8; --accent: #0a6b54; --warn: #fff6e0; --warn-line: #c98a00 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --quiet: #a3adb8; --line: #343b43; --soft: #1d2227; --accent: #58c9a9; --warn: #2c2410; --warn-line: #d6a030 }
  body { background: #14171a }
}
body { margin: 0; color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
header, main { max-width: 50rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1.25rem }
nav a { margin-right: 1.25rem }
main { padding-bottom: 4rem }
h1 { margin: 2rem 0 .5rem; font-size: 2rem; line-height: 1.2 }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.3rem }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem }
a { color: var(--accent); text-underline-offset: .2em }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.lead { margin-top: 0; color: var(--quiet); font-size: 1.1rem }
code { padding: .1em .3em; border-radius: .25rem; background: var(--soft); font: .875em ui-monospace, monospace; white-space: nowrap }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); line-height: 1.5 }
pre code { padding: 0; background: none; white-space: pre }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.5rem }
dt { color: var(--quiet) }
dd { margin: 0 }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse; text-align: left }
th, td { padding: .6rem 1rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
thead th { color: var(--quiet); font-weight: 500 }
tbody th { font-weight: 400 }
.note { padding: .75rem 1rem; border-left: .25rem solid var(--warn-line); border-radius: .25rem; background: var(--warn) }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: .15rem } dd { margin-bottom: .75rem } }
`
