// Input cleaning extracts the hostname from a pasted URL. It removes the scheme, the port,
// the path and surrounding spaces. Anything that could make the result a different name from
// the one that people see (a user name, a backslash, a line break) is not removed; it stays
// in, and is then rejected as a character.

export type TypedName = {
  /** The part that must be the name, as it was typed. */
  host: string
  /** The whole input without the spaces around it. */
  trimmed: string
  /** Whether the input had spaces, a scheme, a port or a path around the name. */
  isCleaned: boolean
}

/** Longer input is neither a URL nor a name that a person typed on purpose. */
export const TYPED_CHARACTERS = 4096
export const NAME_CHARACTERS = 1024

export function nameIn(typed: string): TypedName {
  const trimmed = withoutSpaces(typed)
  const withoutScheme = trimmed.replace(/^(https?:)?\/\//i, '')
  const authority = /^[^/?#]*/.exec(withoutScheme)?.[0] ?? ''
  const host = withoutPort(authority)
  return { host: withoutLastDot(host), trimmed, isCleaned: host !== typed }
}

/** Removes fewer characters than `trim` does: the others are invisible, and are therefore rejected. */
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

/** Removes the trailing dot of a fully qualified name. Two dots are a mistake, and so is a dot alone. */
const withoutLastDot = (host: string) => (/[^.]\.$/.test(host) ? host.slice(0, -1) : host)
