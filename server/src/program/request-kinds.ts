// The kind of a request, for admission control: read from the operations of the contract by method and path alone,
// because it is decided before routing. Pure.

import type { calls } from '@petstore-platform/contract/platform/calls'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import type { RequestKind } from '../foundation/load/admission.ts'
import { decodedPathOf } from '../foundation/http/paths.ts'

/** They hash a password, query foreign servers, or transfer as much as a client wants: each has a queue of its own. */
const kindById: Readonly<Record<string, RequestKind>> = {
  signIn: 'sign-in',
  signInWithPasskey: 'sign-in',
  signInWithLink: 'sign-in',
  reauthenticate: 'sign-in',
  signUp: 'sign-in',
  changePassword: 'sign-in',
  recoverAccount: 'sign-in',
  recoverWithCode: 'sign-in',
  checkDomain: 'trace',
  traceDomain: 'trace',
  exportAnimals: 'export',
  putImportPart: 'import',
  readImport: 'import',
  applyImport: 'import',
  undoImport: 'import',
  addPhoto: 'import',
  putLogo: 'import',
} satisfies Partial<Record<keyof typeof calls, RequestKind>>

/** For the API of the platform below this prefix; everything else is read or written. */
export function requestKindsOf(prefix: string): (method: string, url: string) => RequestKind {
  const special = platformOperations.flatMap(({ operationId, method, path, success }) => {
    const kind = 'type' in success && success.type === 'text/event-stream' ? 'stream' : kindById[operationId]
    const pattern = path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')
    return kind === undefined ? [] : [{ kind, method, matches: new RegExp(`^${prefix}${pattern}$`) }]
  })
  return (method, url) => {
    const usual = isRead(method) ? 'read' : 'write'
    // Most requests, and without a search.
    if (url.startsWith('/v1/')) return usual
    if (url === '/livez' || url === '/readyz') return 'health'
    const path = decodedPathOf(url)
    if (!path.startsWith(prefix)) return usual
    const wanted = method === 'HEAD' ? 'GET' : method
    return special.find((one) => one.method === wanted && one.matches.test(path))?.kind ?? usual
  }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
