// Renders a mail as plain text. Values of people are on one line each, so that none of them can
// pass for a line of ours.

import { oneLine, type Block, type Mail } from './mail.ts'

export function mailText({ blocks, footer, turnOff }: Mail): string {
  const last = [oneLine(footer), ...(turnOff ? [`${oneLine(turnOff.text)}:\n${oneLine(turnOff.url)}`] : [])]
  return `${[...blocks.map(blockText), `-- \n${last.join('\n')}`].join('\n\n')}\n`
}

/** A question needs no colon. */
const labelOf = (label: string) => (label.endsWith('?') ? oneLine(label) : `${oneLine(label)}:`)

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'advice':
      return oneLine(block.text)
    case 'facts':
      return block.facts.map(([label, value]) => `${labelOf(label)} ${oneLine(value)}`).join('\n')
    case 'records':
      return block.records
        .map(({ name, type, value }) => `${oneLine(name)}  ${oneLine(type)}  ${oneLine(value)}`)
        .join('\n')
    case 'button':
      return `${oneLine(block.text)}:\n${oneLine(block.url)}`
  }
}
