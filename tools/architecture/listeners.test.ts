import { describe, expect, test } from 'vitest'
import { needlessExemptions, unguardedListeners } from './listeners.ts'
import { productionOf, readSources } from './sources.ts'

const sources = productionOf('server/src', readSources())
const lacksIn = (text: string) => unguardedListeners(new Map([['animals/bad.io.ts', text]]))
const both = ['animals/bad.io.ts: connections', 'animals/bad.io.ts: requests']

describe('a server of the program', () => {
  test('limits its connections and its requests, or has a reason not to', () => {
    expect(unguardedListeners(sources)).toEqual([])
    expect(needlessExemptions(sources)).toEqual([])
  })

  test('is found wherever there is one, and fails without its guards (negative control)', () => {
    const guards = /\b(?:guard|cap|admit)(?=[A-Z]\w+\()/g
    const bare = new Map([...sources].map(([file, text]) => [file, text.replaceAll(guards, 'skip')]))
    expect(unguardedListeners(bare)).toEqual([
      'fleet/feed-routes.ts: connections',
      'fleet/feed-routes.ts: requests',
      'foundation/http/http.io.ts: connections',
      'foundation/http/http.io.ts: requests',
      'sites/pages/visitor-server.io.ts: connections',
    ])
  })

  test.each([
    `import { createServer } from 'node:http'\ncreateServer().listen(1)`,
    `import { createServer as serve } from 'node:net'\nserve().listen(1)`,
    `import { type Socket, Server } from 'node:net'\nnew Server().listen(1)`,
    `import * as https from 'node:https'\nhttps.createServer({}).listen(1)`,
    `import { createSecureServer } from 'node:http2'\ncreateSecureServer().listen(1)`,
    `import { fastify } from 'fastify'\nconst app = fastify({})`,
    `import { createServer } from 'node:http'\n// guardAdmission( and guardConnections( stay away\ncreateServer()`,
  ])('is one in %j', (text) => {
    expect(lacksIn(text)).toEqual(both)
  })

  test.each([
    `import type { Server } from 'node:http'\nexport const close = (server: Server) => server.close()`,
    `import { Server as Listener } from 'node:net'\nListener.prototype.close.call(server)`,
    `import { createServer } from './visitor-server.io.ts'\ncreateServer()`,
  ])('is none in %j', (text) => {
    expect(lacksIn(text)).toEqual([])
  })
})
