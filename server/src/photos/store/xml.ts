// Reads the small XML documents of an S3-compatible store: elements and text. Anything else that XML may contain
// (a document type, other entities, comments, CDATA) is not sent by stores, and is rejected, as are documents that are
// nested deeply. Pure.

import { SaxesParser } from 'saxes'

export type XmlElement = { name: string; children: readonly XmlElement[]; text: string }

const DEPTH_MAX = 10

type Open = { name: string; children: XmlElement[]; text: string }

/** Undefined if the text is anything else. */
export function readXml(text: string): XmlElement | undefined {
  const document: Open = { name: '', children: [], text: '' }
  const open: Open[] = [document]
  const inner = () => open.at(-1) ?? document
  const parser = new SaxesParser()
  for (const event of ['doctype', 'comment', 'cdata', 'processinginstruction'] as const) parser.on(event, refuse)
  parser.on('opentag', ({ name }) => {
    const element: Open = { name, children: [], text: '' }
    inner().children.push(element)
    if (open.push(element) > DEPTH_MAX) refuse()
  })
  parser.on('text', (characters) => {
    inner().text += characters
  })
  parser.on('closetag', () => open.pop())
  try {
    parser.write(text).close()
  } catch {
    return undefined
  }
  return document.children[0]
}

function refuse(): never {
  throw new Error('unexpected XML')
}

/** The text of the only child with this name; undefined if there is none, or several, or if it has children. */
export function textOf({ children }: XmlElement, name: string): string | undefined {
  const [child, ...others] = children.filter((one) => one.name === name)
  return child && others.length === 0 && child.children.length === 0 ? child.text : undefined
}
