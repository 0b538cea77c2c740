// Checks that markup is well formed, more strictly than any browser: every element is
// closed in order, every attribute is quoted and occurs once, every id is unique, no `<`
// or `&` is left over. So a browser builds exactly the markup that we send, without
// repairs.

export type Element = { name: string; attributes: ReadonlyMap<string, string> }

const empty = new Set(['meta', 'link', 'input', 'br', 'hr', 'img'])
const token =
  /<!doctype html>|<\?xml[^<>]*\?>|<\/([a-z][a-z0-9:]*)\s*>|<([a-z][a-z0-9:]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*(\/?)>|[^<>]+|[<>]/g

/** Messages; none if the markup is well formed. */
export function faultsOfHtml(text: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (const [whole, closing, opening, attributes = '', isClosed] of text.matchAll(token)) {
    if (closing !== undefined) {
      const last = open.pop()
      if (last !== closing) faults.push(`</${closing}> closes ${last === undefined ? 'nothing' : `<${last}>`}`)
    } else if (opening !== undefined) {
      faults.push(...faultsOfAttributes(opening, attributes))
      if (!isClosed && !empty.has(opening)) open.push(opening)
    } else if (whole === '<' || whole === '>') faults.push(`a stray ${whole}`)
    else if (!whole.startsWith('<') && /&(?!(amp|lt|gt|quot|#39);)/.test(whole)) faults.push('a stray &')
  }
  for (const name of open) faults.push(`<${name}> is not closed`)
  const ids = elementsOf(text).flatMap(({ attributes }) => attributes.get('id') ?? [])
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) faults.push(`two elements have the id ${id}`)
  return faults
}

/** An attribute is quoted, or has no value at all, like `required`. */
const pattern = /\s+([a-zA-Z:-]+)(?:="([^"<>]*)")?/g

function faultsOfAttributes(element: string, text: string): string[] {
  const names = [...text.matchAll(pattern)].map(([, name = '']) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...twice.map((name) => `<${element}> has two attributes ${name}`),
    ...(/&(?!(amp|lt|gt|quot|#39);)/.test(text) ? [`a stray & in an attribute of <${element}>`] : []),
  ]
}

/** All elements in order, with their attributes as a browser parses them. */
export function elementsOf(text: string): Element[] {
  return [...text.matchAll(token)].flatMap(([, , name, attributes = '']) =>
    name === undefined
      ? []
      : [
          {
            name,
            attributes: new Map(
              [...attributes.matchAll(pattern)].map(([, key = '', value = '']) => [key, decoded(value)]),
            ),
          },
        ],
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
