// Content negotiation from request headers: the coding of a response (RFC 9110, 12.5.3), and
// whether the client's cached copy is still valid (13.1.2).

export type Coding = 'br' | 'gzip'

/** The best coding that the client accepts; undefined means no coding. */
export function codingOf(accept: string | undefined): Coding | undefined {
  if (accept === undefined) return undefined
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
      }),
  )
  const takes = (name: Coding) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined
}

/** Weak comparison: our tags are weak, and a coding does not change the content. */
export function isCached(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}
