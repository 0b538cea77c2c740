// Renders a mail as plain text. Values of people are on one line each, so that none of them can
// pass for a line of ours.

import { oneLine, type Block, type Mail } from './mail.ts'

export function mailText({ blocks, footer }: Mail): string {
  return `${[...blocks.map(blockText), `-- \n${oneLine(footer)}`].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return oneLine(block.text)
    case 'facts':
      return block.facts.map(([label, value]) => `${oneLine(label)}: ${oneLine(value)}`).join('\n')
    case 'button':
      return `${oneLine(block.text)}:\n${oneLine(block.url)}`
  }
}
