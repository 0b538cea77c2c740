// The only way in which text becomes HTML. The template is ours; every inserted value was
// written by people and is escaped, in content and in quoted attributes alike. There is
// no way around it: only this file creates an `Html`, and only an `Html` is inserted
// unchanged.

export class Html {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  static of(template: readonly string[], parts: readonly Part[]): Html {
    const strings = unindented(template)
    let text = strings[0] ?? ''
    for (const [index, part] of parts.entries()) text += written(part) + (strings[index + 1] ?? '')
    return new Html(text)
  }

  /** Data for search engines, which a browser never executes. No character in it can end the element. */
  static ofData(value: object): Html {
    const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapedInJson)
    return new Html(`<script type="application/ld+json">${json}</script>`)
  }
}

const escapedInJson = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const known = new WeakMap<readonly string[], readonly string[]>()

/** Templates are indented for readers of the source; the page does not carry the indentation. */
function unindented(template: readonly string[]): readonly string[] {
  let strings = known.get(template)
  if (!strings) known.set(template, (strings = template.map((text) => text.replace(/\n\s+/g, '\n'))))
  return strings
}

/** An absent value or a false condition renders as nothing. */
export type Part = Html | string | bigint | number | false | undefined | readonly Part[]

export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => Html.of(strings, parts)

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(written).join('')
  return escaped(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

// A page cannot contain U+0000 or lone surrogates; a parser would replace them, so we do.
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
