// A client that reads the largest pages over many connections until it is stopped.
// fairness.test.ts starts it as a separate process.

import { Agent } from 'node:http'
import { exchange } from '../../testbed/harness/http.ts'

const { ORIGIN = '', KEY = '', CONNECTIONS = '' } = process.env
const agent = new Agent({ keepAlive: true })
const filters = ['', '&status=available']
const over = new AbortController()
const figures = { count: 0, rejected: 0, failures: 0, bytes: 0, perSecond: 0 }
const began = performance.now()
const warm = Promise.withResolvers<void>()

const clients = Array.from({ length: Number(CONNECTIONS) }, async (_, client) => {
  while (!over.signal.aborted) {
    const path = `/v1/pets?limit=100${filters[client % 2]}`
    const response = await exchange(ORIGIN, { path, headers: { Authorization: `Bearer ${KEY}` } }, agent)
    // Above its share of a busy process; its connection is then not read for a second.
    if (response.status === 503) figures.rejected += 1
    else if (response.status === 200) {
      figures.count += 1
      figures.bytes = Buffer.byteLength(response.text)
    } else figures.failures += 1
    if (figures.count + figures.rejected >= Number(CONNECTIONS)) warm.resolve()
  }
})

await warm.promise
process.send?.('under way')
process.once('message', () => over.abort())
await Promise.all(clients)
figures.perSecond = (figures.count * 1000) / (performance.now() - began)
agent.destroy()
process.send?.(figures, () => process.exit())
