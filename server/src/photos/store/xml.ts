// Reads the small XML documents of an S3-compatible store: elements and text. Anything else that XML may contain
// (a document type, other entities, comments, CDATA) is not sent by stores, and is rejected, as are documents that are
// nested deeply. Pure.

export type XmlElement = { name: string; children: readonly XmlElement[]; text: string }

const DEPTH_MAX = 10

type Open = { name: string; children: XmlElement[]; text: string }

const token =
  /<\?xml[^<>]*\?>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y

/** Undefined if the text is anything else. */
export function readXml(text: string): XmlElement | undefined {
  const document: Open = { name: '', children: [], text: '' }
  const open: Open[] = [document]
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (!found) return undefined
    const [, closed, opened, , isEmpty, characters] = found
    const inner = open.at(-1) ?? document
    if (characters !== undefined) {
      const decoded = decodedText(characters)
      if (decoded === undefined) return undefined
      inner.text += decoded
    } else if (opened !== undefined) {
      const element: Open = { name: opened, children: [], text: '' }
      inner.children.push(element)
      if (!isEmpty && open.push(element) > DEPTH_MAX) return undefined
    } else if (closed !== undefined) {
      if (open.length === 1 || open.pop()?.name !== closed) return undefined
      // The declaration of XML comes first, or not at all.
    } else if (at > 0) return undefined
  }
  const [root, ...others] = document.children
  return open.length === 1 && others.length === 0 && document.text.trim() === '' ? root : undefined
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Undefined if an ampersand begins no known entity. */
function decodedText(text: string): string | undefined {
  let isWrong = false
  const decoded = text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,4}));|&/g, (_, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    const character = name === undefined ? characterOf(code) : named[String(name)]
    isWrong ||= character === undefined
    return character ?? ''
  })
  return isWrong ? undefined : decoded
}

/** Undefined for codes that no XML document can contain. */
function characterOf(code: number): string | undefined {
  const isAllowed =
    code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0x10ffff)
  return isAllowed ? String.fromCodePoint(code) : undefined
}

/** The text of the only child with this name; undefined if there is none, or several, or if it has children. */
export function textOf({ children }: XmlElement, name: string): string | undefined {
  const [child, ...others] = children.filter((one) => one.name === name)
  return child && others.length === 0 && child.children.length === 0 ? child.text : undefined
}
