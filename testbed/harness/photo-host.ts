// A host of photos on loopback with a real certificate, and the DNS that knows it: what an import fetches photos from.

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeFakeChain } from './fake-chain.ts'
import { fakeAnswer } from '../evidence/answer.ts'
import type { Dns } from '../../server/src/foundation/dns/port.ts'
import { recordCache } from '../../server/src/foundation/dns/record-cache.ts'
import type { FetchDeps } from '../../server/src/foundation/http/fetch-public.io.ts'

export type PhotoHost = {
  /** For `fetchPublic`; loopback is allowed. */
  deps: FetchDeps
  /** Addresses of each name, for each query the next list; the last one stays. */
  names: Map<string, readonly string[][]>
  asked: string[]
  close(): void
}

export async function startPhotoHost(hostnames: readonly string[], listener: RequestListener): Promise<PhotoHost> {
  const { chainPem: cert, keyPem: key, rootPem: roots } = await makeFakeChain({ hostnames: [...hostnames] })
  const server = createServer({ cert, key }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const names = new Map<string, readonly string[][]>(hostnames.map((name) => [name, [['127.0.0.1']]]))
  const asked: string[] = []
  const { port } = server.address() as AddressInfo
  return {
    deps: { dns: scripted(names, asked), allowedNetworks: ['127.0.0.0/8'], roots, port },
    names,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const caches = { countMax: 10, now: () => 0 }

const scripted = (names: PhotoHost['names'], asked: string[]): Dns => ({
  resolvers: [{ name: 'scripted', address: '127.0.0.1', port: 53 }],
  zones: recordCache(caches),
  addresses: recordCache(caches),
  ask: async (_, name, type) => {
    if (type !== 'A') return { outcome: fakeAnswer(), ms: 1 }
    asked.push(name)
    const [first = [], ...later] = names.get(name) ?? []
    if (later.length > 0) names.set(name, later)
    return { outcome: fakeAnswer({ records: first.map((address) => ({ name, type: 'A', ttl: 60, address })) }), ms: 1 }
  },
  randomLabel: () => 'label',
  shuffled: (items) => [...items],
})
