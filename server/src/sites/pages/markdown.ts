// Renders Markdown (CommonMark) that owners write: the text about a store, the story of an animal. markdown-it reads it;
// the elements are made here, by the same templates as every page, so that nothing is inserted unescaped. HTML and
// pictures are shown as text, and links lead to http, https and mailto alone. What a text costs is bounded: beyond the marks
// that may be saved, a stored text is a paragraph without formatting.

import MarkdownIt, { type Token } from 'markdown-it'
import { endOfFormatting } from '@petstore-platform/contract/platform/markdown'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { BoundedMap } from '../../foundation/load/bounded-map.ts'

const reader = new MarkdownIt('commonmark', { html: false, maxNesting: 20 }).disable([
  'image',
  'html_block',
  'html_inline',
])
reader.validateLink = (target) => /^(https?:\/\/[^\s/]|mailto:[^\s@]+@)/i.test(target) && URL.canParse(target)

// Everything up to a character at which one of the rules above begins. The reader's own rule stops at twice as many.
const plain = /[^\n\\`*_[\]<&]+/y
reader.inline.ruler.at('text', (state, isSilent) => {
  plain.lastIndex = state.pos
  const [found] = plain.exec(state.src) ?? []
  if (found === undefined) return false
  if (!isSilent) state.pending += found
  state.pos += found.length
  return true
})

/** Characters of texts, and of what they became: a page is rendered twice a second, and its texts change seldom. */
const KEPT_MAX = 4_000_000
const kept = new BoundedMap<string, Html>({
  countMax: Infinity,
  weightMax: KEPT_MAX,
  weightOf: (made, text) => text.length + made.text.length,
})

export function markdown(text: string): Html {
  const made = kept.get(text) ?? limited(text)
  kept.set(text, made)
  return made
}

function limited(text: string): Html {
  const end = endOfFormatting(text)
  if (end === undefined) return html`${formatted(text)}`
  return html`${formatted(text.slice(0, end))}
    <p>${text.slice(end).trim()}</p>`
}

const formatted = (text: string): Html[] => rendered(withinLinks(withoutGaps(reader.parse(text, {}))))

/** The paragraphs of a text without its marks, such as for paper; items of lists are paragraphs. */
export function plainText(text: string): string[] {
  let lists = 0
  const end = endOfFormatting(text) ?? text.length
  const paragraphs = reader.parse(text.slice(0, end), {}).flatMap(({ type, nesting, children, content }) => {
    if (type === 'list_item_open' || type === 'list_item_close') lists += nesting
    if (type === 'fence' || type === 'code_block') return [content]
    return type === 'inline' ? [`${lists > 0 ? '• ' : ''}${(children ?? []).map(plainOf).join('')}`] : []
  })
  return [...paragraphs, text.slice(end)]
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
}

const plainOf = ({ type, content }: Token): string => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)

/** No level is skipped, whichever marks were chosen: a heading is one level below the one that it is under. */
function withoutGaps(tokens: readonly Token[]): readonly Token[] {
  const above: number[] = []
  for (const token of tokens) {
    if (token.type !== 'heading_open') continue
    const level = Number(token.tag.slice(1))
    while ((above.at(-1) ?? 0) >= level) above.pop()
    above.push(level)
    // The page's own headings are above: the section that contains this text is of the second level.
    token.tag = `h${Math.min(above.length + 2, 5)}`
  }
  return tokens
}

/** The addresses of all links of a text. One that is defined once may be used by many. */
const ADDRESSES_LENGTH_MAX = 20_000

function withinLinks(tokens: readonly Token[]): readonly Token[] {
  let length = 0
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open') continue
    length += String(token.attrGet('href')).length
    token.hidden = length > ADDRESSES_LENGTH_MAX
  }
  return tokens
}

type Open = { token: Token; parts: Part[] }

/** An element ends where its token of the opposite nesting is; what lies between is its content. */
function rendered(tokens: readonly Token[]): Html[] {
  const open: Open[] = [{ token: { type: '' } as Token, parts: [] }]
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, parts: [] })
    else {
      const closed = token.nesting === -1 ? open.pop() : undefined
      open.at(-1)?.parts.push(closed ? elementOf(closed) : leafOf(token))
    }
  }
  return (open[0]?.parts ?? []) as Html[]
}

function elementOf({ token, parts }: Open): Part {
  switch (token.type) {
    case 'paragraph_open':
      // In a list without empty lines an item is its text.
      return token.hidden ? parts : html`<p>${parts}</p>`
    case 'heading_open':
      if (token.tag === 'h3') return html`<h3>${parts}</h3>`
      return token.tag === 'h4' ? html`<h4>${parts}</h4>` : html`<h5>${parts}</h5>`
    case 'bullet_list_open':
      return html`<ul>
        ${parts}
      </ul>`
    case 'ordered_list_open':
      return html`<ol>
        ${parts}
      </ol>`
    case 'list_item_open':
      return html`<li>${parts}</li>`
    case 'blockquote_open':
      return html`<blockquote>${parts}</blockquote>`
    case 'strong_open':
      return html`<strong>${parts}</strong>`
    case 'em_open':
      return html`<em>${parts}</em>`
    case 'link_open':
      if (token.hidden) return parts
      return html`<a href="${String(token.attrGet('href') ?? '')}" rel="nofollow">${parts}</a>`
    default:
      throw new Error(`no element for ${token.type}`)
  }
}

function leafOf(token: Token): Part {
  switch (token.type) {
    case 'inline':
      return rendered(token.children ?? [])
    case 'code_inline':
      return html`<code>${token.content}</code>`
    case 'code_block':
    case 'fence':
      return html`<pre>${token.content}</pre>`
    case 'hr':
      return html`<hr />`
    case 'hardbreak':
      return html`<br />`
    case 'softbreak':
      return '\n'
    default:
      return token.content
  }
}
