/*
 * Parsers of the request headers for content negotiation, authentication, caching, idempotency and
 * tracing. Each is a pure function from the header's text to a small result; the caller decides
 * which refusal follows.
 *
 * All of them take linear time on any input: the regular expressions are anchored or cannot start
 * twice on the same character, and white space is trimmed by a loop, since /[ \t]+$/ is quadratic.
 */

const MEDIA_RANGE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?![^ \t;])/
const ZERO_WEIGHT = /^q[ \t]*=[ \t]*(?:0\.?|\.0)0*$/
const JSON_CONTENT = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i
const BEARER_SCHEME = /^bearer(?:[ \t]|$)/i
const BEARER_TOKEN = /^bearer +([\w.~+/-]+=*)$/i
const ENTITY_TAG = /"[!#-~\x80-\xff]*"/g
const IDEMPOTENCY_KEY = /^("?)([!#-[\]-~]{1,255})\1$/
const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Accept: true if the response may have that media type. The most specific range that covers it decides. */
export function accepts(header: string | undefined, media = 'application/json'): boolean {
  if (header === undefined || header === '*/*' || header === media) return true
  const [type = ''] = media.split(';')
  const [kind = ''] = type.split('/')
  const wanted = new Map<string, boolean>()
  let namesAnything = false
  for (const item of split(header.toLowerCase(), ',')) {
    namesAnything ||= MEDIA_RANGE.test(item)
    const range = MEDIA_RANGE.exec(item)?.[0]
    if (range !== type && range !== `${kind}/*` && range !== '*/*') continue
    // One range may occur twice with different parameters; it is excluded only if every one of them
    // excludes it.
    const refused = split(item, ';').some((parameter) => ZERO_WEIGHT.test(parameter))
    wanted.set(range, wanted.get(range) === true || !refused)
  }
  return wanted.get(type) ?? wanted.get(`${kind}/*`) ?? wanted.get('*/*') ?? !namesAnything
}

/**
 * Content-Type: application/json, with charset UTF-8 if there is one, and nothing else but the last
 * `;` RFC 9110 allows.
 */
export function isJsonContent(header: string): boolean {
  return JSON_CONTENT.test(trim(header))
}

/** Content-Encoding: true if the body is sent without a coding. */
export function isIdentityEncoding(header: string | undefined): boolean {
  return split(header ?? '', ',').every((coding) => coding.toLowerCase() === 'identity')
}

/** Authorization: the token; '' if the scheme is Bearer but no single token follows; undefined for other schemes. */
export function readBearer(header: string): string | undefined {
  if (!BEARER_SCHEME.test(header)) return undefined
  return BEARER_TOKEN.exec(header)?.[1] ?? ''
}

/**
 * If-None-Match: true if the list contains this tag. Weak comparison: W/ before either of them
 * makes no difference.
 */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (trim(header) === '*') return true
  const opaque = tag.replace(/^W\//, '')
  // Without an array per tag, of which a hostile header has tens of thousands. A tag has quotes at its ends only, so
  // one that ends in the other is the other.
  ENTITY_TAG.lastIndex = 0
  while (ENTITY_TAG.test(header)) if (header.endsWith(opaque, ENTITY_TAG.lastIndex)) return true
  return false
}

/** Idempotency-Key: the key itself. Bare and quoted are the same key; undefined if the form is wrong. */
export function readIdempotencyKey(header: string): string | undefined {
  return IDEMPOTENCY_KEY.exec(header)?.[2]
}

/** traceparent (W3C Trace Context): the trace to join. An unknown version may have more after the four fields. */
export function traceIdOf(header: string | undefined): string | undefined {
  const [, version, traceId, parentId, more] = TRACE_PARENT.exec(header ?? '') ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return isAllZero(traceId) || isAllZero(parentId) ? undefined : traceId
}

function isAllZero(hex: string | undefined): boolean {
  return hex !== undefined && /^0+$/.test(hex)
}

/** The items of a list, trimmed and not empty. Separators inside quoted strings are ignored. */
function split(text: string, separator: ',' | ';'): string[] {
  const items: string[] = []
  let start = 0
  const take = (end: number) => {
    const item = trim(text.slice(start, end))
    if (item !== '') items.push(item)
    start = end + 1
  }
  let inQuotes = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') inQuotes = !inQuotes
    else if (char === '\\' && inQuotes) at++
    else if (char === separator && !inQuotes) take(at)
  }
  take(text.length)
  return items
}

/** Trims what HTTP calls white space. String.trim would also remove U+00A0, which a header can contain. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text[start])) start++
  while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

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
