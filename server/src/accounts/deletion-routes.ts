// Routes that delete the account of the signed-in person on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/account-deletion'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { AccountPlatform } from './account-platform.ts'
import { deleteAccount, type Memberships } from './deletion.io.ts'
import { expiredCookie } from './sessions/guard.io.ts'

export function deletionRoutes(app: FastifyInstance, platform: AccountPlatform, memberships: Memberships): void {
  const { personal } = platform
  mount(app, contract.getAccountDeletion, personal, async ({ caller }) => ({
    json: JSON.stringify({ blockedBy: await memberships.solelyOwnedBy(caller.account) }),
  }))

  mount(app, contract.deleteAccount, personal, async ({ caller }) => {
    await deleteAccount(platform, memberships, caller.account, 'person')
    return { headers: { 'Set-Cookie': expiredCookie() } }
  })
}
