// `pathsOf` maps a request target to a path of the contract, whatever its method, and to the
// methods allowed there. A path of the contract is known whatever the method; every other path is
// not found.

import { allowedMethods, type OperationShape } from '@petstore-platform/contract/operation'
import { Refusal, quoted } from '../refusal.ts'

export type Paths = {
  /** The contract's path for a target, with its parameters in braces. */
  pathOf: (url: string) => string | undefined
  allowOf: (path: string | undefined) => string
  /** True if a target that matches this path's route may also match a more specific path. */
  isShadowed: (path: string) => boolean
  /**
   * For a request without a matching route. `unreadable` explains why a target with the right
   * method can get there.
   */
  refuse: (request: { url: string; method: string }, unreadable: (path: string) => Refusal) => never
}

export function pathsOf(prefix: string, operations: readonly OperationShape[], documentPath: string): Paths {
  const patterns = [...new Set(operations.map(({ path }) => path)), documentPath].map((path) => ({
    path,
    matches: new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '[^/]*').replaceAll('.', '\\.')}$`),
  }))
  const pathOf = (url: string) => {
    const path = decodedPathOf(url)
    // A more specific path takes precedence over one with a parameter in that position.
    return patterns.filter(({ matches }) => matches.test(path)).sort(byParameters)[0]?.path
  }
  const allowOf = (path: string | undefined) => {
    if (path === undefined) return 'OPTIONS'
    return path === documentPath ? 'GET, HEAD, OPTIONS' : allowedMethods(operations, path)
  }
  const shadowed = new Set(
    patterns
      .filter(({ path, matches }) => patterns.some((other) => other.path !== path && matches.test(prefix + other.path)))
      .map(({ path }) => path),
  )
  return {
    pathOf,
    allowOf,
    isShadowed: (path) => shadowed.has(path),
    refuse({ url, method }, unreadable) {
      const path = pathOf(url)
      if (path === undefined) throw new Refusal('not_found', 'No resource exists at this path.')
      const allow = allowOf(path)
      if (allow.split(', ').includes(method)) throw unreadable(path)
      const message = `${quoted(method).slice(1, -1)} is not allowed here. Allowed: ${allow}.`
      throw new Refusal('method_not_allowed', message, { Allow: allow })
    },
  }
}

const parametersIn = (path: string) => path.split('{').length
const byParameters = (a: { path: string }, b: { path: string }) => parametersIn(a.path) - parametersIn(b.path)

/**
 * The path as the router decodes it, so that both recognise the same ones: absolute-form and
 * percent-encoding included.
 */
export function decodedPathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
