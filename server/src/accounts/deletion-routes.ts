// Routes that delete the account of the signed-in person on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/account-deletion'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import { deleteAccount, type DeletionDeps } from './deletion.io.ts'
import { expiredCookie, type Person } from './sessions/guard.io.ts'

export type DeletionRoutesDeps = DeletionDeps & { personal: Mounting<Person, PlatformOperation> }

export function deletionRoutes(app: FastifyInstance, { personal, ...deps }: DeletionRoutesDeps): void {
  mount(app, contract.getAccountDeletion, personal, async ({ caller }) => ({
    json: JSON.stringify({ blockedBy: await deps.memberships.solelyOwnedBy(caller.account) }),
  }))

  mount(app, contract.deleteAccount, personal, async ({ caller }) => {
    await deleteAccount(deps, caller.account, 'person')
    return { headers: { 'Set-Cookie': expiredCookie() } }
  })
}
