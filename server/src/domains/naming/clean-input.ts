// People paste addresses where a name is asked for. What stands around the name in
// an address of a web page is taken away; anything that could make another name of
// it than the one that people see (a user name, a backslash, a line break) is not
// cleaned but left in, and then refused as a character.

export type TypedName = {
  /** The part that must be the name, as it was typed. */
  host: string
  /** All of it, but for spaces around. */
  trimmed: string
  /** Whether spaces, a scheme, a port or a path stood around it. */
  isCleaned: boolean
}

/** Nothing that is longer than this is an address, or a name, that somebody meant. */
export const TYPED_CHARACTERS = 4096
export const NAME_CHARACTERS = 1024

export function nameIn(typed: string): TypedName {
  const trimmed = withoutSpaces(typed)
  const withoutScheme = trimmed.replace(/^(https?:)?\/\//i, '')
  const authority = /^[^/?#]*/.exec(withoutScheme)?.[0] ?? ''
  const host = withoutPort(authority)
  return { host: withoutLastDot(host), trimmed, isCleaned: host !== typed }
}

/** Fewer characters than `trim` takes: the others are refused, because they cannot be seen. */
function withoutSpaces(typed: string): string {
  const isSpace = (at: number) => ' \t\r\n'.includes(typed.charAt(at))
  let [start, end] = [0, typed.length]
  while (start < end && isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return typed.slice(start, end)
}

function withoutPort(authority: string): string {
  const [, host, port] = /^([^:]*):(\d{1,5})$/.exec(authority) ?? []
  return host !== undefined && Number(port) <= 65_535 ? host : authority
}

/** The dot at the end that DNS itself writes. Two are a mistake, and so is a dot alone. */
const withoutLastDot = (host: string) => (/[^.]\.$/.test(host) ? host.slice(0, -1) : host)
