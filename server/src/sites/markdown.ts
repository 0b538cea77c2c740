// Renders a small subset of Markdown, for the description of a store: paragraphs,
// headings, lists, bold, italic and links to http, https and mailto. Everything else,
// HTML in particular, is shown as text. One pass from left to right, so that no text,
// however odd, takes long.

import { html, type Html } from '../foundation/html.ts'

export function markdown(text: string): Html[] {
  return withoutGaps(blocksOf(text.replace(/\r\n?/g, '\n').split('\n'))).map(rendered)
}

/** No level is skipped, whichever marks were chosen: a heading is one level below the one that it is under. */
function withoutGaps(blocks: readonly Block[]): Block[] {
  const above: number[] = []
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block
    while ((above.at(-1) ?? 0) >= block.level) above.pop()
    above.push(block.level)
    return { ...block, level: above.length }
  })
}

type Block = { kind: 'heading'; level: number; text: string } | { kind: 'text' | 'list' | 'numbers'; lines: string[] }

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open: Extract<Block, { lines: string[] }> | undefined
  const add = (kind: 'text' | 'list' | 'numbers', line: string) => {
    if (open?.kind !== kind) blocks.push((open = { kind, lines: [] }))
    open.lines.push(line)
  }
  for (const raw of lines) {
    const line = raw.trim()
    const heading = /^(#{1,3}) +(?=[^ #])/.exec(line)
    const [marker = ''] = /^(?:[-*+]|\d{1,9}[.)]) +/.exec(line) ?? []
    if (line === '') open = undefined
    else if (heading) {
      open = undefined
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: line.slice(heading[0].length) })
    } else if (marker !== '') add(/\d/.test(marker) ? 'numbers' : 'list', line.slice(marker.length))
    // A line without a mark continues the block before it.
    else if (open && open.kind !== 'text') open.lines.push(`${open.lines.pop()} ${line}`)
    else add('text', line)
  }
  return blocks
}

function rendered(block: Block): Html {
  if (block.kind === 'heading') {
    const text = inline(block.text)
    // The page's own headings are above: the section that contains this text is of the second level.
    if (block.level === 1) return html`<h3>${text}</h3>`
    return block.level === 2 ? html`<h4>${text}</h4>` : html`<h5>${text}</h5>`
  }
  if (block.kind === 'text') return html`<p>${inline(block.lines.join('\n'))}</p>`
  const items = block.lines.map((line) => html`<li>${inline(line)}</li>`)
  return block.kind === 'list'
    ? html`<ul>
        ${items}
      </ul>`
    : html`<ol>
        ${items}
      </ol>`
}

// Every alternative begins with another character or excludes its terminator, and all are bounded: no
// significant backtracking.
const marks =
  /\*\*(?=\S)([^*\n]{1,500})\*\*|(?<![\w*])([*_])(?=\S)([^*_\n]{1,500})\2(?!\w)|\[([^[\]\n]{1,300})\]\(([^()\s]{1,500})\)/g

function inline(text: string): Html[] {
  const parts: Html[] = []
  let at = 0
  for (const match of text.matchAll(marks)) {
    const [whole, bold, , italic, label, target] = match
    parts.push(html`${text.slice(at, match.index)}`)
    at = match.index + whole.length
    if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else if (italic !== undefined) parts.push(html`<em>${italic}</em>`)
    else parts.push(link(label ?? '', target ?? '', whole))
  }
  return [...parts, html`${text.slice(at)}`]
}

/** An allowlist of schemes: a link with any other scheme stays text. */
function link(label: string, target: string, whole: string): Html {
  const isKnown = /^(https?:\/\/[^\s/]|mailto:[^\s@]+@)/i.test(target) && URL.canParse(target)
  return isKnown ? html`<a href="${target}" rel="nofollow">${label}</a>` : html`${whole}`
}
