// Decodes server-sent events from the text of a response, piece by piece. A piece may end anywhere, and comments, which
// keep the connection open, are left out.

export type EventBlock = { name: string; data: string }

export class EventBlocks {
  /** How long the server asks a client to wait before it connects again. */
  retryMs: number | undefined
  #rest = ''

  /** The events that this piece completes. */
  add(piece: string): EventBlock[] {
    const blocks = (this.#rest + piece).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => this.#decode(block))
  }

  #decode(block: string): EventBlock[] {
    const fields = block.split('\n').map((line): [string, string] => {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      return [name, value]
    })
    const valuesOf = (wanted: string) => fields.flatMap(([name, value]) => (name === wanted ? [value] : []))
    const [retry] = valuesOf('retry').filter((value) => /^\d+$/.test(value))
    if (retry !== undefined) this.retryMs = Number(retry)
    const data = valuesOf('data')
    return data.length === 0 ? [] : [{ name: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }]
  }
}

/** Refused streams are retried then. No server can silence a page for hours. */
export function waitAfterRefusal(headers: Headers, otherwiseMs: number): number {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) * 1000 : otherwiseMs
}

const RETRY_AFTER_MAX_S = 300
