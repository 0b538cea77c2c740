// The coding of a response, negotiated from Accept-Encoding (RFC 9110, 12.5.3).

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
