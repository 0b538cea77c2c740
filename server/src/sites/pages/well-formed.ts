// Checks that markup is well formed, more strictly than any browser: every element is
// closed in order, every attribute is quoted and occurs once, every id is unique, no `<`
// or `&` is left over. So a browser builds exactly the markup that we send, without
// repairs.

export type Element = { name: string; attributes: ReadonlyMap<string, string> }

export type Markup = {
  /** In order, with their attributes as a browser parses them. */
  elements: readonly Element[]
  /** Messages; none if the markup is well formed. */
  faults: readonly string[]
}

const empty = new Set(['meta', 'link', 'input', 'br', 'hr', 'img'])
const token =
  /<!doctype html>|<\?xml[^<>]*\?>|<\/([a-z][a-z0-9:]*)\s*>|<([a-z][a-z0-9:]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*(\/?)>|[^<>]+|[<>]/g

/** In one pass: a site is checked page by page before each deployment, and parsing is most of that. */
export function parseMarkup(text: string): Markup {
  const elements: Element[] = []
  const faults: string[] = []
  const open: string[] = []
  for (const [whole, closing, opening, attributes = '', isClosed] of text.matchAll(token)) {
    if (closing !== undefined) {
      const last = open.pop()
      if (last !== closing) faults.push(`</${closing}> closes ${last === undefined ? 'nothing' : `<${last}>`}`)
    } else if (opening !== undefined) {
      elements.push({ name: opening, attributes: attributesOf(opening, attributes, faults) })
      if (!isClosed && !empty.has(opening)) open.push(opening)
    } else if (whole === '<' || whole === '>') faults.push(`a stray ${whole}`)
    else if (!whole.startsWith('<') && hasStrayAmpersand(whole)) faults.push('a stray &')
  }
  for (const name of open) faults.push(`<${name}> is not closed`)
  const ids = new Set<string>()
  for (const { attributes } of elements) {
    const id = attributes.get('id')
    if (id === undefined) continue
    if (ids.has(id)) faults.push(`two elements have the id ${id}`)
    ids.add(id)
  }
  return { elements, faults }
}

export const faultsOfHtml = (text: string): readonly string[] => parseMarkup(text).faults
export const elementsOf = (text: string): readonly Element[] => parseMarkup(text).elements

/** An attribute is quoted, or has no value at all, like `required`. */
const pattern = /\s([a-zA-Z:-]+)(?:="([^"<>]*)")?/g

function attributesOf(element: string, text: string, faults: string[]): Map<string, string> {
  const attributes = new Map<string, string>()
  if (text === '') return attributes
  for (const [, name = '', value = ''] of text.matchAll(pattern)) {
    if (attributes.has(name)) faults.push(`<${element}> has two attributes ${name}`)
    attributes.set(name, decoded(value))
  }
  if (hasStrayAmpersand(text)) faults.push(`a stray & in an attribute of <${element}>`)
  return attributes
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string) =>
  text.includes('&') ? text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '') : text

const hasStrayAmpersand = (text: string) => text.includes('&') && /&(?!(amp|lt|gt|quot|#39);)/.test(text)
