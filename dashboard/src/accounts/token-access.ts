// What people choose for a token, and the scopes that stand for it.

import type { TokenScope } from '@petstore-platform/contract/platform/operation'

export type TokenAccess = 'read' | 'full' | 'write'

const scopes: Readonly<Record<TokenAccess, readonly TokenScope[]>> = {
  read: ['read'],
  full: ['read', 'write'],
  write: ['write'],
}

export const scopesOf = (access: TokenAccess): TokenScope[] => [...scopes[access]]

export function accessOf(granted: readonly TokenScope[]): TokenAccess {
  if (!granted.includes('write')) return 'read'
  return granted.includes('read') ? 'full' : 'write'
}
