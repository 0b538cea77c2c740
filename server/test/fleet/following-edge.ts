// The edge's own client and host table, without the rest of an edge: it follows a control plane in
// memory, as an edge whose disk holds nothing but which part of the table it is.

import { openControl } from '../../src/edge/control-client.io.ts'
import type { EdgeIdentity } from '../../src/edge/identity.io.ts'
import { followFeed } from '../../src/edge/host-table-feed.io.ts'
import { createHostTable } from '../../src/edge/host-table.ts'

export function startFollowing(port: number, identity: EdgeIdentity, table = createHostTable()) {
  const control = openControl({
    controlUrl: `http://127.0.0.1:${port}`,
    controlRoots: undefined,
    identity,
  })
  let resets = 0
  let audience: string | undefined
  const errors: Error[] = []
  const context = { monotonic: () => performance.now(), onError: (error: Error) => void errors.push(error) }
  const feed = followFeed(context, control, {
    table,
    disk: {
      keep: async () => {},
      reset: async () => {},
      contacted: async () => {},
      get audience() {
        return audience
      },
      keepAudience: async (other) => void (audience = other),
    },
    certificates: { changed: () => {}, reset: () => void (resets += 1), retry: () => {} },
  })
  return {
    table,
    errors,
    resets: () => resets,
    audience: () => audience,
    async stop() {
      await feed.stop()
      control.close()
    },
  }
}
